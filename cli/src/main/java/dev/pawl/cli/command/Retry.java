package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.RunJson;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.log.Run;

/** {@code pawl retry}. */
final class Retry implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of(
            "retry",
            """
            Give a failed or cancelled run another chance, from where it failed: completed steps
            are not done again. A run that has undone its work starts from the top.
            """)
        .parameter("RUN", RUN_HELP)
        .notes(
            """
            Examples:
              pawl retry key:order-17
              pawl ls --status failed --json | jq -r .id | xargs -n1 pawl retry
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    try (Pawl pawl = session.open()) {
      Run after = pawl.retry(RunAddress.find(pawl, given.parameter("RUN")).id());
      if (session.isJson()) {
        session.print(RunJson.summary(after));
      } else {
        session.out().println("run " + after.id() + " is " + after.status().word() + " again");
      }
    }
    return ExitCode.OK;
  }
}
