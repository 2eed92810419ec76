package dev.pawl.time;

import java.util.concurrent.ThreadLocalRandom;

/** Where random numbers come from. */
@FunctionalInterface
public interface Chance {
  /** A number of at least 0 and less than 1. */
  double next();

  static Chance system() {
    return () -> ThreadLocalRandom.current().nextDouble();
  }
}
