package dev.pawl.cli.inspect;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A step of a run, after the last thing that is on record about it.
 *
 * @param took how long the attempt took that completed it
 * @param retryAt when it is tried again
 */
public record Step(
    String label,
    State state,
    int attempt,
    Instant at,
    Optional<Duration> took,
    Optional<Json> value,
    Optional<Failure> failure,
    Optional<Instant> retryAt) {

  /** How far a step has come. */
  public enum State {
    COMPLETED,
    RETRYING,
    FAILED
  }

  static Step completed(Event.StepCompleted done, Instant at) {
    return new Step(
        Inspection.label(done.name(), done.n()),
        State.COMPLETED,
        done.attempt(),
        at,
        Optional.of(Duration.ofMillis(done.millis())),
        Optional.of(done.value()),
        Optional.empty(),
        Optional.empty());
  }

  static Step failed(Event.StepFailed failed, Instant at) {
    return new Step(
        Inspection.label(failed.name(), failed.n()),
        failed.retryAt().isPresent() ? State.RETRYING : State.FAILED,
        failed.attempt(),
        at,
        Optional.empty(),
        Optional.empty(),
        Optional.of(failed.failure()),
        failed.retryAt());
  }
}
