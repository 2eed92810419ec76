package dev.pawl.time;

import java.security.SecureRandom;
import java.util.UUID;

/**
 * Makes UUIDs of version 7: they sort by the time they were made, and within a millisecond by the
 * order. Thread-safe.
 */
public final class Ids {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int COUNTER_BITS = 12;

  /** Milliseconds and counter of the last id, as one number that only grows. */
  private static long last;

  private Ids() {}

  public static UUID next() {
    long high = tick(System.currentTimeMillis());
    long millis = high >>> COUNTER_BITS;
    long counter = high & ((1L << COUNTER_BITS) - 1);
    long low = (RANDOM.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
    return new UUID((millis << 16) | 0x7000 | counter, low);
  }

  private static synchronized long tick(long millis) {
    last = Math.max(last + 1, millis << COUNTER_BITS);
    return last;
  }
}
