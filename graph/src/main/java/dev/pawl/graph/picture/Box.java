package dev.pawl.graph.picture;

import dev.pawl.graph.definition.Node;
import dev.pawl.graph.definition.Tree;
import dev.pawl.graph.fold.NodeSummary;
import dev.pawl.log.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What is written into the box of a node: its id, its type, and of a run how far it has come.
 *
 * @param said the whole of it, for where there is room
 */
record Box(List<Line> lines, List<String> said) {
  private static final double MOST_WIDTH = 280;
  private static final double LEAST_WIDTH = 96;
  private static final double PADDING = 13;
  private static final double LEADING = 16;
  private static final int NAME_LINES = 2;
  private static final int ERROR_LINES = 3;
  private static final Set<String> CALLS = Set.of("task", "flow", "script", "graph");

  /** A line of text that fits into the box. */
  record Line(String text, double size, boolean bold, Role role) {
    double width() {
      return Lettering.width(text, size, bold);
    }
  }

  /** What a line is about. */
  enum Role {
    NAME,
    TYPE,
    STATE,
    ERROR
  }

  static Box of(Node node, Optional<NodeSummary> summary) {
    List<Line> lines = new ArrayList<>();
    List<String> said = new ArrayList<>();
    add(lines, said, node.id(), 13, Role.NAME);
    add(lines, said, type(node), 11, Role.TYPE);
    summary.ifPresent(of -> {
      add(lines, said, state(of), 11, Role.STATE);
      of.failure().map(Failure::summary).ifPresent(text -> add(lines, said, text, 11, Role.ERROR));
    });
    return new Box(List.copyOf(lines), List.copyOf(said));
  }

  private static void add(
      List<Line> lines, List<String> said, String text, double size, Role role) {
    String line = text.replaceAll("\\s+", " ").strip();
    boolean bold = role == Role.NAME;
    int most = role == Role.ERROR ? ERROR_LINES : NAME_LINES;
    Lettering.wrap(line, size, bold, MOST_WIDTH, most, role != Role.ERROR)
        .forEach(part -> lines.add(new Line(part, size, bold, role)));
    said.add(line);
  }

  double width() {
    double widest = lines.stream().mapToDouble(Line::width).max().orElse(0);
    return Math.max(LEAST_WIDTH, widest + 2 * PADDING);
  }

  double height() {
    return lines.size() * LEADING + 14;
  }

  /** Where the base line of a line is, from the top of the lines. */
  static double baseline(int line) {
    return 19 + line * LEADING;
  }

  /** Whether the node is a run of its own. */
  static boolean isCall(Node node) {
    return CALLS.contains(node.type());
  }

  static boolean isTrigger(Node node) {
    return node.type().startsWith("trigger.");
  }

  /** The type, and of a node that is a run of its own what it is a run of. */
  private static String type(Node node) {
    Object called = isCall(node) ? Tree.read(node.properties().member("type")) : null;
    return called == null ? node.type() : node.type() + " " + called;
  }

  private static String state(NodeSummary of) {
    StringBuilder text = new StringBuilder(of.state().word());
    if (of.attempt() > 1) {
      text.append(", attempt ").append(of.attempt());
    }
    if (of.in() > 0) {
      text.append(" · ").append(of.in()).append(" in");
    }
    if (of.out() > 0) {
      text.append(of.in() > 0 ? ", " : " · ").append(of.out()).append(" out");
    }
    if (of.state() != NodeSummary.State.SKIPPED) {
      of.took().ifPresent(took -> text.append(" · ").append(span(took)));
    }
    return text.toString();
  }

  private static String span(Duration took) {
    long millis = took.toMillis();
    if (millis < 1000) {
      return millis + " ms";
    }
    if (millis < 60_000) {
      return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }
    return millis < 3_600_000
        ? millis / 60_000 + "m " + millis / 1000 % 60 + "s"
        : millis / 3_600_000 + "h " + millis / 60_000 % 60 + "m";
  }
}
