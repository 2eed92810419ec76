package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.RunJson;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.log.Run;
import dev.pawl.log.Status;

/** {@code pawl cancel}. */
final class Cancel implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of(
            "cancel",
            """
            Cancel a run and the children it awaits. One that waits ends at once, unless it has
            cleaning up to do; one that runs is told, and ends when it has cleaned up.
            """)
        .parameter("RUN", RUN_HELP)
        .option("--reason", "TEXT", "Why; it is put on record")
        .flag("--force", "End it at once: nothing is undone or cleaned up")
        .notes(
            """
            Examples:
              pawl cancel key:order-17 --reason 'customer changed her mind'
              pawl cancel 9e4c55 --force
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    String reason = given.value("--reason").orElse("cancelled by an operator");
    try (Pawl pawl = session.open()) {
      Run run = RunAddress.find(pawl, given.parameter("RUN"));
      Run after = pawl.cancel(run.id(), reason, given.has("--force"));
      if (session.isJson()) {
        session.print(RunJson.summary(after));
      } else {
        session.out().println("run " + after.id() + tell(after));
      }
    }
    return ExitCode.OK;
  }

  private static String tell(Run run) {
    if (run.status() == Status.CANCELLED) {
      return " is cancelled";
    }
    return " is "
        + run.status().word()
        + " and has been told; it ends when it has cleaned up ('pawl log "
        + run.id()
        + " --follow')";
  }
}
