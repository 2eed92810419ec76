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
    name = "retry",
    description = {
      "Give a failed or cancelled run another chance, from where it failed: completed steps",
      "are not done again. A run that has undone its work starts from the top."
    },
    footer = {
      "",
      "Examples:",
      "  pawl retry key:order-17",
      "  pawl ls --status failed --json | jq -r .id | xargs -n1 pawl retry"
    })
final class Retry implements Callable<Integer> {
  private final Session session;

  @Parameters(
      paramLabel = "RUN",
      description = "An id, its last 6 or more characters, key:KEY, or last.")
  private String run = "";

  Retry(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    try (Pawl pawl = session.open()) {
      Run after = pawl.retry(RunAddress.find(pawl, run).id());
      if (session.isJson()) {
        session.print(RunJson.summary(after));
      } else {
        session.out().println("run " + after.id() + " is " + after.status().word() + " again");
      }
    }
    return ExitCode.OK;
  }
}
