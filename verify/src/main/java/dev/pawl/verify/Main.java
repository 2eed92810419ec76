package dev.pawl.verify;

import dev.pawl.testkit.sim.Notation;
import dev.pawl.testkit.sim.Simulation;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;

/** {@code ./pawl verify}: plays seeds with flows, scripts and graphs. */
public final class Main {
  static final List<Notation> NOTATIONS = List.of(new ScriptNotation(), new GraphNotation());

  private static final int MISUSED = 64;
  private static final String USAGE =
      """
      usage: pawl verify [--hours N | --seeds N] [--only flows]
             pawl verify --seed S [--only flows]

      Plays the engine in simulated processes, on every processor, under one seed after the other:
      crashes, lost answers, pauses, late commits. Each run is held to each promise after each
      commit, and in the end everything must have come out as planned. A seed that fails is printed
      with the command that plays it again. Exits with 0 if none did.

        --hours N     how long (until it is stopped); parts of an hour too, 0.05
        --seeds N     how many
        --seed S      this one alone, and what happens in it
        --only flows  without scripts and graphs\
      """;

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(args, System.out, System.err));
  }

  static int run(String[] args, PrintStream out, PrintStream err) {
    if (Arrays.asList(args).contains("--help") || Arrays.asList(args).contains("-h")) {
      out.println(USAGE);
      return 0;
    }
    try {
      return Simulation.run(args, NOTATIONS, out) ? 0 : 1;
    } catch (IllegalArgumentException e) {
      err.println("pawl: " + e.getMessage() + " ('pawl verify --help')");
      return MISUSED;
    }
  }
}
