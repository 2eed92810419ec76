package dev.pawl.store.sql.postgres;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Hint;
import dev.pawl.store.Outcome;
import dev.pawl.store.sql.batch.Batch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
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
  private final BiConsumer<Hint, Optional<RunId>> hints;
  private final Optional<Notices> notices;
  private final HeldRuns held = new HeldRuns();
  private final Frontier frontier = new Frontier();
  private final Told told = new Told();

  /** Whether the last claim found something: then the next one may well, too. */
  private volatile boolean busy;

  /** What the database said last: the next transaction may find it so. */
  private volatile Unit.@Nullable Beginning last;

  /** What it said when there was a change under way; empty if there was none when it was asked. */
  private volatile Optional<Unsettled> unsettled = Optional.empty();

  /**
   * @param hints is given what may be worth a look, when it is committed, and which run it is
   *     about, if that is known
   * @param notices tells it to others
   */
  Writer(
      Database database,
      PostgresOptions options,
      StoreClock clock,
      BiConsumer<Hint, Optional<RunId>> hints,
      Optional<Notices> notices) {
    this.database = database;
    this.options = options;
    this.clock = clock;
    this.hints = hints;
    this.notices = notices;
  }

  /** Something may be there to be claimed: the next claim need not look first. */
  void expect() {
    told.more();
    busy = true;
  }

  /** Something else may be worth a look. */
  void expectOthers() {
    told.more();
  }

  /** Something may be there to be claimed, namely this run. */
  void expect(RunId due) {
    told.add(due);
    busy = true;
  }

  List<Outcome> commit(List<Command> commands) {
    try {
      Optional<Outcome> simple = commands.size() == 1 ? alone(commands.get(0)) : Optional.empty();
      return simple.isPresent() ? List.of(simple.get()) : together(commands);
    } catch (PawlException e) {
      if (e.code() == ErrorCode.UNKNOWN_OUTCOME) {
        forget(commands);
      }
      throw e;
    }
  }

  private void forget(List<Command> commands) {
    for (Command command : commands) {
      if (command instanceof Command.Advance advance) {
        held.forget(advance.run());
      }
    }
  }

  private List<Outcome> together(List<Command> commands) {
    Trust trust = Trust.KNOWN;
    int lost = 0;
    for (int tries = 1; ; tries++) {
      try {
        Done done = attempt(commands, trust);
        done.runs().forEach(run -> held.learn(run, done.era()));
        frontier.written(done.runs());
        done.outcomes().forEach(this::learn);
        done.hints().forEach(hint -> hints.accept(hint, Optional.empty()));
        if (!done.told()) {
          notices.ifPresent(others -> others.send(done.hints()));
        }
        return done.outcomes();
      } catch (SQLException e) {
        if (e instanceof Unseen) {
          trust = Trust.HELD;
        } else if (Diagnosis.isPassing(e) && tries < MAX_TRIES) {
          LOG.debug(
              "a transaction of {} commands is done again: {}", commands.size(), e.toString());
          trust = Trust.NOTHING;
        } else if (Diagnosis.isLost(e) && ++lost < MAX_LOST) {
          LOG.info("the connection to {} was lost before a commit; trying again", database.where());
          trust = Trust.NOTHING;
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

  /**
   * What came of a transaction.
   *
   * @param told whether others know of the hints already
   */
  private record Done(
      List<Outcome> outcomes, Set<Hint> hints, Collection<KnownRun> runs, long era, boolean told) {
    Done withTold() {
      return new Done(outcomes, hints, runs, era, true);
    }
  }

  private Optional<String> onTheHeels(Done done) {
    return notices.flatMap(others -> others.onTheHeels(done.hints()));
  }

  /** The last changes that were complete while another was under way, and since when. */
  private record Unsettled(Unit.Changes changes, Instant since) {
    private static final Duration LONG = Duration.ofSeconds(1);

    /** Whether the other one must have been given up by now: changes are not under way so long. */
    boolean isLong(Instant now) {
      return now.isAfter(since.plus(LONG));
    }
  }

  /** What a transaction believes without having looked. */
  private enum Trust {
    /** Everything that is known here, if that is enough; it asks nothing and goes there once. */
    KNOWN,

    /** What is remembered of runs held here. */
    HELD,

    NOTHING
  }

  /** One transaction. */
  private Done attempt(List<Command> commands, Trust trust) throws SQLException {
    Unit.@Nullable Beginning known = last;
    try (Connection connection = database.writer()) {
      long era = held.enter(options.hints() ? Optional.of(itself(connection)) : Optional.empty());
      Wanted wanted = new Wanted(commands, held, era, trust == Trust.NOTHING);
      return known != null && trust == Trust.KNOWN && wanted.isKnown() && known.covers(wanted.types)
          ? atOnce(connection, commands, wanted, known)
          : inTurn(connection, commands, wanted);
    }
  }

  private static Object itself(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class);
  }

  /** All of the transaction in one round, which is committed with its last statement. */
  private Done atOnce(
      Connection connection, List<Command> commands, Wanted wanted, Unit.Beginning known)
      throws SQLException {
    connection.setAutoCommit(true);
    Unit unit =
        Unit.presume(new Session(connection), wanted, known.at(clock.now()), !options.hints());
    try {
      Done done = carryOut(commands, unit, wanted.era());
      Optional<String> word = onTheHeels(done);
      if (word.isPresent()) {
        end(connection, unit, word);
      } else {
        Flush.write(unit);
      }
      return word.isPresent() ? done.withTold() : done;
    } catch (SQLException e) {
      if (Diagnosis.isLost(e)) {
        throw Diagnosis.ofCommit(e, database.where());
      }
      throw e;
    }
  }

  /** Reads, decides; then writes and commits. */
  private Done inTurn(Connection connection, List<Command> commands, Wanted wanted)
      throws SQLException {
    Unit unit;
    Done done;
    try {
      Set<RunId> due = wanted.onlyClaim.map(this::news).orElse(Set.of());
      unit =
          Unit.begin(
              new Session(connection), wanted, clock.given(), !options.hints(), frontier, due);
      done = carryOut(commands, unit, wanted.era());
      learn(unit, wanted);
    } catch (SQLException | RuntimeException | Error e) {
      undo(connection);
      throw e;
    }
    if (unit.writes() == 0) {
      connection.rollback();
      return done;
    }
    Optional<String> word = onTheHeels(done);
    end(connection, unit, word);
    return word.isPresent() ? done.withTold() : done;
  }

  /** The runs that a claim is to look for, if not for whatever is due. */
  private Set<RunId> news(Command.Claim claim) {
    Set<RunId> fresh = told.take();
    return claim.reach() == Command.Reach.NEWS ? fresh : Set.of();
  }

  private void learn(Unit unit, Wanted wanted) throws SQLException {
    unit.said().ifPresent(clock::learn);
    if (unit.beginning().isPresent()) {
      learn(unit.beginning().get(), unit, wanted);
    }
  }

  private void learn(Unit.Beginning said, Unit unit, Wanted wanted) throws SQLException {
    Unit.@Nullable Beginning before = last;
    last = before == null ? said : said.with(before);
    if (said.settled()) {
      unsettled = Optional.empty();
    } else if (!wanted.types.isEmpty()) {
      settle(said, unit.session);
    }
  }

  /**
   * Sees to it that starts need not look for ever because of a change that was not made after all.
   */
  private void settle(Unit.Beginning said, Session session) throws SQLException {
    Optional<Unsettled> since = unsettled.filter(one -> one.changes().equals(said.changes()));
    if (since.isEmpty()) {
      unsettled = Optional.of(new Unsettled(said.changes(), said.now()));
    } else if (since.get().isLong(said.now())) {
      unsettled = Optional.empty();
      session
          .round()
          .write("settle-position", none -> {}, rows -> {})
          .write("settle-registry", none -> {}, rows -> {})
          .run();
    }
  }

  private static Done carryOut(List<Command> commands, Unit unit, long era) throws SQLException {
    Batch batch = new Batch(unit, unit.now);
    List<Outcome> outcomes = new ArrayList<>(commands.size());
    for (Command command : commands) {
      outcomes.add(batch.apply(command));
    }
    return new Done(outcomes, batch.hints(), unit.runs.values(), era, false);
  }

  private void end(Connection connection, Unit unit, Optional<String> word) throws SQLException {
    try {
      Flush.commit(unit, word);
    } catch (SQLException e) {
      if (Diagnosis.isLost(e)) {
        throw Diagnosis.ofCommit(e, database.where());
      }
      undo(connection);
      throw e;
    }
  }

  private static void undo(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      LOG.debug("a transaction could not be rolled back; its connection is closed", e);
    }
  }

  /** What a command that comes alone comes to, if there is a shorter way to it. */
  private Optional<Outcome> alone(Command command) {
    return switch (command) {
      case Command.Claim claim when !busy && claim.max() > 0 -> peek(claim);
      case Command.Send send when !held.holds(send.run()) -> send(send);
      default -> Optional.empty();
    };
  }

  private Optional<Outcome> send(Command.Send send) {
    try (Connection connection = database.writer()) {
      Optional<String> word = notices.flatMap(others -> others.onTheHeelsOf(send.run()));
      LoneSend sent = send(connection, send, word);
      if (!sent.hints().isEmpty()) {
        frontier.fellDue();
      }
      sent.hints().forEach(hint -> hints.accept(hint, Optional.of(send.run())));
      if (word.isEmpty()) {
        notices.ifPresent(others -> others.send(sent.hints()));
      }
      return sent.isSent() ? Optional.of(new Outcome.Sent()) : Optional.empty();
    } catch (SQLException e) {
      if (Diagnosis.isPassing(e) || Diagnosis.isLost(e)) {
        return Optional.empty();
      }
      throw Diagnosis.of(e, database.where());
    }
  }

  private LoneSend send(Connection connection, Command.Send send, Optional<String> word)
      throws SQLException {
    try {
      return LoneSend.commit(new Session(connection), send, clock.given(), !options.hints(), word);
    } catch (SQLException e) {
      if (Diagnosis.isLost(e)) {
        throw Diagnosis.ofCommit(e, database.where());
      }
      undo(connection);
      throw e;
    }
  }

  /**
   * A look before a claim that comes alone, as an idle worker's does: if nothing is due, that is
   * all, and no transaction is begun.
   */
  private Optional<Outcome> peek(Command.Claim claim) {
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
