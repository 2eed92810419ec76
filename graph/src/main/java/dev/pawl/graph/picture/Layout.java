package dev.pawl.graph.picture;

import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Where everything of a graph is drawn. Between two columns there is room for what is written where
 * edges leave, for their curves, and for what is written where they arrive; elsewhere edges run
 * level. So no edge crosses a node or a text.
 */
final class Layout {
  private static final int SWEEPS = 16;
  private static final double PORT_GAP = 17;
  private static final double CURVES = 44;
  private static final double MORE_CURVES = 5;
  private static final double MOST_CURVES = 120;
  private static final double ARROW = 12;

  private final Graph graph;
  private final Map<String, Box> boxes;
  private final Map<Edge, Port> from = new LinkedHashMap<>();
  private final Map<Edge, Port> to = new LinkedHashMap<>();
  private final Columns columns;
  private final double[] left;
  private final double[] right;
  private final double[] leaving;
  private final double[] arriving;
  private final Map<Port, Double> leaves = new HashMap<>();
  private final Map<Port, Double> arrives = new HashMap<>();

  Layout(Graph graph, Map<String, Box> boxes) {
    this.graph = graph;
    this.boxes = boxes;
    for (Edge edge : graph.edges()) {
      from.put(edge, Port.from(graph, edge));
      to.put(edge, Port.to(graph, edge));
    }
    this.columns = new Columns(graph, this::spot);
    int count = columns.columns().size();
    this.left = new double[count];
    this.right = new double[count];
    this.leaving = new double[count];
    this.arriving = new double[count];
    across();
    down();
    ports();
  }

  private Spot spot(Node node, int column) {
    Box box = Objects.requireNonNull(boxes.get(node.id()));
    int ports = Math.max(ports(from, node.id()).size(), ports(to, node.id()).size());
    double height = Math.max(box.height(), ports * PORT_GAP + 8);
    return Spot.node(node.id(), column, box.width(), height);
  }

  private static Set<Port> ports(Map<Edge, Port> all, String node) {
    Set<Port> ports = new LinkedHashSet<>();
    all.values().stream().filter(port -> port.node().equals(node)).forEach(ports::add);
    return ports;
  }

  // ---- across ----

  private void across() {
    columns
        .ways()
        .forEach((edge, way) -> {
          widen(leaving, way.getFirst().column, from.get(edge));
          widen(arriving, way.getLast().column, to.get(edge));
        });
    double x = 0;
    for (int i = 0; i < left.length; i++) {
      List<Spot> column = columns.columns().get(i);
      left[i] = x + (i == 0 ? 0 : arriving[i]);
      right[i] = left[i] + column.stream().mapToDouble(spot -> spot.width).max().orElse(0);
      int edges = column.stream().mapToInt(spot -> spot.after.size()).sum();
      x = right[i] + leaving[i] + Math.min(MOST_CURVES, CURVES + MORE_CURVES * edges);
    }
  }

  private static void widen(
      double[] zones, int column, @org.jspecify.annotations.Nullable Port port) {
    zones[column] = Math.max(zones[column], ARROW + (port == null ? 0 : port.width()));
  }

  // ---- down ----

  private void down() {
    for (List<Spot> column : columns.columns()) {
      for (int i = 1; i < column.size(); i++) {
        Spot above = column.get(i - 1);
        column.get(i).y = above.y + above.height + above.gap(column.get(i));
      }
    }
    for (int i = 0; i < SWEEPS; i++) {
      boolean forth = i % 2 == 0;
      for (int c = 0; c < left.length; c++) {
        straighten(columns.columns().get(forth ? c : left.length - 1 - c), forth);
      }
    }
    double top = all().stream().mapToDouble(spot -> spot.y).min().orElse(0);
    all().forEach(spot -> spot.y -= top);
  }

  private List<Spot> all() {
    return columns.columns().stream().flatMap(List::stream).toList();
  }

