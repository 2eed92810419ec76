package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.RunJson;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.log.Run;

/** {@code pawl rewind}. */
final class Rewind implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of(
            "rewind",
            """
            Take a run back to a step: that step and all behind it are done again. What they did
            outside is not undone.
            """)
        .parameter("RUN", RUN_HELP)
        .parameter("STEP", "As 'pawl show' lists it: charge, or poll#2 for its third use")
        .notes(
            """
            Examples:
              pawl rewind key:order-17 charge
              pawl rewind 9e4c55 poll#2
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    String step = given.parameter("STEP");
    try (Pawl pawl = session.open()) {
      Run after = pawl.rewind(RunAddress.find(pawl, given.parameter("RUN")).id(), step);
      if (session.isJson()) {
        session.print(RunJson.summary(after));
      } else {
        session
            .out()
            .println("run " + after.id() + " is " + after.status().word() + " again, at " + step);
      }
    }
    return ExitCode.OK;
  }
}
