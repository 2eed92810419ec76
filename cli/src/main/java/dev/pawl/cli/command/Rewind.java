package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.json.RunJson;
import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.log.Run;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "rewind",
    description = {
      "Take a run back to a step: that step and all behind it are done again. What they did",
      "outside is not undone."
    },
    footer = {
      "",
      "Examples:",
      "  pawl rewind key:order-17 charge",
      "  pawl rewind 9e4c55 poll#2       the third use of the step 'poll'"
    })
final class Rewind implements Callable<Integer> {
  private final Session session;

  @Parameters(
      index = "0",
      paramLabel = "RUN",
      description = "An id, its last 6 or more characters, key:KEY, or last.")
  private String run = "";

  @Parameters(
      index = "1",
      paramLabel = "STEP",
      description = "As 'pawl show' lists it: charge, poll#2.")
  private String step = "";

  Rewind(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    try (Pawl pawl = session.open()) {
      Run after = pawl.rewind(RunAddress.find(pawl, run).id(), step);
      if (session.isJson()) {
        session.print(RunJson.summary(after));
      } else {
        session
            .out()
            .println(
                "run " + after.id() + " is " + after.status().word() + " again, before " + step);
      }
    }
    return ExitCode.OK;
  }
}
