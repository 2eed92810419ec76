package dev.pawl.cli.command;

import dev.pawl.cli.exit.CommandException;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.terminal.Text;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.doctor.Doctor;
import dev.pawl.doctor.Repair;
import dev.pawl.doctor.Violation;
import dev.pawl.error.PawlException;
import dev.pawl.log.RunId;
import dev.pawl.store.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Rebuilds rows from logs, after asking, and says what cannot be. */
final class RowRepairs {
  private final Session session;
  private final Store store;

  RowRepairs(Session session, Store store) {
    this.session = session;
    this.store = store;
  }

  /** Returns whether nothing is wrong with any of the runs any more. */
  boolean repair(Collection<RunId> ill, boolean sure) {
    List<Repair.Rebuild> rebuilds = new ArrayList<>();
    boolean well = true;
    for (RunId run : ill) {
      switch (Repair.plan(store, run)) {
        case Repair.Rebuild rebuild -> rebuilds.add(rebuild);
        case Repair.Hopeless hopeless -> {
          tell(run, Optional.of(hopeless.why()));
          well = false;
        }
      }
    }
    if (rebuilds.isEmpty() || !(sure || ask(rebuilds.size()))) {
      return false;
    }
    for (Repair.Rebuild rebuild : rebuilds) {
      Optional<String> trouble = carryOut(rebuild);
      tell(rebuild.run(), trouble);
      well &= trouble.isEmpty();
    }
    return well;
  }

  /** Rebuilds one row; tells why it is still not well, if it is not. */
  private Optional<String> carryOut(Repair.Rebuild rebuild) {
    try {
      if (!Repair.carryOut(store, rebuild)) {
        return Optional.of("somebody changed it meanwhile; ask the doctor again");
      }
    } catch (PawlException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
    List<Violation> left = new ArrayList<>();
    Doctor.check(store, rebuild.run(), left::add);
    return left.isEmpty()
        ? Optional.empty()
        : Optional.of("its row was rebuilt; what is left is not in the row: " + left);
  }

  private boolean ask(int rows) {
    if (session.isJson()) {
      throw CommandException.usage(
          "--repair was asked for by a program; say --yes as well, since nobody can be asked");
    }
    session.out().flush();
    session
        .err()
        .print("rebuild " + rows + (rows == 1 ? " row from its log" : " rows from their logs"));
    session.err().print("? [y/N] ");
    session.err().flush();
    String answer = answer().strip();
    boolean yes = answer.equalsIgnoreCase("y") || answer.equalsIgnoreCase("yes");
    if (!yes) {
      session.note("nothing was changed");
    }
    return yes;
  }

  private String answer() {
    try {
      String line =
          new BufferedReader(new InputStreamReader(session.terminal().in(), StandardCharsets.UTF_8))
              .readLine();
      return line == null ? "" : line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void tell(RunId run, Optional<String> trouble) {
    if (session.isJson()) {
      JsonLine line = new JsonLine().put("run", run.toString()).put("repaired", trouble.isEmpty());
      session.print(line.put("why", trouble.orElse("")));
    } else {
      Tone tone = trouble.isEmpty() ? Tone.GOOD : Tone.BAD;
      String word = trouble.isEmpty() ? "repaired" : "not repaired";
      session
          .out()
          .println(
              session.paint().apply(tone, word)
                  + "  "
                  + run
                  + trouble.map(why -> "  " + Text.oneLine(why)).orElse(""));
    }
  }
}
