package dev.pawl.graph.check;

import dev.pawl.graph.definition.Edge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Looks for a way along the edges that leads back to where it began. */
final class Cycle {
  private final Map<String, List<String>> next = new HashMap<>();
  private final Map<String, Boolean> open = new HashMap<>();

  private Cycle() {}

  /** The nodes of a cycle in order, the first one again at the end. */
  static Optional<List<String>> find(Set<String> nodes, List<Edge> edges) {
    Cycle cycle = new Cycle();
    for (Edge edge : edges) {
      cycle.next.computeIfAbsent(edge.source(), id -> new ArrayList<>()).add(edge.target());
    }
    return nodes.stream().flatMap(node -> cycle.from(node).stream()).findFirst();
  }

  /** Goes along the edges without recursion: a chain may be thousands of nodes long. */
  private Optional<List<String>> from(String start) {
    if (open.containsKey(start)) {
      return Optional.empty();
    }
    Deque<String> path = new ArrayDeque<>();
    Deque<Iterator<String>> ways = new ArrayDeque<>();
    enter(start, path, ways);
    while (!path.isEmpty()) {
      Iterator<String> way = ways.getLast();
      if (!way.hasNext()) {
        open.put(path.removeLast(), false);
        ways.removeLast();
        continue;
      }
      String node = way.next();
      if (open.getOrDefault(node, false)) {
        List<String> circle = new ArrayList<>(path);
        circle = circle.subList(circle.indexOf(node), circle.size());
        circle.add(node);
        return Optional.of(List.copyOf(circle));
      }
      if (!open.containsKey(node)) {
        enter(node, path, ways);
      }
    }
    return Optional.empty();
  }

  private void enter(String node, Deque<String> path, Deque<Iterator<String>> ways) {
    open.put(node, true);
    path.addLast(node);
    ways.addLast(next.getOrDefault(node, List.of()).iterator());
  }
}
