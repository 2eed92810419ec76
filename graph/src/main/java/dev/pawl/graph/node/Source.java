package dev.pawl.graph.node;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/** Where the inputs of a trigger come from. */
public sealed interface Source {
  /** From whoever names the run and the node, with an id that makes each input count once. */
  record Manual() implements Source {}

  /** From signals of this name to the run. */
  record Signal(String name) implements Source {}

  /** From events on this topic. */
  record Topic(String topic) implements Source {}

  /**
   * From the clock.
   *
   * @param next the first time behind another
   * @param catchUp whether times that passed unnoticed each give an input, or all of them one
   */
  record Schedule(Function<Instant, Optional<Instant>> next, boolean catchUp) implements Source {}
}
