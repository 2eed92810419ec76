package dev.pawl.script;

import dev.pawl.log.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is known of a script's open operations beyond what the script itself knows: which run
 * answers which, when which is due, up to where topics were read. Not thread-safe.
 */
final class Ledger {
  private final NavigableMap<Long, RunId> children = new TreeMap<>();
  private final Map<RunId, List<Long>> waiting = new HashMap<>();
  private final NavigableMap<Long, Watched> watched = new TreeMap<>();
  private final NavigableMap<Long, Instant> times = new TreeMap<>();
  private final TreeSet<Due> order =
      new TreeSet<>(Comparator.comparing(Due::at).thenComparingLong(Due::op));
  private final Map<String, Long> cursors = new TreeMap<>();
  private boolean deadlinePassed;

  /** An operation that wants attention at a moment. */
  record Due(long op, Instant at) {}

  /** A run of somebody else that is looked at now and then, ever less often. */
  record Watched(RunId run, Instant next, Duration pause) {}

  // ---- runs ----

  /** The operation is answered by the end of this child. */
  void child(long op, RunId run) {
    children.put(op, run);
    waiting.computeIfAbsent(run, id -> new ArrayList<>(1)).add(op);
  }

  Optional<RunId> child(long op) {
    return Optional.ofNullable(children.get(op));
  }

  Map<Long, RunId> children() {
    return children;
  }

  /** Takes out the operations that wait for this child, in the order in which they were asked. */
  List<Long> takeChild(RunId run) {
    List<Long> ops = waiting.remove(run);
    if (ops == null) {
      return List.of();
    }
    ops.forEach(children::remove);
    return ops;
  }

  /** Whether one message may answer more than one operation. */
  boolean sharesChildren() {
    return waiting.size() < children.size();
  }

  void watch(long op, Watched run) {
    watched.put(op, run);
  }

  Optional<Watched> watched(long op) {
    return Optional.ofNullable(watched.get(op));
  }

  Map<Long, Watched> watched() {
    return watched;
  }

  void unwatch(long op) {
    watched.remove(op);
  }

  // ---- times ----

  void time(long op, Instant at) {
    times.put(op, at);
    order.add(new Due(op, at));
  }

  Optional<Instant> time(long op) {
    return Optional.ofNullable(times.get(op));
  }

  Map<Long, Instant> times() {
    return times;
  }

  void forgetTime(long op) {
    Instant at = times.remove(op);
    if (at != null) {
      order.remove(new Due(op, at));
    }
  }

  /** The first operation whose time has come. */
  Optional<Due> firstDue(Instant now) {
    return order.isEmpty() || order.first().at().isAfter(now)
        ? Optional.empty()
        : Optional.of(order.first());
  }

  // ---- topics, deadline ----

  long cursor(String topic, long since) {
    return cursors.getOrDefault(topic, since);
  }

  void advance(String topic, long position) {
    cursors.merge(topic, position, Math::max);
  }

  Map<String, Long> cursors() {
    return cursors;
  }

  boolean isDeadlinePassed() {
    return deadlinePassed;
  }

  void passDeadline() {
    deadlinePassed = true;
  }
}
