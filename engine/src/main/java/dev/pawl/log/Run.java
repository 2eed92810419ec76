package dev.pawl.log;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run as its row says it is: the fold of the lifecycle events of its log.
 *
 * <p>Four things in the row are not in the log, because they change without the run's owner: {@code
 * due} when a message wakes the run or a lease is renewed, {@code lease} when it is renewed, {@code
 * wakes} and {@code wakeAfter} when a message arrives, and {@code deletedAt}.
 *
 * @param due when the run becomes claimable: its start or retry time, its timer, the moment it was
 *     woken, the end of its lease. Empty for a finished run, and for one that waits for messages
 *     alone
 * @param wakes how many messages its mailbox has accepted
 * @param wakeAfter how many more matching messages wake it; 0 if messages do not
 * @param begun whether it was ever claimed
 * @param resumed whether the present or last turn continued an earlier one
 * @param ttl how long it is kept once it has ended; without one, until somebody deletes it
 * @param since the position from which it sees topic events
 */
public record Run(
    RunId id,
    String type,
    Json payload,
    Status status,
    int priority,
    Optional<Instant> due,
    Optional<String> key,
    int attempt,
    int maxAttempts,
    Optional<Lease> lease,
    long epoch,
    boolean begun,
    boolean resumed,
    int crashes,
    boolean cleanup,
    long wakes,
    int wakeAfter,
    Optional<String> cancelling,
    Optional<Failure> lastError,
    Optional<Json> result,
    Optional<RunId> parent,
    RunId root,
    Bond bond,
    Optional<String> definition,
    Map<String, String> tags,
    Optional<Instant> deadline,
    Optional<Duration> ttl,
    long since,
    Optional<RunId> forkedFrom,
    Instant createdAt,
    Instant updatedAt,
    Optional<Instant> finishedAt,
    Optional<Instant> deletedAt) {

  /** A worker's right to advance the run, until a moment of the store's clock. */
  public record Lease(String worker, Instant until) {}

  /** The run that a log describes. The log must begin with {@link Event.Created}. */
  public static Run fold(RunId id, Iterable<Entry> log) {
    Iterator<Entry> entries = log.iterator();
    if (!entries.hasNext()) {
      throw PawlException.internal("the log of run " + id + " is empty");
    }
    Run run = created(id, entries.next());
    while (entries.hasNext()) {
      run = run.apply(entries.next());
    }
    return run;
  }

  /** The run as its first entry leaves it. */
  public static Run created(RunId id, Entry first) {
    if (!(first.event() instanceof Event.Created made)) {
      throw PawlException.internal("the log of run " + id + " does not begin with its creation");
    }
    return new Run(
        id,
        made.type(),
        made.payload(),
        Status.PENDING,
        made.priority(),
        Optional.of(made.runAt()),
        made.key(),
        0,
        made.maxAttempts(),
        Optional.empty(),
        0,
        false,
        false,
        0,
        false,
        0,
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        made.parent(),
        made.root(),
        made.bond(),
        made.definition(),
        made.tags(),
        made.deadline(),
        made.ttl(),
        made.since(),
        made.forkedFrom(),
        first.at(),
        first.at(),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * The run after one more entry. Checkpoints leave it as it is.
   *
   * @throws PawlException if the event is not possible in this state
   */
  public Run apply(Entry entry) {
    Instant at = entry.at();
    return switch (entry.event()) {
      case Event.Created e -> throw impossible(e);
      case Event.Leased e -> leased(e, at);
      case Event.Suspended e -> suspended(e, at);
      case Event.Retried e -> retried(e, at);
      case Event.Released e -> released(e, at);
      case Event.Succeeded e -> ended(e, Status.SUCCEEDED, at).withResult(e.result());
      case Event.Failed e -> ended(e, Status.FAILED, at).withLastError(e.failure());
      case Event.Cancelled e -> ended(e, Status.CANCELLED, at);
      case Event.CancelRequested e ->
          held(e).cancelling(Optional.of(e.reason())).updatedAt(at).run();
      case Event.Pinned e -> held(e).definition(e.definition()).updatedAt(at).run();
      case Event.Rewound e -> rewound(e, at);
      case Event.DeadlinePassed e -> this;
      case Event.Heartbeat e -> this;
      case Event.StepCompleted e -> this;
      case Event.StepFailed e -> this;
      case Event.Compensating e -> this;
      case Event.Logged e -> this;
      case Event.Drawn e -> this;
      case Event.SignalReceived e -> this;
      case Event.EventReceived e -> this;
      case Event.ChildStarted e -> this;
      case Event.ChildFinished e -> this;
      case Event.TimerFired e -> this;
      case NodeEvent e -> this;
    };
  }

  /** The run after all these entries, in order. */
  public Run applyAll(List<Entry> entries) {
    Run run = this;
    for (Entry entry : entries) {
      run = run.apply(entry);
    }
    return run;
  }

  private Run leased(Event.Leased e, Instant at) {
    return move(e, Status.RUNNING, at)
        .due(Optional.of(e.until()))
        .lease(Optional.of(new Lease(e.worker(), e.until())))
        .epoch(e.epoch())
        .attempt(e.attempt())
        .resumed(e.resumed())
        .crashes(e.crashes())
        .wakeAfter(0)
        .begun(true)
        .run();
  }

  private Run suspended(Event.Suspended e, Instant at) {
    return move(e, Status.SUSPENDED, at)
        .due(e.until())
        .lease(Optional.empty())
        .wakeAfter(e.wakeAfter())
        .cleanup(e.cleanup())
        .crashes(0)
        .run();
  }

  private Run retried(Event.Retried e, Instant at) {
    return held(e)
        .status(Status.PENDING)
        .updatedAt(at)
        .due(Optional.of(e.runAt()))
        .lease(Optional.empty())
        .lastError(Optional.of(e.failure()))
        .cleanup(e.cleanup())
        .crashes(0)
        .run();
  }

  private Run released(Event.Released e, Instant at) {
    return held(e)
        .status(resumed ? Status.SUSPENDED : Status.PENDING)
        .updatedAt(at)
        .due(Optional.of(e.runAt()))
        .lease(Optional.empty())
        .attempt(resumed ? attempt : attempt - 1)
        .run();
  }

  private Run ended(Event.Terminal e, Status end, Instant at) {
    return move(e, end, at)
        .due(Optional.empty())
        .lease(Optional.empty())
        .epoch(epoch + 1)
        .wakeAfter(0)
        .finishedAt(Optional.of(at))
        .run();
  }

  private Run rewound(Event.Rewound e, Instant at) {
    return move(e, Status.PENDING, at)
        .due(Optional.of(e.runAt()))
        .lease(Optional.empty())
        .epoch(epoch + 1)
        .attempt(0)
        .crashes(0)
        .wakeAfter(0)
        .cancelling(Optional.empty())
        .result(Optional.empty())
        .finishedAt(Optional.empty())
        .run();
  }

  private RunChange move(Event event, Status to, Instant at) {
    if (!status.next().contains(to)
        || (to == Status.RUNNING && status == Status.RUNNING && lease.isEmpty())) {
      throw impossible(event);
    }
    return change().status(to).updatedAt(at);
  }

  /**
   * A change that only the run's holder can make. The table of moves alone would let it pass
   * elsewhere.
   */
  private RunChange held(Event event) {
    if (status != Status.RUNNING) {
      throw impossible(event);
    }
    return change();
  }

  private PawlException impossible(Event event) {
    return PawlException.internal(
        "run " + id + " is " + status.word() + ": it cannot become " + EventCodec.kind(event));
  }

  private Run withResult(Json value) {
    return change().result(Optional.of(value)).run();
  }

  private Run withLastError(Failure failure) {
    return change().lastError(Optional.of(failure)).run();
  }

  /** Whether a message could wake the run: it waits for some, and has not had them all. */
  public boolean isWaiting() {
    return status == Status.SUSPENDED && wakeAfter > 0;
  }

  /**
   * When the time of an ended run is over by its own word: a purge removes it then, deleted or not.
   */
  public Optional<Instant> expiry() {
    return ttl.flatMap(kept -> finishedAt.map(end -> end.plus(kept)));
  }

  /** A copy to change. */
  public RunChange change() {
    return new RunChange(this);
  }
}
