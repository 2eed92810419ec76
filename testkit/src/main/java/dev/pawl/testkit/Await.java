package dev.pawl.testkit;

import dev.pawl.time.Ticker;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what a test expects to happen, and says what did not. */
public final class Await {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long LOOK_NANOS = 500_000;
  private static final Ticker TICKER = Ticker.system();

  private Await() {}

  /** Waits until it is so, where there is nothing to be told by. */
  public static void until(String what, BooleanSupplier condition) {
    until(what, PATIENCE, condition);
  }

  /** As {@link #until(String, BooleanSupplier)}, with another patience. */
  public static void until(String what, Duration patience, BooleanSupplier condition) {
    long start = TICKER.nanos();
    while (!condition.getAsBoolean()) {
      if (TICKER.since(start).compareTo(patience) > 0) {
        throw new AssertionError("it did not come to this: " + what);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** Waits until the latch is open. */
  public static void open(String what, CountDownLatch latch) {
    try {
      if (!latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("it did not come to this: " + what);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted before: " + what, e);
    }
  }
}
