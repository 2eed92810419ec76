package dev.pawl.store.sql.postgres;

import dev.pawl.time.Ticker;
import java.time.Duration;

/**
 * How often something may be done: a few times at once, and in the long run once in so long. Not
 * thread-safe.
 */
final class Pace {
  private final Ticker ticker;
  private final long everyNanos;
  private final long aheadNanos;

  /** When all that was done would have been done, once in so long. */
  private long paidNanos;

  Pace(Ticker ticker, Duration every, int atOnce) {
    this.ticker = ticker;
    this.everyNanos = every.toNanos();
    this.aheadNanos = every.toNanos() * (atOnce - 1);
    this.paidNanos = ticker.nanos();
  }

  /** How long until it may be done again; nothing if it may be done now. */
  Duration left() {
    return Duration.ofNanos(Math.max(0, owed() - aheadNanos));
  }

  /** Takes note that it is done. */
  void done() {
    paidNanos = ticker.nanos() + owed() + everyNanos;
  }

  private long owed() {
    return Math.max(0, paidNanos - ticker.nanos());
  }
}
