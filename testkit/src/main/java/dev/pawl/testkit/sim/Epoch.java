package dev.pawl.testkit.sim;

import dev.pawl.testkit.ManualClock;
import java.time.Instant;

/** When every simulation begins. */
final class Epoch {
  static final long MILLIS = ManualClock.START.toEpochMilli();

  private static final long MILLI = 1_000_000;

  private Epoch() {}

  /** The store's clock in a universe of this age. */
  static Instant at(long nanos) {
    return Instant.ofEpochMilli(MILLIS + nanos / MILLI);
  }
}
