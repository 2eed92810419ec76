package dev.pawl.cli.bench;

import dev.pawl.error.PawlException;
import java.util.Locale;

/** What can be measured. */
public enum Work {
  /** No-op tasks, all queued first, then drained. */
  TASK(0),
  /** Flows of one no-op step. */
  FLOW1(1),
  /** Flows of five no-op steps. */
  FLOW5(5),
  /** Flows that wait for a signal: from the signal to the result. */
  SIGNAL(0),
  /** A parent that starts 1,000 children and awaits them all. */
  FANOUT1000(0);

  /** How many steps one run records. */
  final int steps;

  Work(int steps) {
    this.steps = steps;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Work parse(String word) {
    for (Work work : values()) {
      if (work.word().equals(word)) {
        return work;
      }
    }
    throw PawlException.badInput(
        "'"
            + word
            + "' is not a work that can be measured; there are task, flow1, flow5, signal and"
            + " fanout1000");
  }

  /** How many runs give a figure worth having in a few seconds. */
  public int defaultRuns() {
    return switch (this) {
      case TASK -> 10_000;
      case FLOW1 -> 2_000;
      case FLOW5 -> 20_000;
      case SIGNAL -> 1_000;
      case FANOUT1000 -> 5;
    };
  }

  public int defaultConcurrency() {
    return switch (this) {
      case TASK, FLOW5 -> 256;
      case FLOW1, SIGNAL, FANOUT1000 -> 1;
    };
  }
}
