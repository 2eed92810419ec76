package dev.pawl.graph.picture;

import dev.pawl.error.PawlException;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.fold.NodeState;
import dev.pawl.graph.fold.Projection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A graph to be drawn, with the states of its nodes if it is that of a run.
 *
 * @param states by node; empty for a graph that nobody runs
 */
public record Picture(Graph graph, Map<String, NodeState.Status> states) {
  public static Picture of(Graph graph) {
    return new Picture(graph, Map.of());
  }

  public static Picture of(Graph graph, Projection run) {
    Map<String, NodeState.Status> states = new LinkedHashMap<>();
    graph.nodes().forEach(node -> states.put(node.id(), run.node(node.id()).status()));
    return new Picture(graph, states);
  }

  Optional<NodeState.Status> state(String node) {
    return Optional.ofNullable(states.get(node));
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

  /** The colour of a state: its filling and its border. */
  static String[] colours(Optional<NodeState.Status> state) {
    return state
        .map(status ->
            switch (status) {
              case WAITING -> new String[] {"#f4f5f7", "#9aa3ae"};
              case SCHEDULED -> new String[] {"#fff4d6", "#c98a00"};
              case STARTED -> new String[] {"#d9ecff", "#1f6fbf"};
              case COMPLETED -> new String[] {"#dcf3e3", "#2b8a4b"};
              case FAILED -> new String[] {"#fde0df", "#c0312b"};
            })
        .orElse(new String[] {"#ffffff", "#4a5563"});
  }
}
