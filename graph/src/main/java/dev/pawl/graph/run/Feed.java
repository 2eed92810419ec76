package dev.pawl.graph.run;

import dev.pawl.graph.definition.Tree;
import dev.pawl.graph.node.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One input handle of a node: its lines, and the value it has now. Of the receiving thread alone.
 */
final class Feed {
  private final List<Line> lines;
  private final List<String> edges;
  private final List<List<Value>> collected = new ArrayList<>();
  private final boolean collects;
  private final boolean stream;
  private @Nullable Value latest;
  private final List<Line> absorbing = new ArrayList<>(0);
  private int turn;

  /**
   * @param collects whether everything that comes is one list
   * @param stream whether more than one value may come
   */
  Feed(List<Line> lines, List<String> edges, boolean collects, boolean stream) {
    this.lines = lines;
    this.edges = edges;
    this.collects = collects;
    this.stream = stream && !collects;
    lines.forEach(line -> collected.add(new ArrayList<>()));
  }

  boolean isCollecting() {
    return collects;
  }

  boolean isStream() {
    return stream;
  }

  /** Goes to where the node had come; with the last value before that, if it needs it. */
  void seek(Map<String, Long> positions, boolean withLatest) {
    latest = null;
    absorbing.clear();
    collected.forEach(List::clear);
    for (int i = 0; i < lines.size(); i++) {
      long position = collects ? 0 : positions.getOrDefault(edges.get(i), 0L);
      boolean absorb = withLatest && position > 0;
      if (absorb) {
        absorbing.add(lines.get(i));
      }
      lines.get(i).seek(absorb ? position - 1 : position);
    }
  }

  void positions(Map<String, Long> into) {
    for (int i = 0; i < lines.size(); i++) {
      into.put(edges.get(i), lines.get(i).position());
    }
  }

  /** Takes in what is not a batch of its own: what is collected, what had been there before. */
  void settle() {
    if (collects && latest == null) {
      collect();
    } else if (!absorbing.isEmpty()) {
      absorbing.removeIf(this::absorb);
    }
  }

  private boolean absorb(Line line) {
    if (line.peek() == null) {
      return false;
    }
    latest = line.take();
    return true;
  }

  private void collect() {
    boolean over = true;
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      while (line.peek() != null) {
        collected.get(i).add(line.take());
      }
      over &= line.isDrained();
    }
    if (over && !isFailed()) {
      List<Object> all = new ArrayList<>();
      collected.forEach(some -> some.forEach(value -> all.add(value.json())));
      latest = Value.of(Tree.write(all));
    }
  }

  /** Whether there is a message to take. */
  boolean isReady() {
    if (collects || !absorbing.isEmpty()) {
      return false;
    }
    for (int i = 0; i < lines.size(); i++) {
      int next = (turn + i) % lines.size();
      if (lines.get(next).peek() != null) {
        turn = next;
        return true;
      }
    }
    return false;
  }

  /** Takes the message that is ready. */
  Value take() {
    Value value = lines.get(turn).take();
    turn = (turn + 1) % lines.size();
    latest = value;
    return value;
  }

  /** Whether it has a value, old or new, that is not still to be looked for. */
  boolean hasLatest() {
    return latest != null && absorbing.isEmpty();
  }

  Value latest() {
    return latest == null ? Value.NULL : latest;
  }

  /** Whether nothing is left and nothing will come. */
  boolean isOver() {
    return lines.stream().allMatch(line -> line.peek() == null && line.isDrained());
  }

  boolean isFailed() {
    return lines.stream().anyMatch(line -> line.isDrained() && line.isFailed());
  }
}
