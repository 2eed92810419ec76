package dev.pawl.time;

import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/** Where random numbers come from. */
@FunctionalInterface
public interface Chance {
  /** A number of at least 0 and less than 1. */
  double next();

  static Chance system() {
    return () -> ThreadLocalRandom.current().nextDouble();
  }

  /** The same numbers for the same seed. For one thread. */
  static Chance seeded(long seed) {
    return new SplittableRandom(seed)::nextDouble;
  }

  /** A whole number of at least 0 and less than {@code limit}. */
  default int below(int limit) {
    return (int) (next() * limit);
  }
}
