package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.json.Json;
import dev.pawl.log.Names;
import dev.pawl.log.Run;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "signal",
    description = "Send a signal to a run. It is kept until the run asks for it.",
    footer = {
      "",
      "Examples:",
      "  pawl signal key:order-17 approved '{\"by\":\"ada\"}'",
      "  pawl signal last stop"
    })
final class Signal implements Callable<Integer> {
  private final Session session;

  @Parameters(
      index = "0",
      paramLabel = "RUN",
      description = "An id, its last 6 or more characters, key:KEY, or last.")
  private String run = "";

  @Parameters(index = "1", paramLabel = "NAME", description = "The signal's name.")
  private String name = "";

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "JSON",
      description = "Its value: JSON, @FILE, or - for standard input. Default: null.")
  private Optional<String> value = Optional.empty();

  Signal(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Names.check("a signal's name", name);
    Json json = value.map(text -> Input.json(session, "the value", text)).orElse(Json.NULL);
    try (Pawl pawl = session.open()) {
      Run target = RunAddress.find(pawl, run);
      pawl.signal(target.id(), name, json);
      if (session.isJson()) {
        session.print(new JsonLine().put("id", target.id().toString()).put("signal", name));
      } else {
        session.out().println("signal " + name + " is in the mailbox of run " + target.id());
      }
    }
    return ExitCode.OK;
  }
}
