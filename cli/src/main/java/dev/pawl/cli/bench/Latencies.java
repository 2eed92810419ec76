package dev.pawl.cli.bench;

import java.util.Arrays;

/** How long each of many runs took. Each place is written by one thread. */
public final class Latencies {
  private final long[] nanos;

  public Latencies(int runs) {
    this.nanos = new long[runs];
  }

  public void set(int run, long took) {
    nanos[run] = took;
  }

  /** The first so many of them, where fewer runs were made than there was room for. */
  public Latencies first(int count) {
    Latencies some = new Latencies(count);
    System.arraycopy(nanos, 0, some.nanos, 0, count);
    return some;
  }

  /** The time, in milliseconds, within which this fraction of the runs had ended. */
  public double percentileMillis(double fraction) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    if (sorted.length == 0) {
      return 0;
    }
    int index = (int) Math.round(fraction * (sorted.length - 1));
    return sorted[index] / 1e6;
  }
}
