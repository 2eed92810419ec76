package dev.pawl.graph.picture;

import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where the nodes of a graph are drawn: in layers from left to right, so that every edge leads to a
 * later one, and within a layer so that few edges cross. An edge that skips layers has a place in
 * each of them, and so goes round the nodes there.
 */
final class Layout {
  private static final int SWEEPS = 12;
  private static final double COLUMN_GAP = 90;
  private static final double ROW_GAP = 26;
  static final double HEIGHT = 46;

  private final Graph graph;
  private final Map<String, Integer> layers = new LinkedHashMap<>();
  private final List<List<Spot>> columns = new ArrayList<>();
  private final Map<String, Spot> spots = new HashMap<>();
  private final Map<Edge, List<Spot>> ways = new LinkedHashMap<>();

  /** A place in a layer: a node, or where an edge passes by. */
  static final class Spot {
    final String node;
    final int layer;
    final double width;
    final double height;
    final List<Spot> before = new ArrayList<>();
    final List<Spot> after = new ArrayList<>();
    double x;
    double y;

    Spot(String node, int layer, double width, double height) {
      this.node = node;
      this.layer = layer;
      this.width = width;
      this.height = height;
    }

    double middle() {
      return y + height / 2;
    }

    boolean isNode() {
      return !node.isEmpty();
    }
  }

  Layout(Graph graph) {
    this.graph = graph;
    layer();
    place();
    route();
    order();
    coordinates();
  }

  Map<String, Spot> spots() {
    return spots;
  }

  /** The spots an edge goes through, from its source to its target. */
  Map<Edge, List<Spot>> ways() {
    return ways;
  }

  double width() {
    return spots.values().stream().mapToDouble(spot -> spot.x + spot.width).max().orElse(0);
  }

  double height() {
    return columns.stream()
        .flatMap(List::stream)
        .mapToDouble(spot -> spot.y + spot.height)
        .max()
        .orElse(0);
  }

  // ---- layers ----

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
  }

  private List<Edge> edges() {
    return graph.edges().stream()
        .filter(edge -> graph.node(edge.source()).isPresent())
        .filter(edge -> graph.node(edge.target()).isPresent())
        .toList();
  }

  private void place() {
    int count = layers.values().stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
    for (int i = 0; i < count; i++) {
      columns.add(new ArrayList<>());
    }
    for (Node node : graph.nodes()) {
      int layer = layers.getOrDefault(node.id(), 0);
      int letters = Math.max(node.id().length(), node.type().length());
      Spot spot = new Spot(node.id(), layer, Math.max(90, 8.0 * letters + 30), HEIGHT);
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
      for (int layer = from.layer + 1; layer < to.layer; layer++) {
        Spot pass = new Spot("", layer, 0, 8);
        columns.get(layer).add(pass);
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

  private Spot spot(String node) {
    return java.util.Objects.requireNonNull(spots.get(node));
  }

  // ---- order ----

  /** Puts each spot near the middle of its neighbours, forth and back, and keeps the best order. */
  private void order() {
    List<List<Spot>> best = copy();
    int fewest = crossings();
    for (int sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
      boolean forth = sweep % 2 == 0;
      for (int i = 0; i < columns.size(); i++) {
        List<Spot> column = columns.get(forth ? i : columns.size() - 1 - i);
        Map<Spot, Double> wanted = new HashMap<>();
        for (int row = 0; row < column.size(); row++) {
          Spot spot = column.get(row);
          wanted.put(spot, barycentre(forth ? spot.before : spot.after, row));
        }
        column.sort(java.util.Comparator.comparingDouble(spot -> wanted.getOrDefault(spot, 0.0)));
      }
      if (crossings() < fewest) {
        fewest = crossings();
        best = copy();
      }
    }
    for (int i = 0; i < columns.size(); i++) {
      columns.set(i, best.get(i));
    }
  }

  private double barycentre(List<Spot> neighbours, int otherwise) {
    return neighbours.stream()
        .mapToDouble(spot -> columns.get(spot.layer).indexOf(spot))
        .average()
        .orElse(otherwise);
  }

  private List<List<Spot>> copy() {
    List<List<Spot>> copy = new ArrayList<>();
    columns.forEach(column -> copy.add(new ArrayList<>(column)));
    return copy;
  }

  private int crossings() {
    int crossings = 0;
    for (int i = 0; i + 1 < columns.size(); i++) {
      List<int[]> steps = new ArrayList<>();
      for (int row = 0; row < columns.get(i).size(); row++) {
        for (Spot target : columns.get(i).get(row).after) {
          int there = columns.get(i + 1).indexOf(target);
          for (int[] other : steps) {
            crossings += other[0] < row && other[1] > there ? 1 : 0;
          }
          steps.add(new int[] {row, there});
        }
      }
    }
    return crossings;
  }

  // ---- coordinates ----

  private void coordinates() {
    double x = 0;
    for (List<Spot> column : columns) {
      double widest = column.stream().mapToDouble(spot -> spot.width).max().orElse(0);
      double y = 0;
      for (Spot spot : column) {
        spot.x = x + (widest - spot.width) / 2;
        spot.y = y;
        y += spot.height + ROW_GAP;
      }
      x += widest + COLUMN_GAP;
    }
    for (int i = 0; i < SWEEPS; i++) {
      boolean forth = i % 2 == 0;
      for (int c = 0; c < columns.size(); c++) {
        straighten(columns.get(forth ? c : columns.size() - 1 - c), forth);
      }
    }
    double top = columns.stream().flatMap(List::stream).mapToDouble(spot -> spot.y).min().orElse(0);
    Set<Spot> moved = new HashSet<>();
    columns.stream().flatMap(List::stream).filter(moved::add).forEach(spot -> spot.y -= top);
  }

  /** Moves spots towards their neighbours, as far as the order leaves room. */
  private static void straighten(List<Spot> column, boolean forth) {
    double[] wanted = new double[column.size()];
    for (int i = 0; i < wanted.length; i++) {
      Spot spot = column.get(i);
      wanted[i] =
          (forth ? spot.before : spot.after)
                  .stream().mapToDouble(Spot::middle).average().orElse(spot.middle())
              - spot.height / 2;
    }
    double[] down = new double[wanted.length];
    double[] up = new double[wanted.length];
    for (int i = 0; i < wanted.length; i++) {
      double least = i == 0 ? -1e9 : down[i - 1] + column.get(i - 1).height + ROW_GAP;
      down[i] = Math.max(wanted[i], least);
    }
    for (int i = wanted.length - 1; i >= 0; i--) {
      double most = i == wanted.length - 1 ? 1e9 : up[i + 1] - column.get(i).height - ROW_GAP;
      up[i] = Math.min(wanted[i], most);
    }
    for (int i = 0; i < wanted.length; i++) {
      column.get(i).y = (down[i] + up[i]) / 2;
    }
  }
}
