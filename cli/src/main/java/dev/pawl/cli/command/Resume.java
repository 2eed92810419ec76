package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;

/** {@code pawl resume}. */
final class Resume implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of("resume", "Let runs of a paused type go on.")
        .parameter("TYPE", "The type")
        .notes(
            """
            Example:
              pawl resume mail.send.v1
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    String type = given.parameter("TYPE");
    try (Pawl pawl = session.open()) {
      pawl.resume(type);
      if (session.isJson()) {
        session.print(new JsonLine().put("type", type).put("paused", false));
      } else {
        session.out().println(type + " goes on");
      }
    }
    return ExitCode.OK;
  }
}
