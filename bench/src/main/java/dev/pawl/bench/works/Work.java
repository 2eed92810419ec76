package dev.pawl.bench.works;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What can be measured. */
public enum Work {
  /** No-op tasks, all queued at once, then drained. */
  TASK("no-op tasks, queued and drained", Unit.RUNS_PER_SECOND, 10_000),
  /** Flows of five no-op steps, many at once. */
  FLOW5("flows of 5 no-op steps", Unit.RUNS_PER_SECOND, 1_000_000),
  /** Flows of one no-op step, one at a time. */
  FLOW1("a flow of 1 step, one at a time", Unit.P50_MILLIS, 100_000),
  /** From the signal to the result of the flow that waited for it. */
  SIGNAL("from a signal to the result, two processes", Unit.P50_MILLIS, 200),
  /** Runs that all sleep until the same moment. */
  SLEEPERS("10,000 runs due at the same moment: lateness", Unit.P99_MILLIS, 10_000),
  /** A parent that starts and awaits 1,000 children. */
  FANOUT1000("a parent with 1,000 children", Unit.P50_MILLIS, 5),
  /** A worker process is killed with runs in flight; another finishes them. */
  RECOVERY("kill -9 with 1,000 runs in flight, until all are done", Unit.SECONDS, 1000),
  /** What suspended runs cost that wait for something. */
  PARKED("100,000 suspended runs", Unit.BYTES_PER_RUN, 100_000),
  /** Tasks with a payload of 100 KB. */
  PAYLOAD("tasks with 100 KB of payload", Unit.RUNS_PER_SECOND, 500),
  /** From the start of a process to the first result, and the jars that took. */
  STARTUP("from nothing to the first result", Unit.SECONDS, 1),
  /** One flow of 10,000 steps. */
  LONG("one flow of 10,000 steps", Unit.SECONDS, 10_000);

  /** What a work is judged by. */
  public enum Unit {
    RUNS_PER_SECOND("runs/s", true),
    P50_MILLIS("ms (p50)", false),
    P99_MILLIS("ms (p99)", false),
    SECONDS("s", false),
    BYTES_PER_RUN("bytes of memory a run", false);

    private final String label;
    private final boolean more;

    Unit(String label, boolean more) {
      this.label = label;
      this.more = more;
    }

    public String label() {
      return label;
    }

    /** Whether more is better. */
    public boolean isMoreBetter() {
      return more;
    }
  }

  private final String about;
  private final Unit unit;
  private final int runs;

  Work(String about, Unit unit, int runs) {
    this.about = about;
    this.unit = unit;
    this.runs = runs;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String about() {
    return about;
  }

  public Unit unit() {
    return unit;
  }

  /** How many runs are made; where a round has a time limit, the most. */
  public int runs() {
    return runs;
  }

  /** How many at once, in turn, unless somebody says otherwise. */
  public List<Integer> concurrencies() {
    return this == FLOW5 ? List.of(1, 16, 64, 256) : List.of(1);
  }

  /** Whether a round ends after some seconds, whatever has been done by then. */
  public boolean isTimed() {
    return this == FLOW5 || this == FLOW1 || this == SIGNAL || this == FANOUT1000;
  }

  /** Whether one round is worth as much as several. */
  public boolean isMadeOnce() {
    return this == RECOVERY || this == PARKED;
  }

  public static Work parse(String word) {
    return Arrays.stream(values())
        .filter(work -> work.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "'" + word + "' is not a work that can be measured; there are " + words()));
  }

  private static String words() {
    return Arrays.stream(values()).map(Work::word).collect(Collectors.joining(", "));
  }
}
