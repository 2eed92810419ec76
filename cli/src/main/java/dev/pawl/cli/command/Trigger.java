package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.CommandException;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.graph.Graphs;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.Node;
import dev.pawl.graph.fold.Projection;
import dev.pawl.json.Json;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Definition;
import dev.pawl.store.Mail;
import java.util.List;
import java.util.Optional;

/** {@code pawl trigger}. */
final class Trigger implements Command {
  private static final String MANUAL = "trigger.manual";

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
            An input with an id that the trigger has had already changes nothing, and is told.

            Examples:
              pawl trigger last approve '{"by":"ada"}'
              pawl trigger key:feed offsets 17 --id 17 --cursor 17
              pawl trigger last approve --end

            JSON: id node added (false: an input with this id was there already).
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    String node = given.parameter("NODE");
    Optional<String> input = given.value("--id").filter(id -> !given.has("--end"));
    Json value =
        given.has("--end")
            ? Graphs.end()
            : Graphs.input(
                input,
                given.value("--cursor"),
                Input.json(session, "the input", given.optional("JSON")));
    try (Pawl pawl = session.open()) {
      Run run = RunAddress.find(pawl, given.parameter("RUN"));
      check(pawl, run, node);
      boolean there = input.filter(id -> isThere(pawl, run.id(), node, id)).isPresent();
      if (!there) {
        pawl.signal(run.id(), Graphs.signal(node), value);
      }
      tell(session, run.id(), node, input, !there);
    }
    return ExitCode.OK;
  }

  /** Refuses what no trigger would ever take. */
  private static void check(Pawl pawl, Run run, String node) {
    Optional<Graph> graph =
        run.definition()
            .map(hash -> pawl.store().definition(hash))
            .orElseGet(() -> pawl.store().newestDefinition(run.type()))
            .filter(found -> found.kind().equals(Graphs.KIND))
            .map(Definition::source)
            .map(Graph::parse);
    if (graph.isEmpty() || graph.get().node(node).filter(Trigger::isManual).isPresent()) {
      return;
    }
    List<String> triggers =
        graph.get().nodes().stream().filter(Trigger::isManual).map(Node::id).toList();
    throw CommandException.missing(
        "the graph of run "
            + run.id()
            + " has no node '"
            + node
            + "' of type "
            + MANUAL
            + (triggers.isEmpty() ? ", nor any other" : "; it has " + String.join(", ", triggers)));
  }

  private static boolean isManual(Node node) {
    return node.type().equals(MANUAL);
  }

  /** Whether an input with this id is in the mailbox or was taken out of it. */
  private static boolean isThere(Pawl pawl, RunId run, String node, String id) {
    boolean mailed =
        pawl.store().mail(run).stream()
            .anyMatch(mail ->
                mail instanceof Mail.Signal signal
                    && signal.name().equals(Graphs.signal(node))
                    && signal.value().member("id").equals(Json.string(id)));
    return mailed || Projection.of(pawl.log(run)).trigger(node).ids().contains(id);
  }

  private static void tell(
      Session session, RunId run, String node, Optional<String> input, boolean added) {
    if (session.isJson()) {
      session.print(new JsonLine().put("id", run.toString()).put("node", node).put("added", added));
    } else if (added) {
      session.out().println("the input is in the mailbox of run " + run);
    } else {
      session
          .out()
          .println(
              "an input with id "
                  + input.orElse("")
                  + " is there already in run "
                  + run
                  + "; nothing was added");
    }
  }
}
