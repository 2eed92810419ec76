package dev.pawl.bench.peers;

import dev.pawl.cli.bench.Latencies;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where the bodies of the measured runs report. One for the process, because some engines can only
 * call static methods. Thread-safe.
 */
public final class Tally {
  private static volatile Count count = new Count(0);
  private static final AtomicInteger ASLEEP = new AtomicInteger();

  private Tally() {}

  private static final class Count {
    final long start = System.nanoTime();
    final Latencies times;
    final AtomicInteger next = new AtomicInteger();
    final CountDownLatch all;
    final int expected;

    Count(int expected) {
      this.expected = expected;
      this.times = new Latencies(expected);
      this.all = new CountDownLatch(expected);
    }

    void add(long nanos) {
      int place = next.getAndIncrement();
      if (place < expected) {
        times.set(place, nanos);
      }
      all.countDown();
    }
  }

  /** Begins to count anew; the clock starts. */
  public static void expect(int runs) {
    ASLEEP.set(0);
    count = new Count(runs);
  }

  /** A run's body was carried out: what is kept is the time since {@link #expect}. */
  public static void executed() {
    Count here = count;
    here.add(System.nanoTime() - here.start);
  }

  /** A run is about to sleep. */
  public static void asleep() {
    ASLEEP.incrementAndGet();
  }

  public static int sleeping() {
    return ASLEEP.get();
  }

  /** A run woke up: what is kept is how late it was. */
  public static void awake(long dueMillis) {
    count.add((System.currentTimeMillis() - dueMillis) * 1_000_000);
  }

  /** Waits until all that were expected have reported. */
  public static Latencies await(long seconds) throws InterruptedException, TimeoutException {
    Count here = count;
    if (!here.all.await(seconds, TimeUnit.SECONDS)) {
      throw new TimeoutException(
          "%d of %d runs were not carried out within %d s"
              .formatted(here.all.getCount(), here.expected, seconds));
    }
    return here.times;
  }
}
