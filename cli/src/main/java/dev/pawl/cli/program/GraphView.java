package dev.pawl.cli.program;

import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.terminal.Paint;
import dev.pawl.cli.terminal.Table;
import dev.pawl.cli.terminal.Text;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.Node;
import dev.pawl.graph.fold.NodeState;
import dev.pawl.graph.fold.Projection;
import dev.pawl.log.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
    NodeState state = run.node(node.id());
    boolean done = state.status() == NodeState.Status.COMPLETED;
    table.row(
        Table.Cell.of(Text.oneLine(node.id())),
        Table.Cell.faint(Text.oneLine(node.type())),
        new Table.Cell(word(state), tone(state)),
        Table.Cell.of(state.attempt() > 1 ? Integer.toString(state.attempt()) : ""),
        Table.Cell.of(number(in(node))),
        Table.Cell.of(number(out(node))),
        Table.Cell.of(done ? TimeText.span(Duration.ofMillis(state.millis())) : ""),
        Table.Cell.faint(
            state.failure().map(Failure::summary).map(text -> Text.shorten(text, 60)).orElse("")));
  }

  private static String number(long count) {
    return count == 0 ? "" : Long.toString(count);
  }

  private long in(Node node) {
    return graph.edges().stream()
        .filter(edge -> edge.target().equals(node.id()) && edge.kind() == Edge.Kind.DATA)
        .mapToLong(edge -> run.node(edge.source()).count(handle(edge)))
        .sum();
  }

  /** An edge may leave out the only handle of its source: then that is what is on record. */
  private String handle(Edge edge) {
    return edge.sourceHandle().isEmpty()
        ? run.node(edge.source()).outputs().keySet().stream().findFirst().orElse("")
        : edge.sourceHandle();
  }

  private long out(Node node) {
    NodeState state = run.node(node.id());
    return state.outputs().keySet().stream().mapToLong(state::count).sum();
  }

  private static String word(NodeState state) {
    return state.status().name().toLowerCase(Locale.ROOT);
  }

  private static Tone tone(NodeState state) {
    return switch (state.status()) {
      case WAITING -> Tone.FAINT;
      case SCHEDULED -> Tone.WARNING;
      case STARTED -> Tone.BUSY;
      case COMPLETED -> Tone.GOOD;
      case FAILED -> Tone.BAD;
    };
  }

  @Override
  public JsonLine addTo(JsonLine told) {
    return told.put(
        "nodes",
        graph.nodes().stream()
            .map(node ->
                new JsonLine()
                    .put("id", node.id())
                    .put("type", node.type())
                    .put("state", word(run.node(node.id())))
                    .put("attempt", run.node(node.id()).attempt())
                    .put("in", in(node))
                    .put("out", out(node)))
            .toList());
  }
}
