package dev.pawl.graph.picture;

import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.fold.NodeSummary;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What the colours and lines mean that occur in a picture, in rows below it. */
record Legend(List<Item> items, int rows) {
  static final double SIGN = 24;
  static final double SIZE = 11;
  private static final double GAP = 22;

  /** What is explained. */
  sealed interface Sign {
    record OfState(NodeSummary.State state) implements Sign {}

    record OfEdge(Edge.Kind kind) implements Sign {}
  }

  /** One explanation, in its place. */
  record Item(Sign what, String text, double x, int row) {}

  static Legend of(Picture picture, double width) {
    List<Item> items = new ArrayList<>();
    Set<NodeSummary.State> states = EnumSet.noneOf(NodeSummary.State.class);
    picture.summaries().values().forEach(summary -> states.add(summary.state()));
    states.forEach(state -> add(items, new Sign.OfState(state), meaning(state), width));
    Set<Edge.Kind> kinds = EnumSet.noneOf(Edge.Kind.class);
    picture.graph().edges().forEach(edge -> kinds.add(edge.kind()));
    kinds.remove(Edge.Kind.DATA);
    kinds.forEach(kind -> add(items, new Sign.OfEdge(kind), meaning(kind), width));
    return new Legend(List.copyOf(items), items.isEmpty() ? 0 : items.getLast().row() + 1);
  }

  private static void add(List<Item> items, Sign what, String text, double width) {
    double own = SIGN + 6 + Lettering.width(text, SIZE, false);
    if (items.isEmpty()) {
      items.add(new Item(what, text, 0, 0));
      return;
    }
    Item last = items.getLast();
    double x = last.x() + SIGN + 6 + Lettering.width(last.text(), SIZE, false) + GAP;
    boolean fits = x + own <= width;
    items.add(new Item(what, text, fits ? x : 0, last.row() + (fits ? 0 : 1)));
  }

  private static String meaning(NodeSummary.State state) {
    return switch (state) {
      case WAITING -> "waiting for other nodes";
      case LISTENING -> "listening: waits for the outside";
      case SCHEDULED -> "scheduled";
      case RETRYING -> "retrying: failed, tried again";
      case STARTED -> "started";
      case COMPLETED -> "completed";
      case SKIPPED -> "skipped: had nothing to do";
      case FAILED -> "failed";
      case STOPPED -> "stopped with the run";
      case VOID -> "void: the run ended without it";
    };
  }

  private static String meaning(Edge.Kind kind) {
    return switch (kind) {
      case DATA -> "values";
      case CONTROL -> "control: orders";
      case ERROR -> "error: taken when its source fails";
    };
  }
}
