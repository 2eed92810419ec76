package dev.pawl.log;

import java.time.Instant;

/**
 * One thing a suspended run waits for. {@code op} is the number of the operation in the program
 * that waits.
 */
public sealed interface Wait {
  int op();

  /** Until a moment; {@code why} says what for, where it is not simply a sleep. */
  record Timer(int op, Instant at, String why) implements Wait {}

  /** For the next signal of a name. */
  record Signal(int op, String name) implements Wait {}

  /** For the first event on a topic behind a position. */
  record Topic(int op, String topic, long after) implements Wait {}

  /** For a child to finish. */
  record Child(int op, RunId child) implements Wait {}

  /** For a person to do something about it; {@code why} says what. */
  record Operator(int op, String why) implements Wait {}
}
