package dev.pawl.log;

import dev.pawl.json.Json;
import java.time.Instant;
import java.util.Optional;

/**
 * A run being changed: only what can change has a setter. Not thread-safe; made, used and dropped
 * in one expression.
 */
public final class RunChange {
  private final Run from;
  private Status status;
  private Optional<Instant> due;
  private int attempt;
  private Optional<Run.Lease> lease;
  private long epoch;
  private boolean begun;
  private boolean resumed;
  private int crashes;
  private boolean cleanup;
  private long wakes;
  private int wakeAfter;
  private Optional<String> cancelling;
  private Optional<Failure> lastError;
  private Optional<Json> result;
  private Optional<String> definition;
  private Optional<Instant> deadline;
  private Instant updatedAt;
  private Optional<Instant> finishedAt;
  private Optional<Instant> deletedAt;

  RunChange(Run from) {
    this.from = from;
    this.status = from.status();
    this.due = from.due();
    this.attempt = from.attempt();
    this.lease = from.lease();
    this.epoch = from.epoch();
    this.begun = from.begun();
    this.resumed = from.resumed();
    this.crashes = from.crashes();
    this.cleanup = from.cleanup();
    this.wakes = from.wakes();
    this.wakeAfter = from.wakeAfter();
    this.cancelling = from.cancelling();
    this.lastError = from.lastError();
    this.result = from.result();
    this.definition = from.definition();
    this.deadline = from.deadline();
    this.updatedAt = from.updatedAt();
    this.finishedAt = from.finishedAt();
    this.deletedAt = from.deletedAt();
  }

  RunChange definition(String hash) {
    this.definition = Optional.of(hash);
    return this;
  }

  /** For whoever holds the run: the row keeps what it was started with. */
  public RunChange deadline(Instant at) {
    this.deadline = Optional.of(at);
    return this;
  }

  RunChange status(Status to) {
    this.status = to;
    return this;
  }

  public RunChange due(Optional<Instant> when) {
    this.due = when;
    return this;
  }

  RunChange attempt(int number) {
    this.attempt = number;
    return this;
  }

  public RunChange lease(Optional<Run.Lease> held) {
    this.lease = held;
    return this;
  }

  RunChange epoch(long number) {
    this.epoch = number;
    return this;
  }

  RunChange begun(boolean flag) {
    this.begun = flag;
    return this;
  }

  RunChange resumed(boolean flag) {
    this.resumed = flag;
    return this;
  }

  RunChange crashes(int number) {
    this.crashes = number;
    return this;
  }

  RunChange cleanup(boolean flag) {
    this.cleanup = flag;
    return this;
  }

  public RunChange wakes(long number) {
    this.wakes = number;
    return this;
  }

  public RunChange wakeAfter(int number) {
    this.wakeAfter = number;
    return this;
  }

  RunChange cancelling(Optional<String> reason) {
    this.cancelling = reason;
    return this;
  }

  RunChange lastError(Optional<Failure> failure) {
    this.lastError = failure;
    return this;
  }

  RunChange result(Optional<Json> value) {
    this.result = value;
    return this;
  }

  RunChange updatedAt(Instant at) {
    this.updatedAt = at;
    return this;
  }

  RunChange finishedAt(Optional<Instant> at) {
    this.finishedAt = at;
    return this;
  }

  public RunChange deletedAt(Optional<Instant> at) {
    this.deletedAt = at;
    return this;
  }

  public Run run() {
    return new Run(
        from.id(),
        from.type(),
        from.payload(),
        status,
        from.priority(),
        due,
        from.key(),
        attempt,
        from.maxAttempts(),
        lease,
        epoch,
        begun,
        resumed,
        crashes,
        cleanup,
        wakes,
        wakeAfter,
        cancelling,
        lastError,
        result,
        from.parent(),
        from.root(),
        from.bond(),
        definition,
        from.tags(),
        deadline,
        from.ttl(),
        from.since(),
        from.forkedFrom(),
        from.createdAt(),
        updatedAt,
        finishedAt,
        deletedAt);
  }
}
