package dev.pawl.store.sql.postgres;

import dev.pawl.time.Ticker;
import java.time.Duration;

/**
 * How often something may be done: a few times at once, and in the long run once in so long. Used
 * by one thread.
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

  /** Takes note that it was done; returns how long to wait before it is done again. */
  Duration next() {
    long now = ticker.nanos();
    long owed = Math.max(0, paidNanos - now) + everyNanos;
    paidNanos = now + owed;
    return Duration.ofNanos(Math.max(0, owed - aheadNanos));
  }
}
