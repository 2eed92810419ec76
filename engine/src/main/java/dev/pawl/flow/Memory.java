package dev.pawl.flow;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.History;
import dev.pawl.log.Wait;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the log remembers of a flow, by operation, for its code to be run again from the top. */
final class Memory {
  /** The number of the timer that limits a suspension. */
  static final int SUSPENSION_LIMIT = -1;

  private final Map<Integer, List<Entry>> byOp = new HashMap<>();
  private final Map<Integer, Instant> timers = new HashMap<>();
  private Optional<Failure> compensating = Optional.empty();

  /** The last operation that is on record from before the failure whose effects are undone. */
  private int beforeFailure = -1;

  private final Deque<Entry> interruptions = new ArrayDeque<>();
  private final Optional<Instant> reopenedAt;

  /** By operation: when the first record of it, or of one behind it, was made. */
  private final TreeMap<Integer, Instant> firstRecord = new TreeMap<>();

  private long suspendedSeq;
  private int lastOp = -1;
  private int furthest = -1;

  Memory(History history, Optional<Instant> reopenedAt) {
    this.reopenedAt = reopenedAt;
    history.entries().forEach(this::remember);
    if (!firstRecord.isEmpty()) {
      makeEarliest();
    }
  }

  private void makeEarliest() {
    Instant earliest = Instant.MAX;
    for (Map.Entry<Integer, Instant> record : firstRecord.descendingMap().entrySet()) {
      earliest = earliest.isBefore(record.getValue()) ? earliest : record.getValue();
      record.setValue(earliest);
    }
  }

  private void remember(Entry entry) {
    switch (entry.event()) {
      case Event.Suspended suspended -> {
        suspended.waits().forEach(wait -> remember(wait, entry.at()));
        suspendedSeq = entry.seq();
      }
      case Event.Compensating undo -> {
        compensating = Optional.of(undo.failure());
        beforeFailure = furthest;
      }
      case Event.CancelRequested cancelled -> {
        if (compensating.isEmpty()) {
          interruptions.add(entry);
        }
      }
      case Event.DeadlinePassed passed -> interruptions.add(entry);
      default ->
          History.op(entry.event())
              .ifPresent(op -> {
                firstRecord.putIfAbsent(op, entry.at());
                byOp.computeIfAbsent(op, key -> new ArrayList<>(1)).add(entry);
                lastOp = Math.max(lastOp, op);
                furthest = Math.max(furthest, op);
              });
    }
  }

  private void remember(Wait wait, Instant at) {
    if (wait instanceof Wait.Timer timer) {
      timers.put(timer.op(), timer.at());
    }
    if (!(wait instanceof Wait.Operator)) {
      furthest = Math.max(furthest, wait.op());
      firstRecord.putIfAbsent(wait.op(), at);
    }
  }

  /** The last operation that the code is known to have asked for. */
  int furthest() {
    return furthest;
  }

  /** The place of the last suspension. */
  long suspendedSeq() {
    return suspendedSeq;
  }

  /** What is on record of an operation; each record is given out once. */
  List<Entry> recall(int op) {
    List<Entry> entries = byOp.remove(op);
    return entries == null ? List.of() : entries;
  }

  /** When a timer that was set before a suspension is due. */
  Optional<Instant> timer(int op) {
    return Optional.ofNullable(timers.get(op));
  }

  /**
   * A moment, as early as is known, by which the code had surely asked for an operation: that of
   * the first record of a later one. Empty if none is on record.
   */
  Optional<Instant> askedBefore(int op) {
    return Optional.ofNullable(firstRecord.higherEntry(op)).map(Map.Entry::getValue);
  }

  /** When the run was last taken back: messages from before may have been lost to it. */
  Optional<Instant> reopenedAt() {
    return reopenedAt;
  }

  /** The failure whose effects are being undone, if it has come to that. */
  Optional<Failure> compensating() {
    return compensating;
  }

  /**
   * Whether code that fails like this behind so many operations has come to the failure whose
   * effects are being undone. If it failed on its way there, or in another way, it may not have
   * registered yet what there is to undo.
   */
  boolean isFailureToUndo(Failure failure, int ops) {
    return compensating()
        .filter(undone -> ops > beforeFailure)
        .filter(undone -> undone.code().equals(failure.code()))
        .filter(undone -> undone.type().equals(failure.type()))
        .isPresent();
  }

  /**
   * The recorded cancellation and deadline, in order, which are to strike again at the same
   * operations.
   */
  Deque<Entry> interruptions() {
    return interruptions;
  }

  /**
   * Refuses an end of the flow at which there is still something on record that its code did not
   * ask for.
   */
  void checkAllAsked(int ops) {
    if (lastOp >= ops && byOp.containsKey(lastOp)) {
      throw diverged(lastOp, describe(byOp.get(lastOp).get(0).event()), "the end of the flow");
    }
  }

  static PawlException diverged(int op, String recorded, String asked) {
    return new PawlException(
        ErrorCode.DIVERGED,
        "operation "
            + op
            + " is on record as "
            + recorded
            + ", but the code now asks for "
            + asked
            + "; bring back the code that recorded it, or rewind the run to a step before");
  }

  static String describe(Event event) {
    return switch (event) {
      case Event.StepCompleted e -> "step '" + e.name() + (e.n() == 0 ? "" : "#" + e.n()) + "'";
      case Event.StepFailed e -> "step '" + e.name() + (e.n() == 0 ? "" : "#" + e.n()) + "'";
      case Event.Logged e -> "log";
      case Event.SignalReceived e -> "signal '" + e.name() + "'";
      case Event.EventReceived e -> "event on '" + e.topic() + "'";
      case Event.ChildStarted e -> "child '" + e.type() + "'";
      case Event.TimerFired e -> "timer";
      default -> event.getClass().getSimpleName();
    };
  }
}
