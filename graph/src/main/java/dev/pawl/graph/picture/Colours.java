package dev.pawl.graph.picture;

import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.fold.NodeSummary;
import java.util.Optional;

/**
 * What a box looks like.
 *
 * @param dashed whether its border is: what there is nothing to wait for from inside, or ever
 */
record Colours(String fill, String border, String text, boolean dashed) {
  private static final Colours PLAIN = new Colours("#ffffff", "#4a5563", "#5b6673", false);

  static Colours of(Optional<NodeSummary> summary) {
    return summary.map(known -> of(known.state())).orElse(PLAIN);
  }

  static Colours of(NodeSummary.State state) {
    return switch (state) {
      case WAITING -> new Colours("#f4f5f7", "#9aa3ae", "#5b6673", false);
      case LISTENING -> new Colours("#efe7fd", "#6b3fc4", "#53309a", true);
      case SCHEDULED -> new Colours("#fff4d6", "#c98a00", "#7a5400", false);
      case RETRYING -> new Colours("#ffe6cc", "#d2691e", "#8f4310", false);
      case STARTED -> new Colours("#d9ecff", "#1f6fbf", "#16538f", false);
      case COMPLETED -> new Colours("#dcf3e3", "#2b8a4b", "#1d6336", false);
      case SKIPPED -> new Colours("#ffffff", "#8fbf9f", "#56705e", true);
      case FAILED -> new Colours("#fde0df", "#c0312b", "#96201b", false);
      case STOPPED -> new Colours("#e8e3de", "#8a6d55", "#664f3c", false);
      case VOID -> new Colours("#ffffff", "#b6bdc6", "#6b7480", true);
    };
  }

  static String of(Edge.Kind kind) {
    return switch (kind) {
      case DATA -> "#6b7785";
      case CONTROL -> "#7a4fc9";
      case ERROR -> "#c0312b";
    };
  }
}
