package dev.pawl.cli.bench;

import java.util.Arrays;

/** How long each of many runs took. Each place is written by one thread. */
final class Latencies {
  private final long[] nanos;

  Latencies(int runs) {
    this.nanos = new long[runs];
  }

  void set(int run, long took) {
    nanos[run] = took;
  }

  /** The time, in milliseconds, within which this fraction of the runs had ended. */
  double percentileMillis(double fraction) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    int index = (int) Math.round(fraction * (sorted.length - 1));
    return sorted[index] / 1e6;
  }
}
