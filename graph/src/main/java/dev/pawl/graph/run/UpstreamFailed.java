package dev.pawl.graph.run;

/** What a node reads has ended in a failure: it cannot complete. */
final class UpstreamFailed extends Exception {
  private static final long serialVersionUID = 1L;

  UpstreamFailed() {
    super("a node before this one has failed", null, false, false);
  }
}
