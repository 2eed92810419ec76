package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.cli.json.RunJson;
import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.json.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "fork",
    description = {
      "Start a new run with the same payload and the history of RUN up to STEP, which is then",
      "done anew. RUN itself stays as it is. Prints the new run's id."
    },
    footer = {"", "Example:", "  pawl fork key:order-17 charge"})
final class Fork implements Callable<Integer> {
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

  Fork(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    try (Pawl pawl = session.open()) {
      RunHandle<Json> fork = pawl.fork(RunAddress.find(pawl, run).id(), step);
      if (session.isJson()) {
        session.print(RunJson.summary(fork.run()));
      } else {
        session.out().println(fork.id());
      }
    }
    return ExitCode.OK;
  }
}
