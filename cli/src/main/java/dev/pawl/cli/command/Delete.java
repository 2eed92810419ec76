package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.log.RunId;

/** {@code pawl delete}. */
final class Delete implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of(
            "delete", "Hide a finished run from lists; it is removed for good some time later.")
        .parameter("RUN", RUN_HELP)
        .notes(
            """
            Example:
              pawl delete 0197a3c2-5f60-7cc1-8d6e-3b1f0a9e4c55
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    try (Pawl pawl = session.open()) {
      RunId id = RunAddress.find(pawl, given.parameter("RUN")).id();
      pawl.delete(id);
      if (session.isJson()) {
        session.print(new JsonLine().put("id", id.toString()).put("deleted", true));
      } else {
        session.out().println("run " + id + " is deleted");
      }
    }
    return ExitCode.OK;
  }
}
