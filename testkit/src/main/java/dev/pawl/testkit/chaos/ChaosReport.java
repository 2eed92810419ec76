package dev.pawl.testkit.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What was done, and what was found. Printed, it is a table.
 *
 * @param seed what chance began with
 * @param took how long it took
 * @param storm how long of this things were done to it, before everything healed
 * @param done what was done to it, by name
 * @param counts what it did meanwhile, by name
 * @param problems what must not be
 */
public record ChaosReport(
    long seed,
    Duration took,
    Duration storm,
    Map<String, Integer> done,
    Map<String, Long> counts,
    List<String> problems) {
  private static final int SHOWN = 20;

  public ChaosReport {
    problems = List.copyOf(problems);
  }

  public boolean isSound() {
    return problems.isEmpty();
  }

  /** How often something of this name was done. */
  public int done(String what) {
    return done.getOrDefault(what, 0);
  }

  /** How often an hour, had it gone on like that. */
  private long perHour(int often) {
    return Math.round(often * 3_600_000.0 / Math.max(1, storm.toMillis()));
  }

  /** Fails with the whole report if anything was wrong. */
  public ChaosReport assertSound() {
    if (!isSound()) {
      throw new AssertionError(toString());
    }
    return this;
  }

  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    lines.add("chaos, seed " + seed + ", " + took.toSeconds() + " s");
    lines.add(
        "  what was done to it in " + storm.toSeconds() + " s, and how often that is an hour");
    done.forEach(
        (what, often) -> lines.add("    %9d  %9d  %s".formatted(often, perHour(often), what)));
    lines.add("  what it did");
    counts.forEach((what, often) -> lines.add("    %9d  %s".formatted(often, what)));
    lines.add(
        isSound()
            ? "  nothing acknowledged is lost, no effect twice under one lease, every run has"
                + " ended, the doctor finds nothing"
            : "  " + problems.size() + " PROBLEMS");
    problems.stream().limit(SHOWN).forEach(problem -> lines.add("    ! " + problem));
    return String.join("\n", lines);
  }
}
