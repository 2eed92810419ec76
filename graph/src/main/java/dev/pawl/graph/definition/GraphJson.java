package dev.pawl.graph.definition;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.work.Retry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Graphs as JSON. The form is published as {@code docs/graph.schema.json}. */
final class GraphJson {
  private static final Set<String> OF_GRAPH =
      Set.of("$schema", "name", "description", "nodes", "edges");
  private static final Set<String> OF_NODE =
      Set.of("id", "type", "properties", "sync", "buffer", "retry", "title", "position");
  private static final Set<String> OF_EDGE =
      Set.of("source", "sourceHandle", "target", "targetHandle", "kind");
  private static final Set<String> OF_RETRY =
      Set.of("attempts", "wait", "factor", "cap", "jitter", "timeout");

  private final List<String> mistakes = new ArrayList<>();

  private GraphJson() {}

  /**
   * @throws PawlException that names every place where the text is not a graph
   */
  static Graph read(String text) {
    return new GraphJson().graph(Json.parse(text));
  }

  private Graph graph(Json json) {
    Map<String, @Nullable Object> members = Tree.object(json);
    if (!(Tree.read(json) instanceof Map)) {
      mistakes.add("a graph is an object with 'nodes' and 'edges'");
    }
    onlyKnown("the graph", members, OF_GRAPH);
    List<Node> nodes = new ArrayList<>();
    for (Object each : list("the graph", members, "nodes", true)) {
      nodes.add(node("node " + (nodes.size() + 1), each));
    }
    List<Edge> edges = new ArrayList<>();
    for (Object each : list("the graph", members, "edges", false)) {
      edges.add(edge("edge " + (edges.size() + 1), each));
    }
    String name = text("the graph", members, "name", "");
    if (!mistakes.isEmpty()) {
      throw PawlException.badInput("not a graph:\n  " + String.join("\n  ", mistakes));
    }
    return new Graph(name, nodes, edges);
  }

  private Node node(String nth, @Nullable Object value) {
    Map<String, @Nullable Object> members = members(nth, value);
    String id = text(nth, members, "id", null);
    String place = id.isEmpty() ? nth : "node '" + id + "'";
    onlyKnown(place, members, OF_NODE);
    Object properties = members.getOrDefault("properties", Map.of());
    if (!(properties instanceof Map)) {
      mistakes.add(place + ": 'properties' should be an object");
    }
    return new Node(
        id,
        text(place, members, "type", null),
        Tree.write(properties),
        word(place, members, "sync", Node.Sync.class, Node.Sync.ON_ANY),
        number(place, members, "buffer").map(Long::intValue),
        Optional.ofNullable(members.get("retry")).map(retry -> retry(place, retry)));
  }

  private Edge edge(String nth, @Nullable Object value) {
    Map<String, @Nullable Object> members = members(nth, value);
    onlyKnown(nth, members, OF_EDGE);
    return new Edge(
        text(nth, members, "source", null),
        text(nth, members, "sourceHandle", ""),
        text(nth, members, "target", null),
        text(nth, members, "targetHandle", ""),
        word(nth, members, "kind", Edge.Kind.class, Edge.Kind.DATA));
  }

  private Retry retry(String place, Object value) {
    Map<String, @Nullable Object> members = members(place + ": 'retry'", value);
    onlyKnown(place + ": 'retry'", members, OF_RETRY);
    try {
      Retry retry = Retry.exponential(number(place, members, "attempts").orElse(3L).intValue());
      Duration wait = duration(members, "wait", retry.initial());
      Duration cap = duration(members, "cap", retry.cap());
      double factor = members.get("factor") instanceof Number f ? f.doubleValue() : retry.factor();
      boolean jitter = !Boolean.FALSE.equals(members.get("jitter"));
      Optional<Duration> timeout =
          members.containsKey("timeout")
              ? Optional.of(Durations.parse(members.get("timeout")))
              : Optional.empty();
      return new Retry(
          retry.maxAttempts(),
          Retry.Curve.EXPONENTIAL,
          wait,
          factor,
          cap.compareTo(wait) < 0 ? wait : cap,
          jitter,
          timeout,
          List.of());
    } catch (PawlException e) {
      mistakes.add(place + ": 'retry': " + e.getMessage());
      return Retry.none();
    }
  }

