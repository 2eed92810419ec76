package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.inspect.Inspection;
import dev.pawl.cli.inspect.InspectionJson;
import dev.pawl.cli.inspect.InspectionText;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;

/** {@code pawl show}. */
final class Show implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of(
            "show",
            """
            Tell everything about a run: how it stands, what it waits for and since when, its
            steps, children, turns, errors and unread messages.
            """)
        .parameter("RUN", RUN_HELP)
        .flag("--full", "Payload, result, errors and turns whole")
        .notes(
            """
            Examples:
              pawl show last
              pawl show key:order-17 --full
              pawl show 9e4c55 --json | jq '.steps[] | {name, millis}'

            JSON: what 'pawl ls --json --full' gives, and since now paused waits[] steps[] turns[]
            children[] unread[].
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    try (Pawl pawl = session.open()) {
      Inspection facts = Inspection.of(pawl, RunAddress.find(pawl, given.parameter("RUN")));
      if (session.isJson()) {
        session.print(InspectionJson.of(facts));
      } else {
        session.print(InspectionText.of(facts, session.paint(), given.has("--full")));
      }
    }
    return ExitCode.OK;
  }
}
