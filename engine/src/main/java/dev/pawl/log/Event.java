package dev.pawl.log;

import dev.pawl.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Everything that can be in a run's log. Facts, in the past tense; no component is ever null.
 *
 * <p>The {@link Lifecycle} events move the run itself: folding them gives the run row. The rest are
 * the program's own checkpoints. {@code op} numbers a program's durable operations in the order the
 * program asked for them, from 0.
 */
public sealed interface Event {

  /** Events that change the run row. */
  sealed interface Lifecycle extends Event {}

  /** Lifecycle events that end a turn. */
  sealed interface TurnEnd extends Lifecycle {}

  /** Events that end the run. */
  sealed interface Terminal extends TurnEnd {}

  /** What a graph records of its nodes. */
  sealed interface OfGraph extends Event permits NodeEvent {}

  // ---- the run ----

  /**
   * The run was recorded. {@code since} is the position in the stream of topic events from which
   * the run sees them. {@code forkedFrom} names the run whose history it started with. {@code ttl}
   * is how long the run is kept once it has ended.
   */
  record Created(
      String type,
      Json payload,
      int priority,
      Instant runAt,
      Optional<String> key,
      int maxAttempts,
      Optional<RunId> parent,
      RunId root,
      Bond bond,
      Optional<String> definition,
      Map<String, String> tags,
      Optional<Instant> deadline,
      Optional<Duration> ttl,
      long since,
      Optional<RunId> forkedFrom)
      implements Lifecycle {}

  /**
   * A worker took the run. {@code resumed} turns continue what was begun and count no attempt;
   * {@code crashes} counts the leases lost in a row without progress. {@code ticket} tells apart
   * the claims of one worker.
   */
  record Leased(
      String worker,
      long epoch,
      Instant until,
      int attempt,
      boolean resumed,
      int crashes,
      long ticket)
      implements Lifecycle {}

  /**
   * The turn ended waiting: until a moment, if there is one, or for {@code wakeAfter} messages that
   * match the waits (0: no message wakes it). A run with {@code cleanup} wants to be woken when it
   * is cancelled. {@code snapshot} is the program's own state.
   */
  record Suspended(
      Optional<Instant> until, List<Wait> waits, int wakeAfter, boolean cleanup, Json snapshot)
      implements TurnEnd {}

  /** The attempt failed, and another is due. */
  record Retried(Failure failure, Instant runAt, boolean cleanup) implements TurnEnd {}

  /** The worker gave the run back unharmed: the attempt does not count. */
  record Released(String reason, Instant runAt) implements TurnEnd {}

  record Succeeded(Json result) implements Terminal {}

  record Failed(Failure failure) implements Terminal {}

  record Cancelled(String reason) implements Terminal {}

  /**
   * The program learned, at its operation {@code op}, that it is to be cancelled, and may clean up.
   */
  record CancelRequested(int op, String reason) implements Lifecycle {}

  /** The program's source is the definition with this hash, now and for the rest of the run. */
  record Pinned(String definition) implements Lifecycle {}

  /** The run's deadline passed, and the program learned of it at its operation {@code op}. */
  record DeadlinePassed(int op) implements Event {}

  /**
   * An operator reopened the run: of the program's checkpoints those with a {@code seq} up to
   * {@code keep} still count. {@code how} is {@code retry} or {@code rewind}. The order tells this
   * reopening from any other; in old logs it has none.
   */
  record Rewound(String how, long keep, Instant runAt, String reason, Optional<UUID> order)
      implements Lifecycle {
    public Rewound(String how, long keep, Instant runAt, String reason) {
      this(how, keep, runAt, reason, Optional.empty());
    }
  }

  /** A sign of life with something to say. */
  record Heartbeat(Json progress) implements Event {}

  // ---- steps ----

  /** A step's one result. {@code n} counts the uses of the name in this execution from 0. */
  record StepCompleted(int op, String name, int n, int attempt, Json value, long millis)
      implements Event {}

  /** An attempt at a step failed; with no {@code retryAt} it was the last one. */
  record StepFailed(
      int op, String name, int n, int attempt, Failure failure, Optional<Instant> retryAt)
      implements Event {}

  /** The program failed and now undoes what it had registered, in reverse. */
  record Compensating(Failure failure) implements Event {}

  /** A line the program wrote for people. */
  record Logged(int op, String message) implements Event {}

  /**
   * Where the program's chance and ids of this turn come from. A program that is taken back into
   * the middle of the turn gets the same ones again.
   */
  record Drawn(UUID seed) implements Event {}

  // ---- waits ----

  record SignalReceived(int op, String name, UUID message, Json value) implements Event {}

  record EventReceived(int op, String topic, long position, Json value) implements Event {}

  record ChildStarted(int op, RunId child, String type, Bond bond) implements Event {}

  record ChildFinished(int op, RunId child, ChildResult result) implements Event {}

  record TimerFired(int op) implements Event {}

  /** How a child ended. */
  sealed interface ChildResult {
    record Succeeded(Json value) implements ChildResult {}

    record Failed(Failure failure) implements ChildResult {}

    record Cancelled(String reason) implements ChildResult {}

    static ChildResult of(Terminal end) {
      return switch (end) {
        case Event.Succeeded done -> new Succeeded(done.result());
        case Event.Failed failed -> new Failed(failed.failure());
        case Event.Cancelled cancelled -> new Cancelled(cancelled.reason());
      };
    }
  }
}
