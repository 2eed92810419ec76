package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "resume",
    description = "Let runs of a paused type go on.",
    footer = {"", "Example:", "  pawl resume mail.send.v1"})
final class Resume implements Callable<Integer> {
  private final Session session;

  @Parameters(paramLabel = "TYPE", description = "The type.")
  private String type = "";

  Resume(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
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
