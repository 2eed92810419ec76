package dev.pawl.store.sql.postgres;

import dev.pawl.error.PawlException;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.EventCodec;
import dev.pawl.log.Run;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of somebody else's in the store's own database. What is started in it is there when
 * it commits, and never if it does not. Used by one thread.
 */
final class CallersTransaction {
  private record Surroundings(Instant now, long position, Instant storeSince) {}

  private final Session session;

  CallersTransaction(Connection connection) {
    this.session = new Session(connection);
  }

  /**
   * Starts a run.
   *
   * @param given the moment to use, if it is not the database's
   * @param storeSince tells the store that is meant from others
   * @param where that store, for messages
   */
  Outcome start(NewRun wanted, Optional<Instant> given, Instant storeSince, String where)
      throws SQLException {
    if (wanted.parent().isPresent() || wanted.origin().isPresent()) {
      throw PawlException.unsupported(
          "only a new root run can be started in the caller's transaction");
    }
    if (session.connection().getAutoCommit()) {
      throw PawlException.badInput(
          "a run was to be started in the caller's transaction, but the connection has none: it"
              + " commits by itself; call setAutoCommit(false) first, or start the run without a"
              + " connection");
    }
    Surroundings here =
        session
            .first(
                "look-around",
                none -> {},
                cells -> new Surroundings(cells.instant(), cells.number(), cells.instant()))
            .orElseThrow();
    if (!here.storeSince().equals(storeSince)) {
      throw PawlException.badInput(
          "a run was to be started in the store "
              + where
              + ", but the connection leads to the store in "
              + session.connection().getMetaData().getURL()
              + "; use a connection to the same database");
    }
    return start(wanted, given.orElse(here.now()), here.position());
  }

  private Outcome start(NewRun wanted, Instant now, long position) throws SQLException {
    Entry first = new Entry(1, now, 0, wanted.created(now, position));
    Run run = Run.created(wanted.id(), first);
    if (session.first("start-here", to -> bind(to, run, first.event()), Cells::uuid).isPresent()) {
      return new Outcome.Started(run, Optional.empty());
    }
    return new Outcome.AlreadyStarted(
        existing(wanted)
            .orElseThrow(() ->
                PawlException.conflict(
                    "the run "
                        + wanted.id()
                        + " or its key "
                        + wanted.key().map(key -> "'" + key + "' ").orElse("")
                        + "is taken by one that this transaction cannot see; end it and try"
                        + " again")));
  }

  private static void bind(Parameters to, Run run, Event created) throws SQLException {
    @Nullable String tags = run.tags().isEmpty() ? null : EventCodec.tags(run.tags()).text();
    to.uuid(run.id().uuid())
        .text(run.type())
        .text(run.payload().text())
        .number(run.priority())
        .moment(run.due().orElse(null))
        .text(run.key().orElse(null))
        .number(run.maxAttempts())
        .text(run.definition().orElse(null))
        .text(tags)
        .moment(run.deadline().orElse(null))
        .number(run.since())
        .number(RunColumns.ttl(run))
        .moment(run.createdAt())
        .text(EventCodec.data(created).text());
  }

  private Optional<Run> existing(NewRun wanted) throws SQLException {
    Optional<Run> same =
        session.first(
            "run-by-id", to -> to.uuid(wanted.id().uuid()), cells -> RunColumns.read(cells).run());
    return same.isPresent() || wanted.key().isEmpty()
        ? same
        : session.first(
            "run-by-key", to -> to.text(wanted.key().get()), cells -> RunColumns.read(cells).run());
  }
}
