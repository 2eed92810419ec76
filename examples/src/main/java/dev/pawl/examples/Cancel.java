package dev.pawl.examples;

import dev.pawl.flow.Flow;
import org.jspecify.annotations.NullUnmarked;

/** Rents a machine, and gives it back however the run ends. */
@NullUnmarked
public final class Cancel {
  /** The world outside. */
  interface Machines {
    String rent();

    void giveBack(String machine);
  }

  private Cancel() {}

  // snippet:flow
  static Flow<String, String> job(Machines machines) {
    return Flow.define(
        "lab.job.v1",
        String.class,
        String.class,
        (ctx, name) -> {
          String machine = ctx.step("rent", String.class, machines::rent);
          try {
            return ctx.awaitSignal("done", String.class);
          } finally {
            ctx.step("give back", () -> machines.giveBack(machine));
          }
        });
  }
  // end
}
