package dev.pawl.flow;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.store.Mail;
import dev.pawl.work.CancelledException;
import dev.pawl.work.TimedOutException;
import dev.pawl.work.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import java.util.Optional;

/**
 * What comes over a flow from outside: a cancellation, a deadline that passes. Each strikes the
 * code once, at an operation that is on record, so that after a crash it strikes at the same place.
 *
 * <p>Belongs to the flow's thread; only {@link #cancelled} may be asked from others.
 */
final class Interruptions {
  private final Execution<?, ?> execution;
  private final Deque<Entry> pending;
  private final long liveFrom;
  private Optional<Instant> suspensionLimit;
  private volatile Optional<String> cancelled = Optional.empty();
  private boolean deadlinePassed;
  private boolean stopped;

  Interruptions(Execution<?, ?> execution, Memory memory) {
    this.execution = execution;
    this.pending = memory.interruptions();
    this.suspensionLimit = memory.timer(Memory.SUSPENSION_LIMIT);
    this.liveFrom = execution.turn().activation().seq();
  }

  /** Why the run is to be cancelled, once the code has met it. */
  Optional<String> cancelled() {
    return cancelled;
  }

  /** From now on nothing new strikes: the flow is undoing its work. */
  void stop() {
    stopped = true;
  }

  /** The run's deadline, unless it has struck or no longer matters. */
  Optional<Instant> deadline() {
    return deadlinePassed || stopped ? Optional.empty() : execution.turn().run().deadline();
  }

  /** Limits the suspension that begins. One that goes on after a crash keeps the limit it had. */
  Optional<Instant> limitSuspension(Optional<Duration> longest) {
    if (suspensionLimit.isEmpty() && !stopped && !deadlinePassed) {
      suspensionLimit = longest.map(execution.turn().now()::plus);
    }
    return suspensionLimit;
  }

  /** What was waited for has come, at this place of the log: the suspension is over. */
  void settled(long position) {
    if (position > liveFrom) {
      suspensionLimit = Optional.empty();
    }
  }

  /**
   * What is due at the present operation: something recorded, or, if {@code mayRecord}, something
   * new. It stays due until it strikes.
   */
  Optional<Entry> due(boolean mayRecord) {
    if (pending.isEmpty() && mayRecord && !stopped) {
      record();
    }
    return Optional.ofNullable(pending.peek()).filter(entry -> isHere(entry.event()));
  }

  private boolean isHere(Event event) {
    return switch (event) {
      case Event.CancelRequested e -> e.op() == execution.ops();
      case Event.DeadlinePassed e -> e.op() == execution.ops();
      default -> false;
    };
  }

  /** Whether there is something that the code has not met and that is not on record. */
  boolean isFresh() {
    return !stopped && (isCancelFresh() || isPastDeadline());
  }

  private boolean isCancelFresh() {
    return cancelled.isEmpty() && execution.turn().cancelRequest().isPresent();
  }

  private boolean isPastDeadline() {
    Instant now = execution.turn().now();
    boolean run = deadline().filter(at -> !at.isAfter(now)).isPresent();
    boolean suspension = suspensionLimit.filter(at -> !at.isAfter(now)).isPresent();
    return !deadlinePassed && (run || suspension);
  }

  private void record() {
    Turn turn = execution.turn();
    if (isCancelFresh()) {
      Mail.Cancel request = turn.cancelRequest().orElseThrow();
      Event event = new Event.CancelRequested(execution.ops(), request.reason());
      remember(turn, execution.recording(held -> held.record(event, request)), event);
    } else if (isPastDeadline()) {
      Event event = new Event.DeadlinePassed(execution.ops());
      remember(turn, execution.recording(held -> held.record(event)), event);
    }
  }

  private void remember(Turn turn, long position, Event event) {
    pending.add(new Entry(position, turn.now(), turn.run().epoch(), event));
  }

  /** Throws the cancellation or the deadline into the code. */
  void strike(Entry interruption) {
    pending.remove();
    if (interruption.event() instanceof Event.CancelRequested request) {
      cancelled = Optional.of(request.reason());
      execution.turn().acknowledgeCancel();
      throw new CancelledException(request.reason());
    }
    deadlinePassed = true;
    suspensionLimit = Optional.empty();
    Failure.Source source = new Failure.Source("wait", execution.run().toString(), "deadline");
    String message =
        "run " + execution.run() + " of " + execution.type() + " took longer than it may";
    throw new TimedOutException(Failure.of("TIMEOUT", message).from(source));
  }
}
