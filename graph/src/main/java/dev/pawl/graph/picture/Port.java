package dev.pawl.graph.picture;

import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.definition.Graph;
import java.util.List;

/**
 * Where edges of one kind leave a node or come to it: at a handle.
 *
 * @param label what is written there; empty if there is nothing to tell apart
 */
record Port(String node, Edge.Kind kind, String handle, String label) {
  private static final double MOST_WIDTH = 130;
  static final double SIZE = 10;

  /** Where the edge leaves: the handle is told if its source has several, or is a switch. */
  static Port from(Graph graph, Edge edge) {
    List<String> handles =
        graph.edges().stream()
            .filter(other -> other.source().equals(edge.source()))
            .filter(other -> other.kind() == Edge.Kind.DATA)
            .map(Edge::sourceHandle)
            .distinct()
            .toList();
    boolean told =
        handles.size() > 1
            || graph.node(edge.source()).filter(node -> node.type().equals("switch")).isPresent();
    String label =
        switch (edge.kind()) {
          case DATA -> told ? edge.sourceHandle() : "";
          case CONTROL -> "control";
          case ERROR -> "error";
        };
    String handle = edge.kind() == Edge.Kind.ERROR ? "" : edge.sourceHandle();
    return new Port(edge.source(), edge.kind(), handle, label(label));
  }

  /** Where the edge arrives: the handle is told if its target has several. */
  static Port to(Graph graph, Edge edge) {
    List<String> handles =
        graph.edges().stream()
            .filter(other -> other.target().equals(edge.target()))
            .filter(other -> other.kind() != Edge.Kind.CONTROL)
            .map(Edge::targetHandle)
            .distinct()
            .toList();
    boolean told = handles.size() > 1 && edge.kind() != Edge.Kind.CONTROL;
    Edge.Kind kind = edge.kind() == Edge.Kind.CONTROL ? Edge.Kind.CONTROL : Edge.Kind.DATA;
    String handle = kind == Edge.Kind.CONTROL ? "" : edge.targetHandle();
    return new Port(edge.target(), kind, handle, told ? label(edge.targetHandle()) : "");
  }

  private static String label(String text) {
    return Lettering.fit(text, SIZE, false, MOST_WIDTH);
  }

  double width() {
    return label.isEmpty() ? 0 : Lettering.width(label, SIZE, false) + 10;
  }
}
