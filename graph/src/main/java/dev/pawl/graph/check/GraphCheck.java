package dev.pawl.graph.check;

import dev.pawl.error.PawlException;
import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.Node;
import dev.pawl.graph.node.Handle;
import dev.pawl.graph.node.HandleType;
import dev.pawl.graph.node.NodeType;
import dev.pawl.graph.node.NodeTypes;
import dev.pawl.graph.node.Shape;
import dev.pawl.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Holds a graph to what is known of its types: every problem is found, not only the first. Used
 * once.
 */
public final class GraphCheck {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,100}");

  private final Graph graph;
  private final NodeTypes types;
  private final List<Problem> problems = new ArrayList<>();
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Map<String, NodeType> typeOf = new HashMap<>();
  private final Map<String, Shape> shapes = new HashMap<>();
  private final List<Edge> edges = new ArrayList<>();
  private final Set<Edge> seen = new HashSet<>();

  private GraphCheck(Graph graph, NodeTypes types) {
    this.graph = graph;
    this.types = types;
  }

  /** What is wrong with the graph; empty if nothing is. */
  public static List<Problem> problems(Graph graph, NodeTypes types) {
    GraphCheck check = new GraphCheck(graph, types);
    check.run();
    return List.copyOf(check.problems);
  }

  /**
   * The graph, wired.
   *
   * @throws PawlException that tells every problem, if there are any
   */
  public static Wiring wire(Graph graph, NodeTypes types) {
    GraphCheck check = new GraphCheck(graph, types);
    check.run();
    if (!check.problems.isEmpty()) {
      throw PawlException.badInput(
          "the graph"
              + (graph.name().isEmpty() ? "" : " '" + graph.name() + "'")
              + " has "
              + (check.problems.size() == 1 ? "a problem" : check.problems.size() + " problems")
              + ":\n  "
              + check.problems.stream().map(Problem::toString).collect(Collectors.joining("\n  ")));
    }
    return new Wirer(graph, check.edges, check.typeOf, check.shapes).wire();
  }

  private void run() {
    if (graph.nodes().isEmpty()) {
      problems.add(new Problem("the graph", "it has no nodes"));
    }
    graph.nodes().forEach(this::node);
    graph.edges().forEach(this::edge);
    onlyOneEachWhereOneFits();
    everythingNeededIsThere();
    namesAreUnique(NodeType.Role.INPUT, "input");
    namesAreUnique(NodeType.Role.OUTPUT, "output");
    Cycle.find(nodes.keySet(), edges)
        .ifPresent(path ->
            add(
                "node '" + path.getFirst() + "'",
                "the edges lead in a circle: "
                    + String.join(" > ", path)
                    + "; take one of them out"));
  }

  // ---- nodes ----

  private void node(Node node) {
    String place = "node '" + node.id() + "'";
    if (!ID.matcher(node.id()).matches()) {
      add(place, "an id has 1 to 100 letters, digits, '_' and '-'");
    }
    if (nodes.putIfAbsent(node.id(), node) != null) {
      add(place, "there are two nodes with this id");
      return;
    }
    Optional<NodeType> type = types.find(node.type());
    if (type.isEmpty()) {
      add(
          place,
          "there is no node type '"
              + node.type()
              + "'"
              + Nearest.hint(node.type(), types.all().keySet()));
      return;
    }
    try {
      Shape shape = type.get().shape(node.properties());
      type.get().source(node.properties());
      typeOf.put(node.id(), type.get());
      shapes.put(node.id(), shape);
    } catch (PawlException e) {
      add(place, "its properties: " + e.getMessage());
    }
  }

  // ---- edges ----

  private void edge(Edge edge) {
    String place = "edge " + edge.id();
    boolean hasSource = exists(place, "source", edge.source());
    boolean hasTarget = exists(place, "target", edge.target());
    Shape from = shapes.get(edge.source());
    Shape to = shapes.get(edge.target());
    if (!hasSource || !hasTarget || from == null || to == null) {
      return;
    }
    NodeType target = typeOf.get(edge.target());
    if (target != null && target.role() == NodeType.Role.TRIGGER) {
      add(place, "node '" + edge.target() + "' is a trigger: its inputs come from outside");
      return;
    }
    Optional<Handle> output = output(place, edge, from);
    Optional<Handle> input = input(place, edge, to);
    if (output.isEmpty() || input.isEmpty()) {
      return;
    }
    Edge resolved = edge.between(output.get().name(), input.get().name());
    if (!seen.add(resolved)) {
      add(place, "there are two edges between these handles");
      return;
    }
    edges.add(resolved);
    fits(resolved, output.get(), input.get());
  }

  private boolean exists(String place, String end, String node) {
    boolean there = nodes.containsKey(node);
    if (!there) {
      add(
          place,
          "its " + end + " '" + node + "' is not a node" + Nearest.hint(node, nodes.keySet()));
    }
    return there;
  }

  private Optional<Handle> output(String place, Edge edge, Shape shape) {
    return edge.kind() == Edge.Kind.ERROR
        ? Optional.of(Handle.of(Wiring.ERROR, HandleType.OBJECT))
        : handle(place, "output", edge.source(), edge.sourceHandle(), shape.outputs());
  }

  private Optional<Handle> input(String place, Edge edge, Shape shape) {
    return edge.kind() == Edge.Kind.CONTROL
        ? Optional.of(Handle.of("control", HandleType.ANY).forMany())
        : handle(place, "input", edge.target(), edge.targetHandle(), shape.inputs());
  }

  private Optional<Handle> handle(
      String place, String side, String node, String name, List<Handle> handles) {
    if (name.isEmpty() && handles.size() == 1) {
      return Optional.of(handles.get(0));
    }
    List<String> names = handles.stream().map(Handle::name).toList();
    Optional<Handle> found =
        handles.stream().filter(handle -> handle.name().equals(name)).findFirst();
    if (found.isEmpty()) {
      add(
          place,
          "node '"
              + node
              + "' has no "
              + side
              + " handle '"
              + name
              + "'"
              + Nearest.hint(name, names));
    }
    return found;
  }

  private void fits(Edge edge, Handle output, Handle input) {
    HandleType type = input.type();
    boolean whole = type.accepts(output.type());
    boolean collected = type.isList() && type.element().orElse(type).accepts(output.type());
    if (!whole && !collected) {
      add(
          "edge " + edge.id(),
          "handle '"
              + edge.sourceHandle()
              + "' of node '"
              + edge.source()
              + "' gives "
              + output.type()
              + ", handle '"
              + edge.targetHandle()
              + "' of node '"
              + edge.target()
              + "' takes "
              + type);
    }
  }

  private void onlyOneEachWhereOneFits() {
    Map<String, List<Edge>> into =
        edges.stream()
            .filter(edge -> edge.kind() != Edge.Kind.CONTROL)
            .collect(
                Collectors.groupingBy(
                    edge -> edge.target() + "." + edge.targetHandle(),
                    LinkedHashMap::new,
                    Collectors.toList()));
    into.values().stream()
        .filter(several -> several.size() > 1)
        .forEach(several -> {
          Edge first = several.get(0);
          boolean many =
              Optional.ofNullable(shapes.get(first.target()))
                  .flatMap(shape -> shape.input(first.targetHandle()))
                  .map(Handle::many)
                  .orElse(true);
          if (!many) {
            add(
                "handle '" + first.targetHandle() + "' of node '" + first.target() + "'",
                "one edge may lead here, these do: "
                    + several.stream().map(Edge::id).collect(Collectors.joining(", "))
                    + "; put a merge node before it");
          }
        });
  }

  private void everythingNeededIsThere() {
    Map<String, Set<String>> fedHandles =
        edges.stream()
            .collect(
                Collectors.groupingBy(
                    Edge::target, Collectors.mapping(Edge::targetHandle, Collectors.toSet())));
    for (Node node : nodes.values()) {
      Shape shape = shapes.get(node.id());
      if (shape == null) {
        continue;
      }
      Set<String> fed = fedHandles.getOrDefault(node.id(), Set.of());
      for (Handle handle : shape.inputs()) {
        boolean there =
            fed.contains(handle.name())
                || !node.properties().member(handle.name()).equals(Json.NULL);
        if (handle.needed() && !there) {
          add(
              "handle '" + handle.name() + "' of node '" + node.id() + "'",
              "no edge leads here and there is no property of its name");
        }
      }
    }
  }

  private void namesAreUnique(NodeType.Role role, String word) {
    Set<String> names = new HashSet<>();
    for (Node node : nodes.values()) {
      NodeType type = typeOf.get(node.id());
      if (type != null && type.role() == role && !names.add(Wiring.name(node))) {
        add(
            "node '" + node.id() + "'",
            "there is another " + word + " with the name '" + Wiring.name(node) + "'");
      }
    }
  }

  private void add(String place, String message) {
    problems.add(new Problem(place, message));
  }
}
