package dev.pawl.cli.exec;

import dev.pawl.log.RunId;
import java.time.Duration;
import java.util.OptionalInt;

/** Is told what happens to tasks, by many threads at once. */
public interface Report {
  /** How an attempt at a task ended. */
  enum Outcome {
    SUCCEEDED,
    /** It failed, and is worth another attempt if the run has one left. */
    FAILED,
    /** It failed for good. */
    REJECTED,
    CANCELLED,
    /** The worker stopped, or lost the lease: somebody else will carry the task out. */
    INTERRUPTED
  }

  /**
   * An attempt that ended.
   *
   * @param exit the process's exit code, if it ended by itself
   * @param message what went wrong; empty if nothing did
   */
  record Attempt(
      RunId run,
      String type,
      int number,
      Outcome outcome,
      Duration took,
      OptionalInt exit,
      String message) {}

  void ended(Attempt attempt);

  /** A line that a process wrote to its standard error. */
  void line(RunId run, String type, String text);
}
