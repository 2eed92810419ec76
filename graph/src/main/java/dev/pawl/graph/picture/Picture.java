package dev.pawl.graph.picture;

import dev.pawl.error.PawlException;
import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.Node;
import dev.pawl.graph.fold.NodeSummary;
import dev.pawl.graph.fold.Projection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A graph to be drawn, with the states of its nodes if it is that of a run.
 *
 * @param summaries by node; empty for a graph that nobody runs
 * @param unused the edges that nothing went along, and nothing will
 * @param caption what stands below its name
 */
public record Picture(
    Graph graph, Map<String, NodeSummary> summaries, Set<Edge> unused, String caption) {
  public static Picture of(Graph graph) {
    return new Picture(graph, Map.of(), Set.of(), "");
  }

  /** A picture of a run; the caption says which. */
  public static Picture of(Graph graph, Projection run, String caption) {
    Map<String, NodeSummary> summaries = new LinkedHashMap<>();
    for (Node node : graph.nodes()) {
      summaries.put(node.id(), NodeSummary.of(graph, run, node));
    }
    Set<Edge> unused = new HashSet<>(graph.edges());
    unused.removeIf(
        edge -> NodeSummary.carried(run, edge) > 0 || isOpen(summaries.get(edge.source())));
    return new Picture(graph, summaries, Set.copyOf(unused), caption);
  }

  private static boolean isOpen(@org.jspecify.annotations.Nullable NodeSummary source) {
    return source != null
        && switch (source.state()) {
          case WAITING, LISTENING, SCHEDULED, RETRYING, STARTED -> true;
          case COMPLETED, SKIPPED, FAILED, STOPPED, VOID -> false;
        };
  }

  Optional<NodeSummary> summary(String node) {
    return Optional.ofNullable(summaries.get(node));
  }

  boolean isUnused(Edge edge) {
    return unused.contains(edge);
  }

  /** The picture in the form that the name of a file asks for: .svg, .mmd or .dot. */
  public String as(String fileName) {
    if (fileName.endsWith(".svg")) {
      return svg();
    }
    if (fileName.endsWith(".mmd")) {
      return mermaid();
    }
    if (fileName.endsWith(".dot")) {
      return dot();
    }
    throw PawlException.badInput(
        "a picture is a file whose name ends in .svg, .mmd or .dot, not '" + fileName + "'");
  }

  public String svg() {
    return new Svg(this).draw();
  }

  public String mermaid() {
    return Texts.mermaid(this);
  }

  public String dot() {
    return Texts.dot(this);
  }
}
