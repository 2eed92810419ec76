package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.json.Json;
import dev.pawl.log.Names;
import dev.pawl.log.Run;

/** {@code pawl signal}. */
final class Signal implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of("signal", "Send a signal to a run. It is kept until the run asks for it.")
        .parameter("RUN", RUN_HELP)
        .parameter("NAME", "The signal's name")
        .optional("JSON", "Its value: " + JSON_HELP)
        .notes(
            """
            Examples:
              pawl signal key:order-17 approved '{"by":"ada"}'
              pawl signal last stop
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    String name = Names.check("a signal's name", given.parameter("NAME"));
    Json value = Input.json(session, "the value", given.optional("JSON"));
    try (Pawl pawl = session.open()) {
      Run run = RunAddress.find(pawl, given.parameter("RUN"));
      pawl.signal(run.id(), name, value);
      if (session.isJson()) {
        session.print(new JsonLine().put("id", run.id().toString()).put("signal", name));
      } else {
        session.out().println("signal " + name + " is in the mailbox of run " + run.id());
      }
    }
    return ExitCode.OK;
  }
}
