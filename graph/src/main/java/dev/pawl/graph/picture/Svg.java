package dev.pawl.graph.picture;

import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.definition.Node;
import dev.pawl.graph.fold.NodeSummary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Draws a graph as SVG, for browsers and documents, on a background of its own. */
final class Svg {
  private static final double MARGIN = 24;
  private static final double LEAST_WIDTH = 360;
  private static final double LEGEND_ROW = 24;
  private static final String INK = "#1f2733";
  private static final String FAINT = "#5b6673";
  static final String UNUSED = "#c3cad2";

  private final Picture picture;
  private final Map<String, Box> boxes = new LinkedHashMap<>();
  private final Layout layout;
  private final StringBuilder out = new StringBuilder();

  Svg(Picture picture) {
    this.picture = picture;
    for (Node node : picture.graph().nodes()) {
      boxes.put(node.id(), Box.of(node, picture.summary(node.id())));
    }
    this.layout = new Layout(picture.graph(), boxes);
  }

  String draw() {
    String name = picture.graph().name();
    double titled = name.isEmpty() ? 0 : 26;
    double top = MARGIN + titled + (picture.caption().isEmpty() ? 0 : 20);
    double width = Math.max(LEAST_WIDTH, layout.width() + 2 * MARGIN);
    Legend legend = Legend.of(picture, width - 2 * MARGIN);
    double height = top + layout.height() + legend.rows() * LEGEND_ROW + MARGIN * 1.5;
    begin(width, height);
    if (!name.isEmpty()) {
      text(MARGIN, MARGIN + 10, 17, INK, " font-weight=\"600\"", fit(name, 17, true, width));
    }
    if (!picture.caption().isEmpty()) {
      text(MARGIN, MARGIN + titled + 6, 12, FAINT, "", fit(picture.caption(), 12, false, width));
    }
    add("<g transform=\"translate(%.0f %.0f)\">", MARGIN, top);
    layout.edges().stream().filter(picture::isUnused).forEach(this::edge);
    layout.edges().stream().filter(edge -> !picture.isUnused(edge)).forEach(this::edge);
    picture.graph().nodes().forEach(this::node);
    layout.leaves().forEach((port, y) -> label(port, y, true));
    layout.arrives().forEach((port, y) -> label(port, y, false));
    add("</g>");
    legend.items().forEach(item -> item(item, top + layout.height() + MARGIN));
    return out.append("</svg>\n").toString();
  }

  private static String fit(String text, double size, boolean bold, double width) {
    return Lettering.fit(text, size, bold, width - 2 * MARGIN);
  }

