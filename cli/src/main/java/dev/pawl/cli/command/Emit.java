package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.json.Json;
import dev.pawl.log.Names;

/** {@code pawl emit}. */
final class Emit implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of(
            "emit",
            """
            Emit an event on a topic, to every run that waits on it or will. Tells how many runs
            it woke; a run that begins to wait later sees it too.
            """)
        .parameter("TOPIC", "The topic")
        .optional("JSON", "The value: " + JSON_HELP)
        .notes(
            """
            Example:
              pawl emit approved.order-17 '{"by":"ada"}'
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    String topic = Names.check("a topic", given.parameter("TOPIC"));
    Json value = Input.json(session, "the value", given.optional("JSON"));
    try (Pawl pawl = session.open()) {
      int woken = pawl.emit(topic, value);
      if (session.isJson()) {
        session.print(new JsonLine().put("topic", topic).put("woken", woken));
      } else {
        session.out().println("woke " + woken + (woken == 1 ? " run" : " runs"));
      }
    }
    return ExitCode.OK;
  }
}
