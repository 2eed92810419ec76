package dev.pawl.store.sql.postgres;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.store.Command;
import dev.pawl.store.Hint;
import dev.pawl.store.Outcome;
import dev.pawl.store.sql.batch.Batch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who write: any number of transactions at once, each on a connection of its own.
 *
 * <p>A transaction first trusts what is remembered of runs held here. If the database disagrees as
 * it writes, it is undone and done again on rows that were locked and read first. Thread-safe.
 */
final class Writer {
  private static final Logger LOG = LoggerFactory.getLogger(Writer.class);

  /** How often a transaction is tried when others are in its way. */
  private static final int MAX_TRIES = 20;

  /** How often it is tried again on another connection when one was lost before COMMIT. */
  private static final int MAX_LOST = 3;

  private final Database database;
  private final PostgresOptions options;
  private final StoreClock clock;
  private final Consumer<Set<Hint>> hints;
  private final HeldRuns held = new HeldRuns();

  /** Whether the last claim found something: then the next one may well, too. */
  private volatile boolean busy;

  Writer(Database database, PostgresOptions options, StoreClock clock, Consumer<Set<Hint>> hints) {
    this.database = database;
    this.options = options;
    this.clock = clock;
    this.hints = hints;
  }

  List<Outcome> commit(List<Command> commands) {
    Optional<Outcome> nothing = commands.size() == 1 ? peek(commands.get(0)) : Optional.empty();
    if (nothing.isPresent()) {
      return List.of(nothing.get());
    }
    boolean careful = false;
    int lost = 0;
    for (int tries = 1; ; tries++) {
      try {
        Done done = attempt(commands, careful);
        done.runs().forEach(held::learn);
        done.outcomes().forEach(this::learn);
        hints.accept(done.hints());
        return done.outcomes();
      } catch (SQLException e) {
        if (Diagnosis.isPassing(e) && tries < MAX_TRIES) {
          LOG.debug(
              "a transaction of {} commands is done again: {}", commands.size(), e.toString());
          careful = true;
        } else if (Diagnosis.isLost(e) && ++lost < MAX_LOST) {
          LOG.info("the connection to {} was lost before a commit; trying again", database.where());
          careful = true;
        } else {
          throw Diagnosis.of(e, database.where());
        }
      }
    }
  }

  private void learn(Outcome outcome) {
    if (outcome instanceof Outcome.Claimed claimed) {
      busy = !claimed.activations().isEmpty();
    }
  }

  private record Done(List<Outcome> outcomes, Set<Hint> hints, Collection<KnownRun> runs) {}

  /** One transaction. */
  private Done attempt(List<Command> commands, boolean careful) throws SQLException {
    try (Connection connection = database.writer()) {
      Done done;
      boolean wrote;
      try {
        Session session = new Session(connection);
        if (!careful && Checkpoints.are(commands)) {
          Checkpoints.Written written =
              Checkpoints.write(session, commands, clock.given(), !options.hints());
          done = new Done(written.outcomes(), Set.of(), written.runs());
          wrote = true;
        } else {
          Wanted wanted = new Wanted(commands, held, careful);
          Unit unit = Unit.begin(session, wanted, clock.given(), !options.hints());
          clock.learn(unit.now);
          done = carryOut(commands, unit);
          wrote = unit.writes() > 0;
        }
      } catch (SQLException | RuntimeException | Error e) {
        undo(connection);
        throw e;
      }
      end(connection, wrote);
      return done;
    }
  }

  private static Done carryOut(List<Command> commands, Unit unit) throws SQLException {
    Batch batch = new Batch(unit, unit.now);
    List<Outcome> outcomes = new ArrayList<>(commands.size());
    for (Command command : commands) {
      outcomes.add(batch.apply(command));
    }
    Flush.write(unit);
    return new Done(outcomes, batch.hints(), unit.runs.values());
  }

  private void end(Connection connection, boolean wrote) throws SQLException {
    if (!wrote) {
      connection.rollback();
      return;
    }
    try {
      connection.commit();
    } catch (SQLException e) {
      if (Diagnosis.isPassing(e)) {
        undo(connection);
        throw e;
      }
      throw Diagnosis.ofCommit(e, database.where());
    }
  }

  private static void undo(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      LOG.debug("a transaction could not be rolled back; its connection is closed", e);
    }
  }

  /**
   * A look before a claim that comes alone, as an idle worker's does: if nothing is due, that is
   * all, and no transaction is begun.
   */
  private Optional<Outcome> peek(Command command) {
    if (busy || !(command instanceof Command.Claim claim) || claim.max() < 1) {
      return Optional.empty();
    }
    try (Connection connection = database.reader()) {
      Session session = new Session(connection);
      Seen seen =
          session
              .first(
                  "peek",
                  to ->
                      to.texts(claim.routes().prefixes())
                          .texts(claim.routes().types())
                          .text(claim.claimant().runtime()),
                  cells -> new Seen(cells.instant(), cells.optionalInstant()))
              .orElseThrow();
      clock.learn(seen.now());
      Instant now = clock.given().orElse(seen.now());
      return seen.due().filter(due -> !due.isAfter(now)).isPresent()
          ? Optional.empty()
          : Optional.of(new Outcome.Claimed(List.of(), seen.due()));
    } catch (SQLException e) {
      if (Diagnosis.isLost(e)) {
        return Optional.empty();
      }
      throw Diagnosis.of(e, database.where());
    }
  }

  private record Seen(Instant now, Optional<Instant> due) {}

  static PawlException closed(String where) {
    return new PawlException(ErrorCode.CLOSED, "the store " + where + " is closed");
  }
}