  private void begin(double width, double height) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\""
            + " height=\"%.0f\" font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\">",
        width, height, width, height);
    add("<defs>");
    for (Edge.Kind kind : Edge.Kind.values()) {
      marker(kind.name().toLowerCase(Locale.ROOT), Colours.of(kind));
    }
    marker("unused", UNUSED);
    add("</defs>");
    add("<rect width=\"100%%\" height=\"100%%\" rx=\"10\" fill=\"#ffffff\"/>");
  }

  private void marker(String name, String colour) {
    add(
        "<marker id=\"%s\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\""
            + " markerHeight=\"7\" orient=\"auto\"><path d=\"M 0 1 L 10 5 L 0 9 z\""
            + " fill=\"%s\"/></marker>",
        name, colour);
  }

  // ---- edges ----

  private void edge(Edge edge) {
    boolean unused = picture.isUnused(edge);
    add(
        "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"%s"
            + " marker-end=\"url(#%s)\"><title>%s</title></path>",
        path(layout.pieces(edge)),
        unused ? UNUSED : Colours.of(edge.kind()),
        dash(edge.kind()),
        unused ? "unused" : edge.kind().name().toLowerCase(Locale.ROOT),
        Texts.escaped(edge.id()));
  }

  private static String path(List<double[]> pieces) {
    StringBuilder path = new StringBuilder();
    double fromX = 0;
    double fromY = 0;
    for (double[] piece : pieces) {
      double x = piece[0];
      double y = piece[1];
      double bend = Math.max(14, (x - fromX) / 2);
      path.append(
          path.isEmpty()
              ? format("M %.1f %.1f", x, y)
              : format(" C %.1f %.1f %.1f %.1f %.1f %.1f", fromX + bend, fromY, x - bend, y, x, y));
      path.append(format(" H %.1f", piece[2]));
      fromX = piece[2];
      fromY = y;
    }
    return path.toString();
  }

  private static String dash(Edge.Kind kind) {
    return switch (kind) {
      case DATA -> "";
      case CONTROL -> " stroke-dasharray=\"2 4\"";
      case ERROR -> " stroke-dasharray=\"6 4\"";
    };
  }

  private void label(Port port, double y, boolean leaves) {
    if (port.label().isEmpty()) {
      return;
    }
    double[] box = layout.box(port.node());
    String colour = port.kind() == Edge.Kind.DATA ? FAINT : Colours.of(port.kind());
    double x = leaves ? box[0] + box[2] + 5 : box[0] - 12;
    String anchor = leaves ? "" : " text-anchor=\"end\"";
    text(x, y - 4, Port.SIZE, colour, anchor, port.label());
  }

  // ---- nodes ----

  private void node(Node node) {
    Optional<NodeSummary> summary = picture.summary(node.id());
    Colours colours = Colours.of(summary);
    Box box = boxes.getOrDefault(node.id(), Box.of(node, summary));
    double[] at = layout.box(node.id());
    add("<g><title>%s</title>", Texts.escaped(String.join("\n", box.said())));
    double round = Box.isTrigger(node) ? at[3] / 2 : 8;
    frame(at, 0, round, colours);
    if (Box.isCall(node)) {
      frame(at, 3, 6, new Colours("none", colours.border(), colours.text(), false));
    }
    double top = at[1] + (at[3] - box.height()) / 2;
    for (int i = 0; i < box.lines().size(); i++) {
      Box.Line line = box.lines().get(i);
      String colour =
          switch (line.role()) {
            case NAME -> INK;
            case TYPE -> FAINT;
            case STATE -> colours.text();
            case ERROR -> Colours.of(NodeSummary.State.FAILED).text();
          };
      String style = " text-anchor=\"middle\"" + (line.bold() ? " font-weight=\"600\"" : "");
      text(at[0] + at[2] / 2, top + Box.baseline(i), line.size(), colour, style, line.text());
    }
    add("</g>");
  }

  private void frame(double[] at, double inset, double round, Colours colours) {
    add(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\" fill=\"%s\""
            + " stroke=\"%s\" stroke-width=\"%s\"%s/>",
        at[0] + inset,
        at[1] + inset,
        at[2] - 2 * inset,
        at[3] - 2 * inset,
        round,
        colours.fill(),
        colours.border(),
        inset > 0 ? "0.7" : "1.5",
        colours.dashed() ? " stroke-dasharray=\"4 3\"" : "");
  }

  // ---- legend ----

  private void item(Legend.Item item, double top) {
    double x = MARGIN + item.x();
    double y = top + item.row() * LEGEND_ROW;
    switch (item.what()) {
      case Legend.Sign.OfState of ->
          frame(new double[] {x, y, Legend.SIGN, 14}, 0, 4, Colours.of(of.state()));
      case Legend.Sign.OfEdge of ->
          add(
              "<path d=\"M %.1f %.1f H %.1f\" stroke=\"%s\" stroke-width=\"1.5\"%s/>",
              x, y + 7, x + Legend.SIGN, Colours.of(of.kind()), dash(of.kind()));
    }
    text(x + Legend.SIGN + 6, y + 11, Legend.SIZE, FAINT, "", item.text());
  }

  // ---- writing ----

  private void text(double x, double y, double size, String colour, String style, String content) {
    add(
        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\" fill=\"%s\"%s>%s</text>",
        x, y, size, colour, style, Texts.escaped(content));
  }

  @SuppressWarnings("AnnotateFormatMethod") // The annotation is in a library we do not have.
  private void add(String form, Object... values) {
    out.append(format(form, values)).append('\n');
  }

  @SuppressWarnings("AnnotateFormatMethod") // As above.
  private static String format(String form, Object... values) {
    return String.format(Locale.ROOT, form, values);
  }
}
