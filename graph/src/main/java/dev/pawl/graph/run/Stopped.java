package dev.pawl.graph.run;

/** The turn is over, and with it the actor that hears this. Not a failure of its node. */
final class Stopped extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Stopped() {
    super("the turn of the graph has ended", null, false, false);
  }
}
