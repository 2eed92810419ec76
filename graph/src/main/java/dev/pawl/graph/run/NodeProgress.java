package dev.pawl.graph.run;

import java.time.Duration;

/**
 * How far a node has come in a graph that is being executed here.
 *
 * @param in how many messages it has taken
 * @param out how many it has put out
 * @param took how long it has been executed, or was
 */
public record NodeProgress(
    String node, State state, int attempt, long in, long out, Duration took) {
  /** What it does. */
  public enum State {
    WAITING,
    RUNNING,
    COMPLETED,
    FAILED,
    /** It cannot complete, because another failed. */
    VOID
  }
}
