package dev.pawl.cli.bench;

import dev.pawl.json.Json;
import java.util.Locale;
import java.util.Optional;

/**
 * What came out of one work.
 *
 * @param commands how many commands were committed, in {@code commits} commits
 * @param rowsPerSecond durable rows written, of the log and of runs
 * @param rawRowsPerSecond what plain batched inserts of the same rows reach, where that was
 *     measured
 * @param resumes the most often that one parent was claimed, for a fan-out
 */
public record Figures(
    Work work,
    String store,
    String durability,
    int concurrency,
    int runs,
    double seconds,
    double p50Millis,
    double p99Millis,
    long commands,
    long commits,
    double rowsPerSecond,
    Optional<Double> rawRowsPerSecond,
    Optional<Long> resumes) {

  public double runsPerSecond() {
    return runs / seconds;
  }

  public double stepsPerSecond() {
    return runs * (double) work.steps / seconds;
  }

  Figures withRaw(double raw) {
    return new Figures(
        work,
        store,
        durability,
        concurrency,
        runs,
        seconds,
        p50Millis,
        p99Millis,
        commands,
        commits,
        rowsPerSecond,
        Optional.of(raw),
        resumes);
  }

  public Optional<Double> ofRaw() {
    return rawRowsPerSecond.map(raw -> rowsPerSecond / raw);
  }

  /** One JSON object. */
  public Json json() {
    StringBuilder out = new StringBuilder("{");
    text(out, "work", work.word());
    text(out, "system", "pawl");
    text(out, "store", store);
    text(out, "durability", durability);
    number(out, "concurrency", concurrency);
    number(out, "runs", runs);
    number(out, "seconds", seconds);
    number(out, "runsPerSecond", runsPerSecond());
    number(out, "stepsPerSecond", stepsPerSecond());
    number(out, "p50Millis", p50Millis);
    number(out, "p99Millis", p99Millis);
    number(out, "commands", (double) commands);
    number(out, "commits", (double) commits);
    number(out, "rowsPerSecond", rowsPerSecond);
    rawRowsPerSecond.ifPresent(raw -> number(out, "rawRowsPerSecond", raw));
    ofRaw().ifPresent(ratio -> number(out, "ofRaw", ratio));
    resumes.ifPresent(count -> number(out, "resumes", (double) count));
    out.setCharAt(out.length() - 1, '}');
    return Json.parse(out.toString());
  }

  private static void text(StringBuilder out, String name, String value) {
    Json.quote(name, out);
    out.append(':');
    Json.quote(value, out);
    out.append(',');
  }

  private static void number(StringBuilder out, String name, double value) {
    Json.quote(name, out);
    String digits = String.format(Locale.ROOT, "%.3f", value);
    out.append(':')
        .append(digits.endsWith(".000") ? digits.substring(0, digits.length() - 4) : digits)
        .append(',');
  }
}
