package dev.pawl.graph.picture;

import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.definition.Node;
import java.util.List;
import java.util.Locale;

/** Draws a graph as SVG, for browsers and documents. */
final class Svg {
  private static final double MARGIN = 24;
  private static final double TITLE = 34;

  private final Picture picture;
  private final Layout layout;
  private final StringBuilder out = new StringBuilder();

  Svg(Picture picture) {
    this.picture = picture;
    this.layout = new Layout(picture.graph());
  }

  String draw() {
    double top = MARGIN + (picture.graph().name().isEmpty() ? 0 : TITLE);
    double width = layout.width() + 2 * MARGIN;
    double height = layout.height() + top + MARGIN;
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\""
            + " height=\"%.0f\" font-family=\"system-ui, sans-serif\">",
        width, height, width, height);
    out.append(
        """
        <defs>
          <marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
            <path d="M 0 1 L 10 5 L 0 9 z" fill="context-stroke"/>
          </marker>
        </defs>
        """);
    add("<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>");
    if (!picture.graph().name().isEmpty()) {
      add(
          "<text x=\"%.0f\" y=\"%.0f\" font-size=\"17\" font-weight=\"600\""
              + " fill=\"#1f2733\">%s</text>",
          MARGIN, MARGIN + 12, Texts.escaped(picture.graph().name()));
    }
    add("<g transform=\"translate(%.0f %.0f)\">", MARGIN, top);
    layout.ways().forEach(this::edge);
    picture.graph().nodes().forEach(this::node);
    return out.append("</g>\n</svg>\n").toString();
  }

  private void edge(Edge edge, List<Layout.Spot> way) {
    StringBuilder path = new StringBuilder();
    Layout.Spot from = way.get(0);
    double x = from.x + from.width;
    double y = from.middle();
    path.append(format("M %.1f %.1f", x, y));
    for (int i = 1; i < way.size(); i++) {
      Layout.Spot to = way.get(i);
      double bend = Math.max(24, (to.x - x) / 2);
      path.append(
          format(
              " C %.1f %.1f %.1f %.1f %.1f %.1f",
              x + bend, y, to.x - bend, to.middle(), to.x, to.middle()));
      x = to.x + to.width;
      y = to.middle();
    }
    String colour =
        switch (edge.kind()) {
          case DATA -> "#7b8794";
          case CONTROL -> "#7a4fc9";
          case ERROR -> "#c0312b";
        };
    String dash = edge.kind() == Edge.Kind.DATA ? "" : " stroke-dasharray=\"5 4\"";
    add(
        "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"%s"
            + " marker-end=\"url(#arrow)\"><title>%s</title></path>",
        path, colour, dash, Texts.escaped(edge.id()));
  }

  private void node(Node node) {
    Layout.Spot spot = layout.spots().get(node.id());
    if (spot == null) {
      return;
    }
    var state = picture.state(node.id());
    String[] colours = Picture.colours(state);
    String told = state.map(status -> status.name().toLowerCase(Locale.ROOT)).orElse("");
    add(
        "<g><title>%s (%s)%s</title>",
        Texts.escaped(node.id()), Texts.escaped(node.type()), told.isEmpty() ? "" : ": " + told);
    add(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"8\" fill=\"%s\""
            + " stroke=\"%s\" stroke-width=\"1.5\"/>",
        spot.x, spot.y, spot.width, spot.height, colours[0], colours[1]);
    add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"13\" font-weight=\"600\""
            + " fill=\"#1f2733\">%s</text>",
        spot.x + spot.width / 2, spot.y + 20, Texts.escaped(node.id()));
    add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"11\""
            + " fill=\"#5b6673\">%s</text></g>",
        spot.x + spot.width / 2, spot.y + 36, Texts.escaped(node.type()));
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
