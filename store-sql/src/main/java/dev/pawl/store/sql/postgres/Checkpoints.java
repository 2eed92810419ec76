package dev.pawl.store.sql.postgres;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.sql.batch.Line;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The commit of commands that only add to logs: one statement, which fences as it writes, and no
 * row is read or locked. If it wrote less than all, somebody was fenced, and the batch is done
 * again the long way, which tells whom and why.
 */
final class Checkpoints {
  private final Map<RunId, KnownRun> runs = new LinkedHashMap<>();
  private final List<Unit.Appended> entries = new ArrayList<>();
  private final List<@Nullable Outcome> outcomes = new ArrayList<>();

  private Checkpoints() {}

  /** Whether there is nothing else in the batch. */
  static boolean are(List<Command> commands) {
    return commands.stream()
        .allMatch(
            command -> command instanceof Command.Advance advance && Wanted.isCheckpoint(advance));
  }

  /** Writes the checkpoints; the caller commits. */
  static Written write(
      Session session, List<Command> commands, Optional<Instant> clock, boolean pooled)
      throws SQLException {
    Checkpoints all = new Checkpoints();
    for (Command command : commands) {
      all.add((Command.Advance) command);
    }
    Instant now = all.write(session, clock, pooled);
    List<Outcome> told = new ArrayList<>();
    for (@Nullable Outcome broken : all.outcomes) {
      told.add(broken == null ? new Outcome.Advanced(now) : broken);
    }
    return new Written(told, List.copyOf(all.runs.values()));
  }

  record Written(List<Outcome> outcomes, List<KnownRun> runs) {}

  private void add(Command.Advance advance) throws SQLException {
    KnownRun run =
        runs.computeIfAbsent(
            advance.run(), id -> KnownRun.presumed(id, advance.epoch(), advance.seq() - 1));
    if (run.epoch != advance.epoch() || run.lastSeq + 1 != advance.seq()) {
      Flush.expect(1, 0, "a writer's idea of its log");
    }
    try {
      for (Line line : Line.of(run.lastSeq, Instant.EPOCH, advance.epoch(), advance.events())) {
        entries.add(new Unit.Appended(run, line, !run.probed));
        run.probed = true;
        run.lastSeq = line.entry().seq();
      }
      outcomes.add(null);
    } catch (PawlException e) {
      outcomes.add(new Outcome.Broken(e));
    } catch (ArithmeticException | DateTimeException e) {
      outcomes.add(
          new Outcome.Broken(
              new PawlException(
                  ErrorCode.BAD_INPUT,
                  "a moment in the command is too far off to be stored: " + e.getMessage(),
                  e)));
    }
  }

  private record Answer(Instant now, long written) {}

  private Instant write(Session session, Optional<Instant> clock, boolean pooled)
      throws SQLException {
    List<Unit.Appended> sorted = Flush.sorted(entries);
    List<Answer> answers = new ArrayList<>();
    Session.Round round = session.round();
    if (pooled) {
      round.query("plan-by-index", none -> {}, cells -> 0);
    }
    round.query(
        "insert-checkpoints",
        to -> Flush.bind(to.moment(clock), sorted),
        cells -> answers.add(new Answer(cells.instant(), cells.number())));
    round.run();
    Flush.expect(sorted.size(), answers.get(0).written(), "a place in a log");
    return answers.get(0).now();
  }
}
