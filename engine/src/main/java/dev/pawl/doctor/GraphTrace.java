package dev.pawl.doctor;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.EventCodec;
import dev.pawl.log.NodeEvent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Follows the nodes of a graph through its log: G1 to G7. What a rewind takes back is followed
 * again from where it leads. Not thread-safe.
 *
 * <ul>
 *   <li>G1, ordering: entries of nodes have growing places in the log.
 *   <li>G2, idempotency: a node has one result, an input and a message are on record once.
 *   <li>G3, causality: an attempt is scheduled, then started, then it ends or makes checkpoints.
 *   <li>G4, completeness: the log of a graph begins with the creation of its run.
 *   <li>G5, terminality: nothing comes behind a node's result, and nothing behind the run's.
 *   <li>G6, monotonicity: the cursor of a trigger never goes back.
 *   <li>G7, traceability: a message that got through was put on record before.
 * </ul>
 */
final class GraphTrace {
  /** What counts of the log: events of nodes, and where an operator took the run back. */
  private final List<Entry> kept = new ArrayList<>();

  private final List<Found> found = new ArrayList<>();
  private State state = new State();

  private record Found(String invariant, long seq, String message) {}

  private static final class State {
    final Map<String, Integer> scheduled = new HashMap<>();
    final Map<String, Integer> started = new HashMap<>();
    final Map<String, Long> results = new HashMap<>();
    final Map<String, String> cursors = new HashMap<>();
    final Set<String> inputs = new HashSet<>();
    final Set<String> registered = new HashSet<>();
    final Set<String> enqueued = new HashSet<>();
    final Set<String> sent = new HashSet<>();
    long lastSeq;
    boolean created;
    boolean ended;
  }

  void take(Entry entry) {
    if (entry.event() instanceof Event.Rewound rewound) {
      takeBack(entry, rewound);
      return;
    }
    if (entry.event() instanceof NodeEvent event) {
      kept.add(entry);
      follow(entry, event);
    }
    state.created |= entry.event() instanceof Event.Created;
    state.ended = entry.event() instanceof Event.Terminal;
    state.lastSeq = entry.seq();
  }

  private void takeBack(Entry entry, Event.Rewound rewound) {
    kept.removeIf(
        each -> each.seq() > rewound.keep() && !(each.event() instanceof NodeEvent.OfTrigger));
    found.removeIf(each -> each.seq() > rewound.keep());
    boolean created = state.created;
    state = new State();
    state.created = created;
    List<Entry> again = List.copyOf(kept);
    found.clear();
    again.forEach(this::followAgain);
    kept.add(entry);
    reopen();
  }

  private void followAgain(Entry entry) {
    if (entry.event() instanceof NodeEvent event) {
      follow(entry, event);
    } else {
      reopen();
    }
  }

  /** An operator has taken the run back: nodes that failed have another chance. */
  private void reopen() {
    state.results.entrySet().removeIf(result -> result.getValue() < 0);
  }

  private void follow(Entry entry, NodeEvent event) {
    long seq = entry.seq();
    check(
        seq > state.lastSeq, "G1", seq, event, () -> "it should stand behind seq " + state.lastSeq);
    check(
        state.created, "G4", seq, event, () -> "the log should begin with the creation of the run");
    check(!state.ended, "G5", seq, event, () -> "the run had ended");
    state.lastSeq = seq;
    switch (event) {
      case NodeEvent.Scheduled e -> scheduled(seq, e);
      case NodeEvent.Started e -> started(seq, e);
      case NodeEvent.Checkpointed e -> ofAttempt(seq, e, e.attempt());
      case NodeEvent.Completed e -> {
        ofAttempt(seq, e, e.attempt());
        state.results.put(e.node(), seq);
      }
      case NodeEvent.Failed e -> {
        ofAttempt(seq, e, e.attempt());
        if (e.retryAt().isEmpty()) {
          state.results.put(e.node(), -seq);
        }
      }
      case NodeEvent.TriggerRegistered e ->
          check(state.registered.add(e.node()), "G2", seq, e, () -> "it was registered before");
      case NodeEvent.TriggerInput e ->
          check(
              state.inputs.add(e.node() + "\n" + e.input()),
              "G2",
              seq,
              e,
              () -> "input '" + Findings.show(e.input()) + "' was on record before");
      case NodeEvent.TriggerAdvanced e -> advanced(seq, e);
      case NodeEvent.OutboxEnqueued e ->
          check(
              state.enqueued.add(e.message()),
              "G2",
              seq,
              e,
              () -> "message '" + Findings.show(e.message()) + "' was on record before");
      case NodeEvent.OutboxSent e -> sent(seq, e);
    }
  }

  private void scheduled(long seq, NodeEvent.Scheduled e) {
    notDone(seq, e);
    check(
        e.attempt() >= state.scheduled.getOrDefault(e.node(), 0),
        "G3",
        seq,
        e,
        () ->
            "attempt "
                + state.scheduled.get(e.node())
                + " was scheduled before attempt "
                + e.attempt());
    state.scheduled.put(e.node(), e.attempt());
  }

  private void started(long seq, NodeEvent.Started e) {
    notDone(seq, e);
    check(
        Optional.of(e.attempt()).equals(Optional.ofNullable(state.scheduled.get(e.node()))),
        "G3",
        seq,
        e,
        () -> "attempt " + e.attempt() + " should be scheduled before it is started");
    state.started.put(e.node(), e.attempt());
  }

  private void ofAttempt(long seq, NodeEvent e, int attempt) {
    notDone(seq, e);
    check(
        Optional.of(attempt).equals(Optional.ofNullable(state.started.get(e.node()))),
        "G3",
        seq,
        e,
        () -> "attempt " + attempt + " should be started before");
  }

  private void notDone(long seq, NodeEvent e) {
    Long result = state.results.get(e.node());
    if (result != null) {
      boolean another = e instanceof NodeEvent.Completed || e instanceof NodeEvent.Failed;
      check(
          false,
          another ? "G2" : "G5",
          seq,
          e,
          () -> "the node has its result at seq " + Math.abs(result));
    }
  }

  private void advanced(long seq, NodeEvent.TriggerAdvanced e) {
    String before = state.cursors.put(e.node(), e.cursor());
    check(
        before == null || !isBehind(e.cursor(), before),
        "G6",
        seq,
        e,
        () -> "the cursor was at '" + before + "' and cannot go back to '" + e.cursor() + "'");
  }

  private void sent(long seq, NodeEvent.OutboxSent e) {
    check(
        state.enqueued.contains(e.message()),
        "G7",
        seq,
        e,
        () ->
            "message '"
                + Findings.show(e.message())
                + "' should be on record before it gets through");
    check(
        state.sent.add(e.message()),
        "G2",
        seq,
        e,
        () -> "message '" + Findings.show(e.message()) + "' got through before");
  }

  /** Cursors that are numbers are compared as such, others as texts. */
  private static boolean isBehind(String cursor, String before) {
    try {
      return new BigDecimal(cursor).compareTo(new BigDecimal(before)) < 0;
    } catch (NumberFormatException e) {
      return cursor.compareTo(before) < 0;
    }
  }

  /** The reason is put into words only if it is needed, for every entry is checked. */
  private void check(
      boolean right, String invariant, long seq, NodeEvent event, Supplier<String> why) {
    if (!right) {
      String what = EventCodec.kind(event) + " of node '" + Findings.show(event.node()) + "'";
      found.add(new Found(invariant, seq, what + " at seq " + seq + ": " + why.get()));
    }
  }

  void report(Findings findings) {
    found.forEach(each -> findings.add(each.invariant(), each.message()));
  }
}
