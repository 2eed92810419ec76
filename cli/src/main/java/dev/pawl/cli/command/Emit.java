package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.Session;
import dev.pawl.json.Json;
import dev.pawl.log.Names;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "emit",
    description = {
      "Emit an event on a topic, to every run that waits on it or will. Tells how many runs",
      "it woke; a run that begins to wait later sees it too."
    },
    footer = {"", "Example:", "  pawl emit approved.order-17 '{\"by\":\"ada\"}'"})
final class Emit implements Callable<Integer> {
  private final Session session;

  @Parameters(index = "0", paramLabel = "TOPIC", description = "The topic.")
  private String topic = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "JSON",
      description = "The value: JSON, @FILE, or - for standard input. Default: null.")
  private Optional<String> value = Optional.empty();

  Emit(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Names.check("a topic", topic);
    Json json = value.map(text -> Input.json(session, "the value", text)).orElse(Json.NULL);
    try (Pawl pawl = session.open()) {
      int woken = pawl.emit(topic, json);
      if (session.isJson()) {
        session.print(new JsonLine().put("topic", topic).put("woken", woken));
      } else {
        session.out().println("woke " + woken + (woken == 1 ? " run" : " runs"));
      }
    }
    return ExitCode.OK;
  }
}
