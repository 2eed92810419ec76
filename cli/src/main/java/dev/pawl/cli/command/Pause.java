package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;

/** {@code pawl pause}. */
final class Pause implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of(
            "pause",
            """
            Keep runs of a type from being claimed, by all workers. They wait, they do not fail.
            What is being carried out goes on until its turn ends.
            """)
        .parameter("TYPE", "The type")
        .notes(
            """
            Example:
              pawl pause mail.send.v1
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    String type = given.parameter("TYPE");
    try (Pawl pawl = session.openOrMake()) {
      pawl.pause(type);
      if (session.isJson()) {
        session.print(new JsonLine().put("type", type).put("paused", true));
      } else {
        session.out().println(type + " is paused; 'pawl resume " + type + "' lets it go on");
      }
    }
    return ExitCode.OK;
  }
}
