package dev.pawl.bench.works;

import dev.pawl.cli.bench.Latencies;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What came of an order.
 *
 * @param runs how many runs were made
 * @param more other figures by name
 */
public record Measured(
    int runs, double seconds, double p50Millis, double p99Millis, Map<String, Double> more) {

  public static Measured of(int runs, double seconds, Latencies latencies) {
    return new Measured(
        runs, seconds, latencies.percentileMillis(0.5), latencies.percentileMillis(0.99), Map.of());
  }

  public Measured with(String name, double value) {
    Map<String, Double> all = new LinkedHashMap<>(more);
    all.put(name, value);
    return new Measured(runs, seconds, p50Millis, p99Millis, Map.copyOf(all));
  }

  public double runsPerSecond() {
    return runs / seconds;
  }
}
