package dev.pawl.store.sql.sqlite;

import dev.pawl.error.PawlException;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.sql.Row;
import dev.pawl.store.sql.RunRow;
import dev.pawl.store.sql.batch.Known;
import dev.pawl.store.sql.batch.Line;
import dev.pawl.store.sql.batch.Runs;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The run rows and the logs, as the writer sees them. */
final class SqliteRuns implements Runs {
  private final Session session;
  private final Cache cache;

  SqliteRuns(Session session, Cache cache) {
    this.session = session;
    this.cache = cache;
  }

  // ---- finding ----

  @Override
  public @Nullable KnownRow fence(RunId id) throws SQLException {
    @Nullable KnownRow known = cache.get(id);
    if (known == null) {
      known =
          session
              .sql("fence")
              .with(id.uuid())
              .first(row ->
                  new KnownRow(
                      id, row.number(), row.number(), Status.parse(row.text()), row.number(), null))
              .orElse(null);
      if (known != null) {
        cache.put(known);
      }
    }
    return known;
  }

  @Override
  public @Nullable KnownRow find(RunId id) throws SQLException {
    @Nullable KnownRow known = fence(id);
    if (known != null) {
      row(known);
    }
    return known;
  }

  /** A run that a scan has found, with its row. */
  KnownRow get(ClaimScan.Candidate found) throws SQLException {
    @Nullable KnownRow known = cache.get(found.id());
    if (known == null) {
      known = new KnownRow(found.id(), found.rid(), 0, Status.PENDING, lastSeq(found.rid()), null);
      known.epoch = row(known).epoch();
      known.status = row(known).status();
      cache.put(known);
    }
    row(known);
    return known;
  }

  private long lastSeq(long rid) throws SQLException {
    return session.sql("last-seq").with(rid).number();
  }

  @Override
  public boolean isTaken(RunId id) throws SQLException {
    return fence(id) != null;
  }

  @Override
  public @Nullable Known findByKey(String key) throws SQLException {
    Optional<UUID> id = session.sql("id-by-key").with(key).first(Row::uuid);
    return id.isPresent() ? get(new RunId(id.get())) : null;
  }

  @Override
  public Run row(Known known) throws SQLException {
    @Nullable Run run = known.run;
    if (run == null) {
      run =
          session
              .sql("run-by-rid")
              .with(KnownRow.rid(known))
              .first(RunRow::read)
              .orElseThrow(() -> PawlException.internal("run " + known.id + " has no row"));
      known.run = run;
    }
    return run;
  }

  @Override
  public List<RunId> awaitedChildren(RunId parent) throws SQLException {
    return session.sql("awaited-children").with(parent.uuid()).all(row -> new RunId(row.uuid()));
  }

  @Override
  public boolean progressed(Known known) throws SQLException {
    return !session
        .sql("last-word")
        .with(KnownRow.rid(known))
        .first(Row::text)
        .orElse("leased")
        .equals("leased");
  }

  @Override
  public boolean isRewound(Known known, Command.Rewind order) throws SQLException {
    return session.sql("rewound-by").with(KnownRow.rid(known)).with(order.order().toString()).any();
  }

  // ---- writing ----

  @Override
  public @Nullable Known insert(Run run, List<Line> log) throws SQLException {
    if (cache.lastRid == Cache.UNKNOWN) {
      cache.lastRid = session.sql("last-rid").number();
    }
    KnownRow known = new KnownRow(run.id(), cache.lastRid + 1, run.epoch(), run.status(), 0, run);
    if (RunRow.bindAll(session.sql("insert-run").with(KnownRow.rid(known)), run).write() == 0) {
      return null;
    }
    cache.lastRid = known.rid;
    append(known, log);
    cache.put(known);
    return known;
  }

  @Override
  public void append(Known known, List<Line> lines) throws SQLException {
    for (Line line : lines) {
      session.append(KnownRow.rid(known), line);
      known.lastSeq = line.entry().seq();
    }
  }

  /** Takes the statement that touches the fewest indexes. */
  @Override
  public void save(Known known, Run after) throws SQLException {
    Run before = row(known);
    if (!after.definition().equals(before.definition())) {
      session.sql("pin-run").withText(after.definition()).with(KnownRow.rid(known)).write();
    }
    if (!after.result().equals(before.result()) || !after.lastError().equals(before.lastError())) {
      RunRow.bindSettled(session.sql("settle-run"), after).with(KnownRow.rid(known)).write();
    } else if (isMove(before, after)) {
      RunRow.bindMove(session.sql("move-run"), after).with(KnownRow.rid(known)).write();
    } else if (!after.lease().equals(before.lease())) {
      RunRow.bindLease(session.sql("extend-run").withInstant(after.due()), after)
          .with(KnownRow.rid(known))
          .write();
    } else if (!after.due().equals(before.due())) {
      session
          .sql("wake-run")
          .with(after.wakes())
          .with(after.wakeAfter())
          .withInstant(after.due())
          .with(KnownRow.rid(known))
          .write();
    } else if (after.wakes() != before.wakes() || after.wakeAfter() != before.wakeAfter()) {
      session
          .sql("count-wake")
          .with(after.wakes())
          .with(after.wakeAfter())
          .with(KnownRow.rid(known))
          .write();
    }
    known.become(after);
    cache.weigh((KnownRow) known);
  }

  /** Whether more has changed than a lease, a due time and the counts of messages. */
  private static boolean isMove(Run before, Run after) {
    return after.status() != before.status()
        || after.epoch() != before.epoch()
        || after.attempt() != before.attempt()
        || after.begun() != before.begun()
        || after.resumed() != before.resumed()
        || after.crashes() != before.crashes()
        || after.cleanup() != before.cleanup()
        || !after.cancelling().equals(before.cancelling())
        || !after.updatedAt().equals(before.updatedAt())
        || !after.finishedAt().equals(before.finishedAt());
  }

  @Override
  public void hide(Known known, Run after) throws SQLException {
    session.sql("hide-run").withInstant(after.deletedAt()).with(KnownRow.rid(known)).write();
    known.run = after;
  }

  /** A run to be removed. */
  private record Purgeable(RunId id, long rid) {}

  @Override
  public int purgeDeleted(Instant before, int max) throws SQLException {
    return purge("purgeable-runs", before, max);
  }

  @Override
  public int purgeExpired(Instant now, int max) throws SQLException {
    return purge("expired-runs", now, max);
  }

  private int purge(String which, Instant moment, int max) throws SQLException {
    List<Purgeable> gone =
        session
            .sql(which)
            .with(moment)
            .with(max)
            .all(row -> new Purgeable(new RunId(row.uuid()), row.number()));
    for (Purgeable run : gone) {
      for (String table : List.of("empty-mailbox", "clear-waits", "purge-events", "purge-run")) {
        session.sql(table).with(run.rid()).write();
      }
      cache.remove(run.id());
    }
    return gone.size();
  }
}
