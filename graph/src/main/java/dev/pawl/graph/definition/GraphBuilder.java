package dev.pawl.graph.definition;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.work.Retry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes a graph down in Java.
 *
 * <pre>{@code
 * Graph.named("greeting")
 *     .node("who", "input", Map.of("name", "who"))
 *     .node("text", "template", Map.of("template", "Hello {{who}}"))
 *     .node("out", "output", Map.of("name", "text"))
 *     .edge("who.value", "text.who")
 *     .edge("text.text", "out.value")
 *     .build();
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class GraphBuilder {
  private final String name;
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final List<Edge> edges = new ArrayList<>();

  GraphBuilder(String name) {
    this.name = name;
  }

  public GraphBuilder node(String id, String type) {
    return node(id, type, Map.of());
  }

  /** Adds a node; its properties are a map or a record. */
  public GraphBuilder node(String id, String type, Object properties) {
    return node(Node.of(id, type, JsonCodec.encode(properties)));
  }

  public GraphBuilder node(Node node) {
    if (nodes.putIfAbsent(node.id(), node) != null) {
      throw PawlException.badInput("the graph has a node '" + node.id() + "' already");
    }
    return this;
  }

  /** Has the node with this id wait for one message of each handle. */
  public GraphBuilder zip(String id) {
    return change(
        id, n -> new Node(id, n.type(), n.properties(), Node.Sync.ZIP_ALL, n.buffer(), n.retry()));
  }

  /** Says how often and when the node with this id is tried again. */
  public GraphBuilder retry(String id, Retry policy) {
    return change(
        id, n -> new Node(id, n.type(), n.properties(), n.sync(), n.buffer(), Optional.of(policy)));
  }

  /** Says how many messages may wait in each line to the node with this id. */
  public GraphBuilder buffer(String id, int messages) {
    return change(
        id,
        n -> new Node(id, n.type(), n.properties(), n.sync(), Optional.of(messages), n.retry()));
  }

  private GraphBuilder change(String id, java.util.function.UnaryOperator<Node> change) {
    Node known = nodes.get(id);
    if (known == null) {
      throw PawlException.badInput("the graph has no node '" + id + "'; add it first");
    }
    Json unused = known.properties();
    nodes.put(id, change.apply(known));
    return this;
  }

  /**
   * Adds an edge between {@code node.handle} and {@code node.handle}; an only handle can be left
   * out.
   */
  public GraphBuilder edge(String from, String to) {
    return edge(from, to, Edge.Kind.DATA);
  }

  /**
   * Adds an edge over which the first node says what the second does: {@code node.handle}, {@code
   * node}.
   */
  public GraphBuilder control(String from, String node) {
    return edge(from, node, Edge.Kind.CONTROL);
  }

  /** Adds an edge for the failure of a node: {@code node}, {@code node.handle}. */
  public GraphBuilder error(String node, String to) {
    return edge(node, to, Edge.Kind.ERROR);
  }

  private GraphBuilder edge(String from, String to, Edge.Kind kind) {
    edges.add(new Edge(node(from), handle(from), node(to), handle(to), kind));
    return this;
  }

  private String node(String place) {
    int dot = place.indexOf('.');
    return dot < 0 || nodes.containsKey(place) ? place : place.substring(0, dot);
  }

  private String handle(String place) {
    int dot = place.indexOf('.');
    return dot < 0 || nodes.containsKey(place) ? "" : place.substring(dot + 1);
  }

  public Graph build() {
    return new Graph(name, List.copyOf(nodes.values()), edges);
  }
}
