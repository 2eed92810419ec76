package dev.pawl.store.sql.postgres;

import dev.pawl.time.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The database's clock, without asking it each time: what it said last, and what has passed since.
 * It is never ahead of the database's. Thread-safe.
 */
final class StoreClock {
  /** After so long, what has passed is not trusted any more. */
  private static final Duration TRUSTED = Duration.ofSeconds(20);

  private record Reading(Instant at, long nanos) {}

  private final Optional<InstantSource> given;
  private final Supplier<Instant> database;
  private final Ticker ticker = Ticker.system();
  private volatile @Nullable Reading last;

  /**
   * A clock.
   *
   * @param given the clock to use instead, if there is one
   * @param database asks the database
   */
  StoreClock(Optional<InstantSource> given, Supplier<Instant> database) {
    this.given = given;
    this.database = database;
  }

  /** The moment to use in a transaction, if it is not the database's own. */
  Optional<Instant> given() {
    return given.map(source -> source.instant().truncatedTo(ChronoUnit.MILLIS));
  }

  /** The database has just told its time. */
  void learn(Instant now) {
    if (given.isEmpty()) {
      last = new Reading(now, ticker.nanos());
    }
  }

  Instant now() {
    Optional<Instant> fixed = given();
    if (fixed.isPresent()) {
      return fixed.get();
    }
    @Nullable Reading reading = last;
    if (reading == null || ticker.since(reading.nanos()).compareTo(TRUSTED) > 0) {
      Instant asked = database.get();
      learn(asked);
      return asked;
    }
    return ticker.now(reading.at(), reading.nanos()).truncatedTo(ChronoUnit.MILLIS);
  }
}
