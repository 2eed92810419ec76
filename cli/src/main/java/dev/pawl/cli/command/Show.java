package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.inspect.Inspection;
import dev.pawl.cli.inspect.InspectionJson;
import dev.pawl.cli.inspect.InspectionText;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.program.ProgramKinds;
import dev.pawl.cli.program.ProgramView;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import java.util.Optional;

/** {@code pawl show}. */
final class Show implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of(
            "show",
            """
            Tell everything about a run: how it stands, what it waits for and since when, its
            steps, children, turns, errors and unread messages; of a script, the source with the
            line it stands at and the variables there.
            """)
        .parameter("RUN", RUN_HELP)
        .flag("--full", "Payload, result, errors, turns and source whole")
        .notes(
            """
            Examples:
              pawl show last
              pawl show key:order-17 --full
              pawl show 9e4c55 --json | jq '.steps[] | {name, millis}'

            JSON: what 'pawl ls --json --full' gives, and since now paused waits[] steps[] turns[]
            children[] unread[]; of a script also source line column ast_path locals
            __suspended_task.
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    try (Pawl pawl = session.open()) {
      Inspection facts = Inspection.of(pawl, RunAddress.find(pawl, given.parameter("RUN")));
      Optional<ProgramView> program = program(pawl, facts);
      if (session.isJson()) {
        JsonLine run = InspectionJson.of(facts);
        session.print(program.map(view -> view.addTo(run)).orElse(run));
      } else {
        boolean full = given.has("--full");
        session.print(InspectionText.of(facts, session.paint(), full));
        program.ifPresent(view -> session.print(view.lines(session.paint(), full)));
      }
    }
    return ExitCode.OK;
  }

  /** Where a run stands whose program is in the store. */
  private static Optional<ProgramView> program(Pawl pawl, Inspection facts) {
    return facts
        .run()
        .definition()
        .flatMap(pawl.store()::definition)
        .flatMap(definition ->
            ProgramKinds.find(definition.kind())
                .flatMap(kind -> kind.view(definition, facts.run(), facts.log())));
  }
}
