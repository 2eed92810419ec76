package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.json.RunJson;
import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "cancel",
    description = {
      "Cancel a run and the children it awaits. One that waits ends at once, unless it has",
      "cleaning up to do; one that runs is told, and ends when it has cleaned up."
    },
    footer = {
      "",
      "Examples:",
      "  pawl cancel key:order-17 --reason 'customer changed her mind'",
      "  pawl cancel 9e4c55 --force      at once, without any cleaning up"
    })
final class Cancel implements Callable<Integer> {
  private final Session session;

  @Parameters(
      paramLabel = "RUN",
      description = "An id, its last 6 or more characters, key:KEY, or last.")
  private String run = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why; it is put on record.")
  private String reason = "cancelled by an operator";

  @Option(names = "--force", description = "End it at once: nothing is undone or cleaned up.")
  private boolean force;

  Cancel(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    try (Pawl pawl = session.open()) {
      Run after = pawl.cancel(RunAddress.find(pawl, run).id(), reason, force);
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
