package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.log.RunId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "delete",
    description = "Hide a finished run from lists; it is removed for good some time later.",
    footer = {"", "Example:", "  pawl delete 0197a3c2-5f60-7cc1-8d6e-3b1f0a9e4c55"})
final class Delete implements Callable<Integer> {
  private final Session session;

  @Parameters(
      paramLabel = "RUN",
      description = "An id, its last 6 or more characters, key:KEY, or last.")
  private String run = "";

  Delete(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    try (Pawl pawl = session.open()) {
      RunId id = RunAddress.find(pawl, run).id();
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
