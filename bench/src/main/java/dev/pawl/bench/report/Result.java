package dev.pawl.bench.report;

import dev.pawl.bench.works.Work;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * All rounds of one contender at one work.
 *
 * @param day when it was measured, such as 2026-11-16
 * @param stored how many suspended and as many finished runs were in the store beforehand, where
 *     that is what was measured
 */
public record Result(
    String day,
    Work work,
    String system,
    String store,
    boolean durable,
    int concurrency,
    Optional<Integer> stored,
    String settings,
    String durability,
    List<Sample> rounds) {

  public String contender() {
    return system.equals("pawl") || system.startsWith("raw") ? system + "-" + store : system;
  }

  public double runsPerSecond() {
    return median(sample -> sample.measured().runsPerSecond());
  }

  public double seconds() {
    return median(sample -> sample.measured().seconds());
  }

  public double p50Millis() {
    return median(sample -> sample.measured().p50Millis());
  }

  public double p99Millis() {
    return median(sample -> sample.measured().p99Millis());
  }

  public int runs() {
    return (int) median(sample -> sample.measured().runs());
  }

  /** What the work is judged by. */
  public double figure() {
    return median(this::figure);
  }

  private double figure(Sample sample) {
    return switch (work.unit()) {
      case RUNS_PER_SECOND -> sample.measured().runsPerSecond();
      case P50_MILLIS -> sample.measured().p50Millis();
      case P99_MILLIS -> sample.measured().p99Millis();
      case SECONDS -> sample.measured().seconds();
      case BYTES_PER_RUN -> sample.measured().more().getOrDefault("bytesPerRun", 0.0);
    };
  }

  /** How far the rounds lie apart: the largest less the smallest, by the median. */
  public double spread() {
    double[] sorted = rounds.stream().mapToDouble(this::figure).sorted().toArray();
    double median = figure();
    return median == 0 ? 0 : (sorted[sorted.length - 1] - sorted[0]) / median;
  }

  public double strangers() {
    return median(Sample::strangers);
  }

  /** The median of a further figure, if any round has it. */
  public Optional<Double> more(String name) {
    double[] values =
        rounds.stream()
            .map(sample -> sample.measured().more())
            .filter(more -> more.containsKey(name))
            .mapToDouble(more -> more.get(name))
            .toArray();
    return values.length == 0 ? Optional.empty() : Optional.of(median(values));
  }

  public Set<String> moreNames() {
    Set<String> names = new TreeSet<>();
    rounds.forEach(sample -> names.addAll(sample.measured().more().keySet()));
    return names;
  }

  private double median(ToDoubleFunction<Sample> figure) {
    return median(rounds.stream().mapToDouble(figure).toArray());
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
