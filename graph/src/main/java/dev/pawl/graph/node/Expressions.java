package dev.pawl.graph.node;

import dev.pawl.json.Json;

/** A language for the expressions in properties. */
public interface Expressions {
  /**
   * Reads an expression.
   *
   * @throws dev.pawl.error.PawlException that says what is wrong with it
   */
  Expression read(String text);

  /** An expression that was read. Thread-safe. */
  @FunctionalInterface
  interface Expression {
    /**
     * Its value, given an object of what it may name as members of {@code Inputs}.
     *
     * @throws dev.pawl.work.FailedException if it has none
     */
    Json value(Json inputs);
  }
}