  private static Duration duration(
      Map<String, @Nullable Object> members, String name, Duration absent) {
    return members.containsKey(name) ? Durations.parse(members.get(name)) : absent;
  }

  // ---- members ----

  @SuppressWarnings("unchecked")
  private Map<String, @Nullable Object> members(String place, @Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return (Map<String, @Nullable Object>) map;
    }
    mistakes.add(place + " should be an object");
    return Map.of();
  }

  private List<?> list(
      String place, Map<String, @Nullable Object> members, String name, boolean needed) {
    Object value = members.get(name);
    if (value instanceof List<?> list) {
      return list;
    }
    if (value != null || needed) {
      mistakes.add(place + ": '" + name + "' should be a list");
    }
    return List.of();
  }

  private String text(
      String place, Map<String, @Nullable Object> members, String name, @Nullable String absent) {
    Object value = members.get(name);
    if (value instanceof String text) {
      return text;
    }
    if (value == null && absent != null) {
      return absent;
    }
    mistakes.add(place + ": '" + name + "' should be a text");
    return "";
  }

  private Optional<Long> number(String place, Map<String, @Nullable Object> members, String name) {
    Object value = members.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (value instanceof Long number && number > 0 && number < 1_000_000) {
      return Optional.of(number);
    }
    mistakes.add(place + ": '" + name + "' should be a number from 1 to 999999");
    return Optional.empty();
  }

  private <E extends Enum<E>> E word(
      String place, Map<String, @Nullable Object> members, String name, Class<E> words, E absent) {
    Object value = members.get(name);
    if (value == null) {
      return absent;
    }
    for (E word : words.getEnumConstants()) {
      if (word(word).equals(value)) {
        return word;
      }
    }
    String known =
        java.util.Arrays.stream(words.getEnumConstants())
            .map(GraphJson::word)
            .collect(Collectors.joining(", "));
    mistakes.add(place + ": '" + name + "' should be one of " + known + ", not " + value);
    return absent;
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private void onlyKnown(String place, Map<String, @Nullable Object> members, Set<String> known) {
    for (String name : members.keySet()) {
      if (!known.contains(name)) {
        mistakes.add(
            place
                + " has a member '"
                + name
                + "' that means nothing; known are "
                + known.stream().sorted().collect(Collectors.joining(", ")));
      }
    }
  }

  // ---- writing ----

  static String write(Graph graph) {
    Map<String, @Nullable Object> out = new LinkedHashMap<>();
    if (!graph.name().isEmpty()) {
      out.put("name", graph.name());
    }
    out.put("nodes", graph.nodes().stream().map(GraphJson::written).toList());
    out.put("edges", graph.edges().stream().map(GraphJson::written).toList());
    return Tree.write(out).text();
  }

  private static Map<String, @Nullable Object> written(Node node) {
    Map<String, @Nullable Object> out = new LinkedHashMap<>();
    out.put("id", node.id());
    out.put("type", node.type());
    if (!node.properties().equals(Json.EMPTY_OBJECT)) {
      out.put("properties", node.properties());
    }
    if (node.sync() != Node.Sync.ON_ANY) {
      out.put("sync", word(node.sync()));
    }
    node.buffer().ifPresent(buffer -> out.put("buffer", buffer));
    node.retry().ifPresent(retry -> out.put("retry", written(retry)));
    return out;
  }

  private static Map<String, @Nullable Object> written(Retry retry) {
    Map<String, @Nullable Object> out = new LinkedHashMap<>();
    out.put("attempts", retry.maxAttempts());
    out.put("wait", retry.initial().toString());
    out.put("factor", retry.factor());
    out.put("cap", retry.cap().toString());
    out.put("jitter", retry.jitter());
    retry.timeout().ifPresent(limit -> out.put("timeout", limit.toString()));
    return out;
  }

  private static Map<String, @Nullable Object> written(Edge edge) {
    Map<String, @Nullable Object> out = new LinkedHashMap<>();
    out.put("source", edge.source());
    if (!edge.sourceHandle().isEmpty()) {
      out.put("sourceHandle", edge.sourceHandle());
    }
    out.put("target", edge.target());
    if (!edge.targetHandle().isEmpty()) {
      out.put("targetHandle", edge.targetHandle());
    }
    if (edge.kind() != Edge.Kind.DATA) {
      out.put("kind", word(edge.kind()));
    }
    return out;
  }
}
