package dev.pawl.graph.picture;

import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.definition.Node;
import java.util.HashMap;
import java.util.Map;

/** Graphs in the languages of other tools. */
final class Texts {
  private Texts() {}

  static String mermaid(Picture picture) {
    StringBuilder out = new StringBuilder("flowchart LR\n");
    Map<String, String> names = new HashMap<>();
    for (Node node : picture.graph().nodes()) {
      String name = "n" + names.size();
      names.put(node.id(), name);
      out.append(
          "  %s[\"%s<br/><small>%s</small>\"]\n"
              .formatted(name, escaped(node.id()), escaped(node.type())));
      String[] colours = Picture.colours(picture.state(node.id()));
      out.append("  style %s fill:%s,stroke:%s\n".formatted(name, colours[0], colours[1]));
    }
    for (Edge edge : picture.graph().edges()) {
      String arrow = edge.kind() == Edge.Kind.DATA ? "-->" : "-.->";
      String label = label(edge);
      out.append(
          "  %s %s%s %s\n"
              .formatted(
                  names.get(edge.source()),
                  arrow,
                  label.isEmpty() ? "" : "|\"" + escaped(label) + "\"|",
                  names.get(edge.target())));
    }
    return out.toString();
  }

  static String dot(Picture picture) {
    StringBuilder out =
        new StringBuilder(
            "digraph graph_ {\n  rankdir=LR;\n  node [shape=box, style=\"rounded,filled\"];\n");
    for (Node node : picture.graph().nodes()) {
      String[] colours = Picture.colours(picture.state(node.id()));
      out.append(
          "  %s [label=%s, fillcolor=\"%s\", color=\"%s\"];\n"
              .formatted(
                  quoted(node.id()),
                  quoted(node.id() + "\n" + node.type()),
                  colours[0],
                  colours[1]));
    }
    for (Edge edge : picture.graph().edges()) {
      out.append(
          "  %s -> %s [label=%s%s];\n"
              .formatted(
                  quoted(edge.source()),
                  quoted(edge.target()),
                  quoted(label(edge)),
                  edge.kind() == Edge.Kind.DATA ? "" : ", style=dashed"));
    }
    return out.append("}\n").toString();
  }

  /** What is written at an edge: what it carries, if that is not plain. */
  static String label(Edge edge) {
    return switch (edge.kind()) {
      case DATA -> edge.targetHandle();
      case CONTROL -> "control";
      case ERROR -> "error";
    };
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
