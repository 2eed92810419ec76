package dev.pawl.graph.picture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.GraphBuilder;
import dev.pawl.graph.definition.Node;
import dev.pawl.graph.fold.Projection;
import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.NodeEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PictureTest {
  private static final Graph CHOICE =
      Graph.named("choice")
          .node("ask", "trigger.manual")
          .node("route", "switch", Map.of("cases", List.of("yes")))
          .node("ship", "task", Map.of("type", "shop.ship.v1"))
          .node("decline", "template")
          .node("sorry", "template")
          .node("off", "constant")
          .edge("ask.value", "route.on")
          .edge("route.yes", "ship.input")
          .edge("route.default", "decline.order")
          .error("ship", "sorry.why")
          .control("off.value", "decline")
          .build();

  private final List<Entry> log = new ArrayList<>();

  private void happened(Event... events) {
    for (Event event : events) {
      log.add(new Entry(log.size() + 1, Instant.EPOCH.plusMillis(log.size()), 1, event));
    }
  }

  private Picture picture() {
    return Picture.of(CHOICE, Projection.of(log), "run 17");
  }

  private static Json json(String text) {
    return Json.parse(text.replace('\'', '"'));
  }

  private static NodeEvent started(String node) {
    return new NodeEvent.Started(node, 1, Json.NULL);
  }

  private static NodeEvent completed(String node, String outputs) {
    return new NodeEvent.Completed(node, 1, json(outputs), 7);
  }

  private void asked() {
    happened(new NodeEvent.TriggerRegistered("ask", "trigger.manual", json("{}")));
  }

  private void chosen() {
    asked();
    happened(
        new NodeEvent.TriggerInput("ask", "1", json("'yes'"), "1", true),
        started("ask"),
        completed("ask", "{'value':{'value':'yes'}}"),
        started("route"),
        completed("route", "{'yes':{'value':1}}"));
  }

  @Test
  void edgesTellTheHandlesOfASwitchAndWhatTheyAre() {
    assertThat(Picture.of(CHOICE).svg())
        .contains(">yes</text>", ">default</text>", ">error</text>", ">control</text>")
        .contains("task shop.ship.v1", "error: taken when its source fails")
        .doesNotContain("waiting");
    assertThat(Picture.of(CHOICE).mermaid())
        .contains("|\"yes\"|", "|\"default", "-.->|\"error\"|", "([\"ask", "[[\"ship");
    assertThat(Picture.of(CHOICE).dot()).contains("label=\"yes\"", "label=\"error\"");
  }

  @Test
  void aTriggerThatWaitsForTheOutsideIsNotLikeANodeThatWaitsForOthers() {
    asked();
    assertThat(picture().svg())
        .contains(">listening</text>", ">waiting</text>", "waits for the outside", "run 17");
    assertThat(picture().mermaid()).contains("listening", "waiting");
  }

  @Test
  void theBranchNotTakenIsNotLikeOneThatWorked() {
    chosen();
    happened(started("decline"), completed("decline", "{}"), started("ship"));
    String svg = picture().svg();
    assertThat(svg)
        .contains(">skipped</text>", "completed · 1 in, 1 out · 7 ms", ">started · 1 in</text>")
        .contains("url(#unused)");
  }

  @Test
  void whatFailedSaysWhyAndWhatComesAfterItIsVoid() {
    chosen();
    Failure failure = Failure.of("BROKEN", "the lorry is \"broken\" & <gone>");
    happened(
        started("ship"),
        new NodeEvent.Failed("ship", 1, failure, Optional.empty()),
        new Event.Failed(failure));
    assertThat(picture().svg())
        .contains("failed · 1 in", "BROKEN: the lorry", "&amp; &lt;gone&gt;", ">void</text>");
    assertThat(picture().dot()).contains("BROKEN: the lorry is \\\"broken\\\"");
  }

  // ---- nothing overlaps ----

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void nothingOverlaps(long seed) {
    Graph graph = random(new Random(seed));
    Map<String, Box> boxes = new LinkedHashMap<>();
    graph.nodes().forEach(node -> boxes.put(node.id(), Box.of(node, Optional.empty())));
    Layout layout = new Layout(graph, boxes);

    List<Area> nodes = graph.nodes().stream().map(node -> area(layout, node)).toList();
    List<Area> texts = new ArrayList<>();
    layout.leaves().forEach((port, y) -> texts.addAll(text(layout, port, y, true)));
    layout.arrives().forEach((port, y) -> texts.addAll(text(layout, port, y, false)));
    assertThat(overlaps(nodes)).as("boxes over boxes").isEmpty();
    assertThat(overlaps(texts)).as("texts over texts").isEmpty();
    assertThat(texts.stream().filter(text -> nodes.stream().anyMatch(text::overlaps)))
        .as("texts over boxes")
        .isEmpty();
    for (Edge edge : layout.edges()) {
      List<double[]> pieces = layout.pieces(edge);
      for (double[] piece : pieces) {
        Area line = new Area(edge.id(), piece[0], piece[1] - 0.5, piece[2], piece[1] + 0.5);
        assertThat(nodes.stream().filter(line::overlaps)).as(edge.id()).isEmpty();
        assertThat(texts.stream().filter(line::overlaps)).as(edge.id()).isEmpty();
      }
      for (int i = 1; i < pieces.size(); i++) {
        Area curve = new Area(edge.id(), pieces.get(i - 1)[2], -1e6, pieces.get(i)[0], 1e6);
        assertThat(nodes.stream().filter(curve::overlaps)).as(edge.id()).isEmpty();
        assertThat(texts.stream().filter(curve::overlaps)).as(edge.id()).isEmpty();
      }
    }
    boxes.forEach(
        (node, box) -> assertThat(box.lines()).allMatch(line -> line.width() < box.width()));
  }

  private static Graph random(Random random) {
    GraphBuilder builder = Graph.named("random");
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      String id = "n".repeat(1 + random.nextInt(60)) + i;
      ids.add(id);
      builder.node(id, "expression");
    }
    Set<String> made = new HashSet<>();
    for (int i = 1; i < 30; i++) {
      for (int k = random.nextInt(4); k > 0; k--) {
        String from = ids.get(random.nextInt(i)) + ".out-" + random.nextInt(3);
        String to = ids.get(i) + ".in-" + random.nextInt(3);
        if (made.add(from + to)) {
          builder.edge(from, to);
        }
      }
    }
    return builder.build();
  }

  private record Area(String what, double left, double top, double right, double bottom) {
    boolean overlaps(Area other) {
      return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
  }

  private static Area area(Layout layout, Node node) {
    double[] box = layout.box(node.id());
    return new Area(node.id(), box[0], box[1], box[0] + box[2], box[1] + box[3]);
  }

  private static List<Area> text(Layout layout, Port port, double y, boolean leaves) {
    if (port.label().isEmpty()) {
      return List.of();
    }
    double[] box = layout.box(port.node());
    double width = Lettering.width(port.label(), Port.SIZE, false);
    double x = leaves ? box[0] + box[2] + 5 : box[0] - 12 - width;
    return List.of(new Area(port.toString(), x, y - 4 - Port.SIZE, x + width, y - 2));
  }

  private static List<String> overlaps(List<Area> areas) {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < areas.size(); i++) {
      for (int k = 0; k < i; k++) {
        if (areas.get(i).overlaps(areas.get(k))) {
          found.add(areas.get(i) + " " + areas.get(k));
        }
      }
    }
    return found;
  }
}
