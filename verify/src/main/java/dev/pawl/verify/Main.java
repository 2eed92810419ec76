package dev.pawl.verify;

import dev.pawl.testkit.sim.Notation;
import dev.pawl.testkit.sim.Simulation;
import java.util.List;

/** {@code ./pawl verify}: plays seeds with flows, scripts and graphs. */
public final class Main {
  static final List<Notation> NOTATIONS = List.of(new ScriptNotation(), new GraphNotation());

  private Main() {}

  public static void main(String[] args) {
    System.exit(Simulation.run(args, NOTATIONS, System.out) ? 0 : 1);
  }
}
