package dev.pawl.flow;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.store.Mail;
import dev.pawl.time.Millis;
import dev.pawl.work.CancelledException;
import dev.pawl.work.FailedException;
import dev.pawl.work.TimedOutException;
import dev.pawl.work.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What comes over a flow from outside: a cancellation, a deadline that passes. Each strikes the
 * code once, at an operation that is on record, so that after a crash it strikes at the same place.
 *
 * <p>Belongs to the flow's thread; {@link #cancelled} and {@link #isUndoing} may be asked from
 * others.
 */
final class Interruptions {
  private final Execution<?, ?> execution;
  private final Memory memory;
  private Optional<Instant> suspensionLimit;
  private long limitedSince;
  private volatile Optional<String> cancelled = Optional.empty();
  private volatile boolean undoing;
  private boolean cancelPutAside;
  private boolean deadlinePassed;

  Interruptions(Execution<?, ?> execution, Memory memory) {
    this.execution = execution;
    this.memory = memory;
    this.suspensionLimit = memory.timer(Memory.SUSPENSION_LIMIT);
    this.limitedSince = memory.suspendedSeq();
  }

  /** Why the run is to be cancelled, once the code has met it. */
  Optional<String> cancelled() {
    return cancelled;
  }

  /** Whether the flow is undoing its work: then nothing strikes any more. */
  boolean isUndoing() {
    return undoing;
  }

  void beginToUndo() {
    undoing = true;
    execution.turn().acknowledgeCancel();
  }

  /** The run's deadline, unless it has struck or no longer matters. */
  Optional<Instant> deadline() {
    return deadlinePassed || undoing ? Optional.empty() : execution.turn().run().deadline();
  }

  /**
   * Limits the suspension that is recorded at this place of the log. One that goes on after a crash
   * keeps the limit it had.
   */
  Optional<Instant> limitSuspension(Optional<Duration> longest, long position) {
    limitedSince = position;
    Instant now = execution.turn().now();
    suspensionLimit = suspensionLimit.or(() -> longest.map(limit -> Millis.up(now.plus(limit))));
    return suspensionLimit;
  }

  /** What came after the suspension has ended it, and its limit with it. */
  private void settled(Result<?> result) {
    if (result.position() > limitedSince) {
      suspensionLimit = Optional.empty();
    }
  }

  /** Throws into the code what is due at the present operation, if it came before the result. */
  void strike(@Nullable Result<?> result) {
    Optional<FailedException> due = due(result);
    if (due.isPresent()) {
      throw due.get();
    }
    if (result != null) {
      settled(result);
    }
  }

  /**
   * Throws a cancellation that is not on record yet, unless the result is: it goes before what else
   * has come meanwhile, such as the end of a child that was cancelled with the run.
   */
  void strikeCancelled(@Nullable Result<?> result) {
    boolean fresh = cancelled.isEmpty() && execution.turn().cancelRequest().isPresent();
    if (result == null && fresh && memory.interruptions().isEmpty() && mayStrike()) {
      throw fresh().orElseThrow();
    }
  }

  /**
   * The interruption that is due at this operation: a recorded one that came before the result, or,
   * if there is no result yet, one that is new.
   */
  private Optional<FailedException> due(@Nullable Result<?> result) {
    if (undoing) {
      putCancelAside();
      return Optional.empty();
    }
    Entry recorded = memory.interruptions().peek();
    if (recorded != null) {
      boolean first = result == null || result.position() > recorded.seq();
      return first && isHere(recorded.event()) ? Optional.of(observe(recorded)) : Optional.empty();
    }
    return result == null && mayStrike() ? fresh() : Optional.empty();
  }

  /** Something new strikes only where the code has got further than the log remembers. */
  private boolean mayStrike() {
    return !undoing && memory.compensating().isEmpty() && execution.ops() > memory.furthest();
  }

  /**
   * Work that is being undone is undone to the end: a request to cancel it is only taken note of.
   */
  private void putCancelAside() {
    Optional<Mail.Cancel> request = execution.turn().cancelRequest();
    if (request.isPresent() && cancelled.isEmpty() && !cancelPutAside) {
      cancelPutAside = true;
      Event event = new Event.CancelRequested(execution.ops(), request.get().reason());
      execution.recording(held -> held.record(event, request.get()));
    }
  }

  private boolean isHere(Event event) {
    return switch (event) {
      case Event.CancelRequested e -> e.op() == execution.ops();
      case Event.DeadlinePassed e -> e.op() == execution.ops();
      default -> false;
    };
  }

  private FailedException observe(Entry entry) {
    return entry.event() instanceof Event.CancelRequested request
        ? cancelled(request.reason())
        : timedOut();
  }

  /** Whether there is something to strike that is not on record yet. */
  boolean isFresh() {
    return mayStrike()
        && ((cancelled.isEmpty() && execution.turn().cancelRequest().isPresent())
            || isPastDeadline());
  }

  private Optional<FailedException> fresh() {
    Optional<Mail.Cancel> request = execution.turn().cancelRequest();
    if (cancelled.isEmpty() && request.isPresent()) {
      String reason = request.get().reason();
      Event event = new Event.CancelRequested(execution.ops(), reason);
      execution.recording(held -> held.record(event, request.get()));
      return Optional.of(cancelled(reason));
    }
    if (isPastDeadline()) {
      execution.recording(held -> held.record(new Event.DeadlinePassed(execution.ops())));
      return Optional.of(timedOut());
    }
    return Optional.empty();
  }

  private boolean isPastDeadline() {
    Turn turn = execution.turn();
    boolean run = turn.run().deadline().filter(turn::isReached).isPresent();
    boolean suspension = suspensionLimit.filter(turn::isReached).isPresent();
    return !deadlinePassed && (run || suspension);
  }

  private FailedException cancelled(String reason) {
    memory.interruptions().poll();
    cancelled = Optional.of(reason);
    execution.turn().acknowledgeCancel();
    return new CancelledException(reason);
  }

  private FailedException timedOut() {
    memory.interruptions().poll();
    deadlinePassed = true;
    suspensionLimit = Optional.empty();
    Failure failure =
        Failure.of(
                "TIMEOUT",
                "run " + execution.run() + " of " + execution.type() + " took longer than it may")
            .from(new Failure.Source("wait", execution.run().toString(), "deadline"));
    return new TimedOutException(failure);
  }
}
