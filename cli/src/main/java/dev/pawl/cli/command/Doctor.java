package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.cli.terminal.Text;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.doctor.Report;
import dev.pawl.doctor.Violation;
import dev.pawl.log.RunId;
import dev.pawl.store.Store;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/** {@code pawl doctor}. */
final class Doctor implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of(
            "doctor",
            """
            Check every run: fold its log, compare with its row, and hold it to the invariants that
            concern the store. Prints each violation with its run. Reads only; workers may go on.
            With --repair it then rebuilds broken rows from their logs, after asking.
            """)
        .optional("RUN", "Only this run: " + RUN_HELP)
        .flag("--repair", "Rebuild rows that are not what their logs add up to")
        .flag("--yes -y", "Do not ask before repairing")
        .notes(
            """
            Exits with 0 if all is well, with 1 if there is a violation; after a repair, with 1 if
            one is left. A log is the truth and never changed: what is wrong with one stays wrong.
            JSON: {"invariant", "run", "message"} per violation, then {"runs", "events",
            "violations"}; with --repair then {"run", "repaired", "why"} per run.
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    try (Pawl pawl = session.open()) {
      Store store = pawl.store();
      Set<RunId> ill = new LinkedHashSet<>();
      Consumer<Violation> each =
          violation -> {
            ill.add(violation.run());
            print(session, violation);
          };
      Report report =
          given
              .optional("RUN")
              .map(run -> RunAddress.find(pawl, run).id())
              .map(run -> dev.pawl.doctor.Doctor.check(store, run, each))
              .orElseGet(() -> dev.pawl.doctor.Doctor.check(store, each));
      print(session, report);
      boolean well =
          (given.has("--repair") && !ill.isEmpty())
              ? new RowRepairs(session, store).repair(ill, given.has("--yes"))
              : report.violations() == 0;
      return well ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private static void print(Session session, Violation violation) {
    if (session.isJson()) {
      session.print(
          new JsonLine()
              .put("invariant", violation.invariant())
              .put("run", violation.run().toString())
              .put("message", violation.message()));
    } else {
      session
          .out()
          .println(
              session.paint().apply(Tone.BAD, violation.invariant())
                  + "  "
                  + violation.run()
                  + "  "
                  + Text.oneLine(violation.message()));
    }
    session.out().flush();
  }

  private static void print(Session session, Report report) {
    if (session.isJson()) {
      session.print(
          new JsonLine()
              .put("runs", report.runs())
              .put("events", report.events())
              .put("violations", report.violations()));
      return;
    }
    boolean well = report.violations() == 0;
    String found = well ? "all is well" : report.violations() + " violations";
    session
        .out()
        .println(
            session.paint().apply(well ? Tone.GOOD : Tone.BAD, found)
                + ": "
                + report.runs()
                + " runs with "
                + report.events()
                + " events checked");
  }
}
