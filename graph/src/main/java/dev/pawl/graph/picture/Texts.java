package dev.pawl.graph.picture;

import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.Node;
import dev.pawl.graph.fold.NodeSummary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Graphs in the languages of other tools. */
final class Texts {
  private Texts() {}

  static String mermaid(Picture picture) {
    StringBuilder out = new StringBuilder("flowchart LR\n");
    Map<String, String> names = new HashMap<>();
    for (Node node : picture.graph().nodes()) {
      String name = "n" + names.size();
      names.put(node.id(), name);
      Optional<NodeSummary> summary = picture.summary(node.id());
      List<String> said = Box.of(node, summary).said();
      String small = said.stream().skip(1).map(Texts::escaped).collect(Collectors.joining("<br/>"));
      String form =
          Box.isTrigger(node)
              ? "  %s([\"%s<br/><small>%s</small>\"])\n"
              : Box.isCall(node)
                  ? "  %s[[\"%s<br/><small>%s</small>\"]]\n"
                  : "  %s[\"%s<br/><small>%s</small>\"]\n";
      out.append(form.formatted(name, escaped(said.getFirst()), small));
      Colours colours = Colours.of(summary);
      out.append(
          "  style %s fill:%s,stroke:%s,color:#1f2733%s\n"
              .formatted(
                  name,
                  colours.fill(),
                  colours.border(),
                  colours.dashed() ? ",stroke-dasharray:4 3" : ""));
    }
    int number = 0;
    for (Edge edge : picture.graph().edges()) {
      String arrow = edge.kind() == Edge.Kind.DATA ? "-->" : "-.->";
      String label = label(picture.graph(), edge);
      out.append(
          "  %s %s%s %s\n"
              .formatted(
                  names.get(edge.source()),
                  arrow,
                  label.isEmpty() ? "" : "|\"" + escaped(label) + "\"|",
                  names.get(edge.target())));
      String colour = colour(picture, edge);
      if (!colour.equals(Colours.of(Edge.Kind.DATA))) {
        out.append("  linkStyle %d stroke:%s\n".formatted(number, colour));
      }
      number++;
    }
    return out.toString();
  }

  static String dot(Picture picture) {
    StringBuilder out =
        new StringBuilder(
            "digraph graph_ {\n  rankdir=LR;\n  bgcolor=white;\n  node [shape=box];\n");
    String title =
        picture.graph().name() + (picture.caption().isEmpty() ? "" : "\n" + picture.caption());
    out.append("  label=%s;\n  labelloc=t;\n".formatted(quoted(title)));
    for (Node node : picture.graph().nodes()) {
      Optional<NodeSummary> summary = picture.summary(node.id());
      Colours colours = Colours.of(summary);
      out.append(
          "  %s [label=%s, style=\"%sfilled%s\", fillcolor=\"%s\", color=\"%s\"%s%s];\n"
              .formatted(
                  quoted(node.id()),
                  quoted(String.join("\n", Box.of(node, summary).said())),
                  Box.isTrigger(node) ? "" : "rounded,",
                  colours.dashed() ? ",dashed" : "",
                  colours.fill(),
                  colours.border(),
                  Box.isTrigger(node) ? ", shape=oval" : "",
                  Box.isCall(node) ? ", peripheries=2" : ""));
    }
    for (Edge edge : picture.graph().edges()) {
      String colour = colour(picture, edge);
      out.append(
          "  %s -> %s [label=%s, color=\"%s\", fontcolor=\"%s\"%s];\n"
              .formatted(
                  quoted(edge.source()),
                  quoted(edge.target()),
                  quoted(label(picture.graph(), edge)),
                  colour,
                  colour,
                  edge.kind() == Edge.Kind.DATA ? "" : ", style=dashed"));
    }
    return out.append("}\n").toString();
  }

  private static String colour(Picture picture, Edge edge) {
    return picture.isUnused(edge) ? Svg.UNUSED : Colours.of(edge.kind());
  }

  /** What is written at an edge: where it leaves and where it arrives, if that is not plain. */
  private static String label(Graph graph, Edge edge) {
    String from = Port.from(graph, edge).label();
    String to = Port.to(graph, edge).label();
    return from.isEmpty() || to.isEmpty() || from.equals(to)
        ? (from.isEmpty() ? to : from)
        : from + " → " + to;
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
  }
}
