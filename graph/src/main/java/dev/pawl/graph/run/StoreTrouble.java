package dev.pawl.graph.run;

import dev.pawl.error.PawlException;

/** The store could not be read on behalf of a node. Not a failure of the node, but of the turn. */
final class StoreTrouble extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final PawlException problem;

  StoreTrouble(PawlException problem) {
    super("the store could not be read", problem, false, false);
    this.problem = problem;
  }

  PawlException problem() {
    return problem;
  }
}
