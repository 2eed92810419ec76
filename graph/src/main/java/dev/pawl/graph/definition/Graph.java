package dev.pawl.graph.definition;

import java.util.List;
import java.util.Optional;

/**
 * Nodes and the edges between them, as somebody wrote them down. Whether it makes sense is another
 * question: see {@code dev.pawl.graph.check}.
 *
 * @param name what people call it; may be empty
 */
public record Graph(String name, List<Node> nodes, List<Edge> edges) {
  public Graph {
    nodes = List.copyOf(nodes);
    edges = List.copyOf(edges);
  }

  /** Begins a graph in Java. */
  public static GraphBuilder named(String name) {
    return new GraphBuilder(name);
  }

  /** Reads a graph from its JSON text. */
  public static Graph parse(String json) {
    return GraphJson.read(json);
  }

  public Optional<Node> node(String id) {
    return nodes.stream().filter(node -> node.id().equals(id)).findFirst();
  }

  /** The graph as JSON text, the same for the same graph. */
  public String json() {
    return GraphJson.write(this);
  }
}
