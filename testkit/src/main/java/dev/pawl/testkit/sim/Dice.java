package dev.pawl.testkit.sim;

import java.util.List;

/**
 * Chance that a seed decides: the same seed gives the same numbers on every machine and JDK. Not
 * thread-safe.
 */
public final class Dice {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;
  private static final double UNIT = 0x1.0p-53;

  private long state;

  public Dice(long seed) {
    this.state = seed;
  }

  public long next() {
    state += GOLDEN;
    long z = state;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** A number of at least 0 and less than 1. */
  public double fraction() {
    return (next() >>> 11) * UNIT;
  }

  /** A number of at least 0 and less than the bound. */
  public int below(int bound) {
    return (int) ((next() >>> 33) % bound);
  }

  /** A number between the two, both included. */
  public int between(int least, int most) {
    return least + below(most - least + 1);
  }

  /** True as often as the probability says. */
  public boolean hits(double probability) {
    return probability > 0 && fraction() < probability;
  }

  public <T> T of(List<T> items) {
    return items.get(below(items.size()));
  }

  /** Other dice, whose numbers do not depend on how often these are thrown from now on. */
  public Dice split() {
    return new Dice(next());
  }
}
