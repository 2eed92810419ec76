package dev.pawl.graph.check;

import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.Node;
import dev.pawl.graph.node.Handle;
import dev.pawl.graph.node.HandleType;
import dev.pawl.graph.node.NodeType;
import dev.pawl.graph.node.Shape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Puts the parts of a sound graph together, and finds out where streams flow. */
final class Wirer {
  private final Graph graph;
  private final List<Edge> edges;
  private final Map<String, NodeType> types;
  private final Map<String, Shape> shapes;
  private final Map<String, Integer> index = new HashMap<>();
  private final List<List<Integer>> in = new ArrayList<>();
  private final List<List<Integer>> out = new ArrayList<>();

  Wirer(Graph graph, List<Edge> edges, Map<String, NodeType> types, Map<String, Shape> shapes) {
    this.graph = graph;
    this.edges = edges;
    this.types = types;
    this.shapes = shapes;
  }

  Wiring wire() {
    for (Node node : graph.nodes()) {
      index.put(node.id(), index.size());
      in.add(new ArrayList<>());
      out.add(new ArrayList<>());
    }
    for (int i = 0; i < edges.size(); i++) {
      out.get(at(edges.get(i).source())).add(i);
      in.get(at(edges.get(i).target())).add(i);
    }
    boolean[] streaming = streaming();
    List<Wiring.Wire> wires = new ArrayList<>();
    for (Edge edge : edges) {
      wires.add(wire(wires.size(), edge, streaming));
    }
    List<Wiring.Place> places = new ArrayList<>();
    for (Node node : graph.nodes()) {
      int i = places.size();
      places.add(
          new Wiring.Place(
              i,
              node,
              type(node.id()),
              shape(node.id()),
              in.get(i).stream().map(wires::get).toList(),
              out.get(i).stream().map(wires::get).toList(),
              streaming[i]));
    }
    return new Wiring(graph, places, wires);
  }

  private Wiring.Wire wire(int number, Edge edge, boolean[] streaming) {
    int source = at(edge.source());
    Handle output =
        edge.kind() == Edge.Kind.ERROR
            ? Handle.of(Wiring.ERROR, HandleType.OBJECT)
            : shape(edge.source()).output(edge.sourceHandle()).orElseThrow();
    int input =
        edge.kind() == Edge.Kind.CONTROL
            ? Wiring.CONTROL
            : shape(edge.target()).inputs().stream()
                .map(Handle::name)
                .toList()
                .indexOf(edge.targetHandle());
    return new Wiring.Wire(
        number,
        edge,
        source,
        at(edge.target()),
        output,
        input,
        streaming[source] && edge.kind() != Edge.Kind.ERROR);
  }

  /**
   * Which nodes may put out more than one message: in the order of the edges, from the sources on.
   */
  private boolean[] streaming() {
    boolean[] streaming = new boolean[in.size()];
    int[] missing = in.stream().mapToInt(List::size).toArray();
    Deque<Integer> ready = new ArrayDeque<>();
    Arrays.setAll(missing, i -> in.get(i).size());
    for (int i = 0; i < missing.length; i++) {
      if (missing[i] == 0) {
        ready.add(i);
      }
    }
    while (!ready.isEmpty()) {
      int node = ready.remove();
      streaming[node] = isStreaming(node, streaming);
      for (int edge : out.get(node)) {
        int target = at(edges.get(edge).target());
        if (--missing[target] == 0) {
          ready.add(target);
        }
      }
    }
    return streaming;
  }

  private boolean isStreaming(int node, boolean[] known) {
    NodeType type = type(graph.nodes().get(node).id());
    return switch (type.mode()) {
      case ONCE, STREAM_IN -> false;
      case STREAM_OUT, STREAM -> true;
      case EACH -> in.get(node).stream().anyMatch(edge -> feedsAStream(node, edge, known));
    };
  }

  /** Several edges into one handle that takes many are a stream, if they are not one list. */
  private boolean feedsAStream(int node, int edge, boolean[] known) {
    Edge its = edges.get(edge);
    Shape shape = shape(graph.nodes().get(node).id());
    boolean list =
        its.kind() != Edge.Kind.CONTROL
            && shape.input(its.targetHandle()).map(h -> h.type().isList()).orElse(false);
    boolean several =
        in.get(node).stream()
                .filter(other -> edges.get(other).targetHandle().equals(its.targetHandle()))
                .count()
            > 1;
    boolean stream = known[at(its.source())] && its.kind() != Edge.Kind.ERROR;
    return list ? stream && !several && isListLike(its) : stream || several;
  }

  private boolean isListLike(Edge edge) {
    return edge.kind() != Edge.Kind.ERROR
        && shape(edge.source())
            .output(edge.sourceHandle())
            .orElseThrow()
            .type()
            .accepts(HandleType.listOf(HandleType.ANY));
  }

  private int at(String id) {
    return Objects.requireNonNull(index.get(id));
  }

  private NodeType type(String id) {
    return Objects.requireNonNull(types.get(id));
  }

  private Shape shape(String id) {
    return Objects.requireNonNull(shapes.get(id));
  }
}
