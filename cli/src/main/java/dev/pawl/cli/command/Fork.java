package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.RunJson;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.json.Json;

/** {@code pawl fork}. */
final class Fork implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of(
            "fork",
            """
            Start a new run with the same payload and the history of RUN up to STEP, which is then
            done anew. RUN itself stays as it is. Prints the new run's id.
            """)
        .parameter("RUN", RUN_HELP)
        .parameter("STEP", "As 'pawl show' lists it: charge, or poll#2 for its third use")
        .notes(
            """
            Example:
              pawl fork key:order-17 charge
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    try (Pawl pawl = session.open()) {
      RunHandle<Json> fork =
          pawl.fork(RunAddress.find(pawl, given.parameter("RUN")).id(), given.parameter("STEP"));
      if (session.isJson()) {
        session.print(RunJson.summary(fork.run()));
      } else {
        session.out().println(fork.id());
      }
    }
    return ExitCode.OK;
  }
}
