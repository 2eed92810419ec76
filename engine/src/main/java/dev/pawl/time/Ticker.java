package dev.pawl.time;

import java.time.Duration;
import java.time.Instant;

/** Measures how long things take. The reading means nothing in itself; only differences do. */
@FunctionalInterface
public interface Ticker {
  long nanos();

  static Ticker system() {
    return System::nanoTime;
  }

  default Duration since(long startNanos) {
    return Duration.ofNanos(nanos() - startNanos);
  }

  default long millisSince(long startNanos) {
    return (nanos() - startNanos) / 1_000_000;
  }

  /**
   * The moment that was {@code base} at the reading {@code baseNanos}, brought forward by what has
   * passed since.
   */
  default Instant now(Instant base, long baseNanos) {
    return base.plusNanos(nanos() - baseNanos);
  }
}