  /** Moves spots towards their neighbours, as far as the order leaves room. */
  private static void straighten(List<Spot> column, boolean forth) {
    int count = column.size();
    double[] wanted = new double[count];
    for (int i = 0; i < count; i++) {
      Spot spot = column.get(i);
      wanted[i] =
          (forth ? spot.before : spot.after)
                  .stream().mapToDouble(Spot::middle).average().orElse(spot.middle())
              - spot.height / 2;
    }
    double[] down = new double[count];
    double[] up = new double[count];
    for (int i = 0; i < count; i++) {
      Spot above = i == 0 ? null : column.get(i - 1);
      double least = above == null ? -1e9 : down[i - 1] + above.height + above.gap(column.get(i));
      down[i] = Math.max(wanted[i], least);
    }
    for (int i = count - 1; i >= 0; i--) {
      Spot spot = column.get(i);
      double most = i == count - 1 ? 1e9 : up[i + 1] - spot.height - spot.gap(column.get(i + 1));
      up[i] = Math.min(wanted[i], most);
    }
    for (int i = 0; i < count; i++) {
      column.get(i).y = (down[i] + up[i]) / 2;
    }
  }

  // ---- ports ----

  /** Ports stand in the order of where their edges come from or go to. */
  private void ports() {
    for (Node node : graph.nodes()) {
      spread(from, leaves, node.id(), way -> way.get(1).middle());
      spread(to, arrives, node.id(), way -> way.get(way.size() - 2).middle());
    }
  }

  private void spread(
      Map<Edge, Port> ends,
      Map<Port, Double> heights,
      String node,
      ToDoubleFunction<List<Spot>> other) {
    Map<Port, Double> wanted = new HashMap<>();
    for (Port port : ports(ends, node)) {
      wanted.put(
          port,
          columns.ways().entrySet().stream()
              .filter(way -> port.equals(ends.get(way.getKey())))
              .mapToDouble(way -> other.applyAsDouble(way.getValue()))
              .average()
              .orElse(0));
    }
    List<Port> ordered = new ArrayList<>(wanted.keySet());
    ordered.sort(
        Comparator.<Port>comparingDouble(port -> wanted.getOrDefault(port, 0.0))
            .thenComparing(Port::handle)
            .thenComparing(Port::kind));
    Spot spot = columns.spot(node);
    double gap = Math.max(PORT_GAP, spot.height / (ordered.size() + 1));
    gap = ordered.size() < 2 ? 0 : Math.min(gap, (spot.height - 12) / (ordered.size() - 1));
    for (int i = 0; i < ordered.size(); i++) {
      heights.put(ordered.get(i), spot.middle() + (i - (ordered.size() - 1) / 2.0) * gap);
    }
  }

  // ---- what came of it ----

  double width() {
    return right.length == 0 ? 0 : right[right.length - 1];
  }

  double height() {
    return all().stream().mapToDouble(spot -> spot.y + spot.height).max().orElse(0);
  }

  /** Where the box of a node is: x, y, width, height. */
  double[] box(String node) {
    Spot spot = columns.spot(node);
    double x = left[spot.column];
    return new double[] {x, spot.y, right[spot.column] - x, spot.height};
  }

  /** The ports of edges that leave, with their heights. */
  Map<Port, Double> leaves() {
    return leaves;
  }

  Map<Port, Double> arrives() {
    return arrives;
  }

  /** The edges that are drawn. */
  Set<Edge> edges() {
    return columns.ways().keySet();
  }

  /**
   * The level pieces of an edge, each as the x where it begins, its y, and the x where it ends;
   * between them it curves.
   */
  List<double[]> pieces(Edge edge) {
    List<Spot> way = Objects.requireNonNull(columns.ways().get(edge));
    List<double[]> pieces = new ArrayList<>();
    int first = way.getFirst().column;
    double out = leaves.getOrDefault(Objects.requireNonNull(from.get(edge)), 0.0);
    pieces.add(new double[] {right[first], out, right[first] + leaving[first]});
    for (Spot pass : way.subList(1, way.size() - 1)) {
      int column = pass.column;
      pieces.add(
          new double[] {
            left[column] - arriving[column], pass.middle(), right[column] + leaving[column]
          });
    }
    int last = way.getLast().column;
    double in = arrives.getOrDefault(Objects.requireNonNull(to.get(edge)), 0.0);
    pieces.add(new double[] {left[last] - arriving[last], in, left[last]});
    return pieces;
  }
}
