package dev.pawl.work;

import java.time.Duration;

/**
 * How long turns have held their slots lately, and so how many will presumably begin soon.
 * Immutable.
 *
 * @param meanNanos the mean, in which a turn weighs the less the more have ended since; zero if
 *     none has
 */
record Pace(long meanNanos) {
  static final Pace UNKNOWN = new Pace(0);

  /** The last turn is one part in so many of the mean. */
  private static final int PARTS = 32;

  /** The pace after one more turn, which has held its slot for so long. */
  Pace after(long heldNanos) {
    long held = Math.max(1, heldNanos);
    return new Pace(meanNanos == 0 ? held : Math.max(1, meanNanos + (held - meanNanos) / PARTS));
  }

  /** How many turns will begin in so many busy slots within a time; none if that is unknown. */
  long turns(int slots, Duration time) {
    return meanNanos == 0 ? 0 : slots * time.toNanos() / meanNanos;
  }
}
