package dev.pawl.cli.program;

import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.terminal.Paint;
import dev.pawl.cli.terminal.Table;
import dev.pawl.cli.terminal.Text;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.graph.run.NodeProgress;
import dev.pawl.graph.run.NodeProgress.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The nodes of a graph that is being executed: a line for each, with its state, what came in and
 * went out, and how long it took. Of many nodes, those where something happens.
 */
final class GraphProgressView implements ProgramView {
  private static final int NODES = 20;
  private static final Comparator<NodeProgress> NEWS =
      Comparator.comparing(node ->
          switch (node.state()) {
            case RUNNING, FAILED -> 0;
            case WAITING -> 1;
            case COMPLETED, VOID -> 2;
          });

  private final List<NodeProgress> nodes;

  GraphProgressView(List<NodeProgress> nodes) {
    this.nodes = nodes;
  }

  @Override
  public List<String> lines(Paint paint, boolean full) {
    List<NodeProgress> shown =
        full || nodes.size() <= NODES ? nodes : nodes.stream().sorted(NEWS).limit(NODES).toList();
    Table table = new Table("NODE", "STATE", "IN", "OUT", "TOOK");
    shown.forEach(node -> row(table, node));
    List<String> lines = new ArrayList<>(table.lines("", paint));
    if (shown.size() < nodes.size()) {
      lines.add("of " + nodes.size() + " nodes: " + summary());
    }
    return lines;
  }

  private static void row(Table table, NodeProgress node) {
    boolean begun = node.state() != State.WAITING && node.state() != State.VOID;
    String again = node.attempt() > 1 ? " (attempt " + node.attempt() + ")" : "";
    table.row(
        Table.Cell.of(Text.shorten(Text.oneLine(node.node()), 40)),
        new Table.Cell(word(node.state()) + again, tone(node.state())),
        Table.Cell.of(node.in() == 0 ? "" : Long.toString(node.in())),
        Table.Cell.of(node.out() == 0 ? "" : Long.toString(node.out())),
        Table.Cell.of(begun ? TimeText.span(node.took()) : ""));
  }

  private String summary() {
    Map<State, Long> counts =
        nodes.stream()
            .collect(
                Collectors.groupingBy(NodeProgress::state, TreeMap::new, Collectors.counting()));
    return counts.entrySet().stream()
        .map(entry -> entry.getValue() + " " + word(entry.getKey()))
        .collect(Collectors.joining(", "));
  }

  private static String word(State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static Tone tone(State state) {
    return switch (state) {
      case WAITING, VOID -> Tone.FAINT;
      case RUNNING -> Tone.BUSY;
      case COMPLETED -> Tone.GOOD;
      case FAILED -> Tone.BAD;
    };
  }

  @Override
  public JsonLine addTo(JsonLine told) {
    return told;
  }
}
