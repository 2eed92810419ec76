package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.inspect.Inspection;
import dev.pawl.cli.inspect.InspectionJson;
import dev.pawl.cli.inspect.InspectionText;
import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "show",
    description = {
      "Tell everything about a run: how it stands, what it waits for and since when, its",
      "steps, children, turns, errors and unread messages."
    },
    footer = {
      "",
      "RUN is an id, its last 6 or more characters, key:KEY, or last (the newest run).",
      "",
      "Examples:",
      "  pawl show last",
      "  pawl show key:order-17 --full",
      "  pawl show 9e4c55 --json | jq '.steps[] | {name, millis}'",
      "",
      "JSON: what 'pawl ls --json --full' gives, and since now paused waits[] steps[] turns[]",
      "children[] unread[]."
    })
final class Show implements Callable<Integer> {
  private final Session session;

  @Parameters(paramLabel = "RUN", description = "Which run.")
  private String run = "";

  @Option(names = "--full", description = "Payload, result, errors and turns whole.")
  private boolean full;

  Show(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    try (Pawl pawl = session.open()) {
      Inspection facts = Inspection.of(pawl, RunAddress.find(pawl, run));
      if (session.isJson()) {
        session.print(InspectionJson.of(facts));
      } else {
        session.print(InspectionText.of(facts, session.paint(), full));
      }
    }
    return ExitCode.OK;
  }
}
