package dev.pawl.cli.program;

import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.terminal.Paint;
import dev.pawl.cli.terminal.Table;
import dev.pawl.cli.terminal.Text;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.Node;
import dev.pawl.graph.fold.NodeSummary;
import dev.pawl.graph.fold.Projection;
import dev.pawl.log.Failure;
import java.util.ArrayList;
import java.util.List;

/** The nodes of a graph, each with its state, what came in and what went out. */
final class GraphView implements ProgramView {
  private static final int NODES = 40;

  private final Graph graph;
  private final Projection run;

  GraphView(Graph graph, Projection run) {
    this.graph = graph;
    this.run = run;
  }

  @Override
  public List<String> lines(Paint paint, boolean full) {
    Table table = new Table("NODE", "TYPE", "STATE", "ATTEMPT", "IN", "OUT", "TOOK", "");
    graph.nodes().stream()
        .limit(full ? Integer.MAX_VALUE : NODES)
        .forEach(node -> row(table, node));
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.addAll(table.lines("", paint));
    int more = graph.nodes().size() - NODES;
    if (!full && more > 0) {
      lines.add("and " + more + " more nodes; --full shows them");
    }
    return lines;
  }

  private void row(Table table, Node node) {
    NodeSummary told = summary(node);
    table.row(
        Table.Cell.of(Text.oneLine(node.id())),
        Table.Cell.faint(Text.oneLine(node.type())),
        new Table.Cell(told.state().word(), tone(told.state())),
        Table.Cell.of(told.attempt() > 1 ? Integer.toString(told.attempt()) : ""),
        Table.Cell.of(number(told.in())),
        Table.Cell.of(number(told.out())),
        Table.Cell.of(told.took().map(TimeText::span).orElse("")),
        Table.Cell.faint(
            told.failure().map(Failure::summary).map(text -> Text.shorten(text, 60)).orElse("")));
  }

  private NodeSummary summary(Node node) {
    return NodeSummary.of(graph, run, node);
  }

  private static String number(long count) {
    return count == 0 ? "" : Long.toString(count);
  }

  private static Tone tone(NodeSummary.State state) {
    return switch (state) {
      case WAITING, SKIPPED, VOID -> Tone.FAINT;
      case SCHEDULED, RETRYING, STOPPED -> Tone.WARNING;
      case STARTED, LISTENING -> Tone.BUSY;
      case COMPLETED -> Tone.GOOD;
      case FAILED -> Tone.BAD;
    };
  }

  @Override
  public JsonLine addTo(JsonLine told) {
    return told.put(
        "nodes", graph.nodes().stream().map(node -> json(node, summary(node))).toList());
  }

  private static JsonLine json(Node node, NodeSummary told) {
    return new JsonLine()
        .put("id", node.id())
        .put("type", node.type())
        .put("state", told.state().word())
        .put("attempt", told.attempt())
        .put("in", told.in())
        .put("out", told.out());
  }
}
