package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "pause",
    description = {
      "Keep runs of a type from being claimed, by all workers. They wait, they do not fail.",
      "What is being carried out goes on until its turn ends."
    },
    footer = {"", "Example:", "  pawl pause mail.send.v1"})
final class Pause implements Callable<Integer> {
  private final Session session;

  @Parameters(paramLabel = "TYPE", description = "The type.")
  private String type = "";

  Pause(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
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
