package dev.pawl.cli.command;

import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;

/** {@code pawl check}. */
final class Check implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of(
            "check",
            """
            Find everything that is wrong with programs, without running them: each error with its
            place, the line itself, and what to write instead where that is known.
            """)
        .parameters("FILE", "A script, such as order.flow")
        .notes(
            """
            The exit code is 0 if all is well and 65 if not.

            Examples:
              pawl check order.flow
              pawl check flows/*.flow --json

            JSON, one object per error: file line column code message; of a file without errors:
            file type definition.
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    ProgramFiles files = ProgramFiles.read(session, given.values("FILE"));
    for (ProgramFiles.Sound file : files.sound()) {
      if (session.isJson()) {
        session.print(
            new JsonLine()
                .put("file", file.file())
                .put("type", file.definition().type())
                .put("definition", file.definition().hash()));
      } else {
        session.out().println(file.file() + ": " + file.definition().type());
      }
    }
    if (files.isSound()) {
      return ExitCode.OK;
    }
    files.complain(session, session.out());
    return ExitCode.DATA;
  }
}
