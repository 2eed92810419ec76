package dev.pawl.graph.picture;

import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * The nodes of a graph in columns, so that every edge leads to a later one, and within a column in
 * an order in which few edges cross. An edge that skips columns has a spot in each of them, and so
 * goes round the nodes there.
 */
final class Columns {
  private static final int SWEEPS = 24;

  private final Graph graph;
  private final Map<String, Integer> layers = new LinkedHashMap<>();
  private final List<List<Spot>> columns = new ArrayList<>();
  private final Map<String, Spot> spots = new HashMap<>();
  private final Map<Edge, List<Spot>> ways = new LinkedHashMap<>();

  /**
   * Orders a graph.
   *
   * @param make makes the spot of a node, in the column it is given
   */
  Columns(Graph graph, java.util.function.BiFunction<Node, Integer, Spot> make) {
    this.graph = graph;
    layer();
    place(make);
    route();
    order();
  }

  List<List<Spot>> columns() {
    return columns;
  }

  Spot spot(String node) {
    return Objects.requireNonNull(spots.get(node));
  }

  /** The spots an edge goes through, from its source to its target. */
  Map<Edge, List<Spot>> ways() {
    return ways;
  }

  // ---- columns ----

  /**
   * A node stands right of everything that leads to it; edges that would lead back are left out.
   */
  private void layer() {
    Map<String, List<String>> next = new HashMap<>();
    Map<String, Integer> missing = new HashMap<>();
    graph.nodes().forEach(node -> missing.put(node.id(), 0));
    for (Edge edge : edges()) {
      next.computeIfAbsent(edge.source(), id -> new ArrayList<>()).add(edge.target());
      missing.merge(edge.target(), 1, Integer::sum);
    }
    List<String> ready = new ArrayList<>();
    graph.nodes().stream()
        .map(Node::id)
        .filter(id -> missing.getOrDefault(id, 0) == 0)
        .forEach(ready::add);
    ready.forEach(id -> layers.put(id, 0));
    for (int i = 0; i < ready.size(); i++) {
      String id = ready.get(i);
      for (String target : next.getOrDefault(id, List.of())) {
        layers.merge(target, layers.getOrDefault(id, 0) + 1, Math::max);
        if (missing.merge(target, -1, Integer::sum) == 0) {
          ready.add(target);
        }
      }
    }
    graph.nodes().forEach(node -> layers.putIfAbsent(node.id(), 0));
    pull(ready, next);
  }

  /** What nothing leads to stands right before what it leads to, not far away at the left. */
  private void pull(List<String> ready, Map<String, List<String>> next) {
    for (String id : ready.reversed()) {
      boolean source = edges().stream().noneMatch(edge -> edge.target().equals(id));
      if (source) {
        next.getOrDefault(id, List.of()).stream()
            .mapToInt(target -> layers.getOrDefault(target, 0))
            .min()
            .ifPresent(nearest -> layers.put(id, Math.max(0, nearest - 1)));
      }
    }
  }

  private List<Edge> edges() {
    return graph.edges().stream()
        .filter(edge -> graph.node(edge.source()).isPresent())
        .filter(edge -> graph.node(edge.target()).isPresent())
        .toList();
  }

  private void place(java.util.function.BiFunction<Node, Integer, Spot> make) {
    int count = layers.values().stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
    for (int i = 0; i < count; i++) {
      columns.add(new ArrayList<>());
    }
    for (Node node : graph.nodes()) {
      int layer = layers.getOrDefault(node.id(), 0);
      Spot spot = make.apply(node, layer);
      spots.put(node.id(), spot);
      columns.get(layer).add(spot);
    }
  }

  private void route() {
    for (Edge edge : edges()) {
      List<Spot> way = new ArrayList<>();
      Spot from = spot(edge.source());
      Spot to = spot(edge.target());
      way.add(from);
      for (int column = from.column + 1; column < to.column; column++) {
        Spot pass = Spot.pass(column);
        columns.get(column).add(pass);
        way.add(pass);
      }
      way.add(to);
      for (int i = 1; i < way.size(); i++) {
        way.get(i - 1).after.add(way.get(i));
        way.get(i).before.add(way.get(i - 1));
      }
      ways.put(edge, way);
    }
  }

  // ---- order ----

  /** Puts each spot near the middle of its neighbours, forth and back, and keeps the best order. */
  private void order() {
    List<List<Spot>> best = copy();
    int fewest = crossings();
    for (int sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
      boolean forth = sweep % 2 == 0;
      for (int i = 0; i < columns.size(); i++) {
        sort(forth ? i : columns.size() - 1 - i, forth ? spot -> spot.before : spot -> spot.after);
      }
      swap();
      int crossings = crossings();
      if (crossings < fewest) {
        fewest = crossings;
        best = copy();
      }
    }
    for (int i = 0; i < columns.size(); i++) {
      columns.set(i, best.get(i));
    }
  }

  private void sort(int number, Function<Spot, List<Spot>> neighbours) {
    List<Spot> column = columns.get(number);
    Map<Spot, Double> wanted = new HashMap<>();
    for (int row = 0; row < column.size(); row++) {
      wanted.put(column.get(row), barycentre(neighbours.apply(column.get(row)), row));
    }
    column.sort(Comparator.comparingDouble(spot -> wanted.getOrDefault(spot, 0.0)));
  }

  private double barycentre(List<Spot> neighbours, int otherwise) {
    return neighbours.stream()
        .mapToDouble(spot -> columns.get(spot.column).indexOf(spot))
        .average()
        .orElse(otherwise);
  }

  /** Swaps neighbours in a column where that saves crossings. */
  private void swap() {
    for (int number = 0; number < columns.size(); number++) {
      List<Spot> column = columns.get(number);
      for (int row = 0; row + 1 < column.size(); row++) {
        int before = around(number);
        java.util.Collections.swap(column, row, row + 1);
        if (around(number) >= before) {
          java.util.Collections.swap(column, row, row + 1);
        }
      }
    }
  }

  private int around(int number) {
    return (number > 0 ? crossings(number - 1) : 0)
        + (number + 1 < columns.size() ? crossings(number) : 0);
  }

  private List<List<Spot>> copy() {
    List<List<Spot>> copy = new ArrayList<>();
    columns.forEach(column -> copy.add(new ArrayList<>(column)));
    return copy;
  }

  private int crossings() {
    int crossings = 0;
    for (int number = 0; number + 1 < columns.size(); number++) {
      crossings += crossings(number);
    }
    return crossings;
  }

  /** How many edges cross between a column and the next. */
  private int crossings(int number) {
    Map<Spot, Integer> rows = new HashMap<>();
    columns.get(number + 1).forEach(spot -> rows.put(spot, rows.size()));
    int crossings = 0;
    List<int[]> steps = new ArrayList<>();
    for (int row = 0; row < columns.get(number).size(); row++) {
      for (Spot target : columns.get(number).get(row).after) {
        int there = rows.getOrDefault(target, 0);
        for (int[] other : steps) {
          crossings += other[0] < row && other[1] > there ? 1 : 0;
        }
        steps.add(new int[] {row, there});
      }
    }
    return crossings;
  }
}
