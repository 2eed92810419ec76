package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.graph.Graphs;
import dev.pawl.json.Json;
import dev.pawl.log.Run;

/** {@code pawl trigger}. */
final class Trigger implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of("trigger", "Give an input to a trigger.manual node of a graph's run.")
        .parameter("RUN", RUN_HELP)
        .parameter("NODE", "The id of the trigger in the graph")
        .optional("JSON", "The input: " + JSON_HELP)
        .option("--id", "ID", "The input counts once for its id. Default: a new one")
        .option("--cursor", "CURSOR", "Its place in the order of inputs, such as an offset")
        .flag("--end", "There will be no more inputs")
        .notes(
            """
            Examples:
              pawl trigger last approve '{"by":"ada"}'
              pawl trigger key:feed offsets 17 --id 17 --cursor 17
              pawl trigger last approve --end
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    String node = given.parameter("NODE");
    Json value =
        given.has("--end")
            ? Graphs.end()
            : Graphs.input(
                given.value("--id"),
                given.value("--cursor"),
                Input.json(session, "the input", given.optional("JSON")));
    try (Pawl pawl = session.open()) {
      Run run = RunAddress.find(pawl, given.parameter("RUN"));
      pawl.signal(run.id(), Graphs.signal(node), value);
      if (session.isJson()) {
        session.print(new JsonLine().put("id", run.id().toString()).put("node", node));
      } else {
        session.out().println("the input is in the mailbox of run " + run.id());
      }
    }
    return ExitCode.OK;
  }
}
