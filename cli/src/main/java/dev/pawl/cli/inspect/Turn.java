package dev.pawl.cli.inspect;

import dev.pawl.log.Event;
import dev.pawl.log.EventCodec;
import dev.pawl.log.Failure;
import java.time.Instant;
import java.util.Optional;

/**
 * What one worker did with the run between a claim and the end of its turn.
 *
 * @param end the word for how it ended; empty while it goes on
 */
public record Turn(
    int attempt,
    boolean resumed,
    String worker,
    Instant began,
    Optional<Instant> ended,
    String end,
    Optional<Failure> failure) {

  static Turn begun(Event.Leased leased, Instant at) {
    return new Turn(
        leased.attempt(),
        leased.resumed(),
        leased.worker(),
        at,
        Optional.empty(),
        "",
        Optional.empty());
  }

  /** Another worker has taken the run: this one died, or stalled for longer than its lease. */
  Turn lostAt(Instant at) {
    return new Turn(
        attempt, resumed, worker, began, Optional.of(at), "lease lost", Optional.empty());
  }

  Turn endedBy(Event event, Instant at) {
    return new Turn(
        attempt, resumed, worker, began, Optional.of(at), EventCodec.kind(event), failure(event));
  }

  private static Optional<Failure> failure(Event event) {
    return switch (event) {
      case Event.Retried retried -> Optional.of(retried.failure());
      case Event.Failed failed -> Optional.of(failed.failure());
      default -> Optional.empty();
    };
  }
}
