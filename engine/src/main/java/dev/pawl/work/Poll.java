package dev.pawl.work;

import dev.pawl.time.Chance;
import java.time.Duration;

/**
 * How long a worker rests before it looks for work again: a moment after it has found some, then
 * twice as long with every look in vain, up to its longest poll. A fifth of it is up to chance, so
 * that a fleet that was started together does not look together. Used by one thread.
 */
final class Poll {
  private static final long FIRST_MILLIS = 50;
  private static final double SPREAD = 0.2;

  private final long longestMillis;
  private final Chance chance;
  private long millis;

  Poll(Duration longest, Chance chance) {
    this.longestMillis = Math.max(1, longest.toMillis());
    this.chance = chance;
    this.millis = Math.min(FIRST_MILLIS, longestMillis);
  }

  /**
   * How long to rest after a look, at most the longest poll.
   *
   * @param found whether it found something
   */
  long restMillis(boolean found) {
    millis = found ? Math.min(FIRST_MILLIS, longestMillis) : millis;
    long rest = Math.round((double) millis * (1 - SPREAD * chance.next()));
    millis = Math.min(longestMillis, millis * 2);
    return Math.max(1, rest);
  }
}
