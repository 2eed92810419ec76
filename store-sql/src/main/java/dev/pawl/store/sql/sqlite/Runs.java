package dev.pawl.store.sql.sqlite;

import dev.pawl.error.PawlException;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.EventCodec;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.sql.Prepared;
import dev.pawl.store.sql.Row;
import dev.pawl.store.sql.RunRow;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The run rows and the logs, as the writer sees them. */
final class Runs {
  /**
   * An event in the form it is stored in. Making one is the part of an append that can fail for
   * what is in the event.
   */
  record Line(Entry entry, String kind, String data) {}

  private final Session session;
  private final Cache cache;

  Runs(Session session, Cache cache) {
    this.session = session;
    this.cache = cache;
  }

  // ---- finding ----

  /** Enough of a run to fence it; its row may be unknown still. */
  @Nullable Known fence(RunId id) throws SQLException {
    @Nullable Known known = cache.get(id);
    if (known == null) {
      known =
          session
              .sql("fence")
              .with(id.uuid())
              .first(row ->
                  new Known(
                      id, row.number(), row.number(), Status.parse(row.text()), row.number(), null))
              .orElse(null);
      if (known != null) {
        cache.put(known);
      }
    }
    return known;
  }

  /** A run with its row. */
  @Nullable Known find(RunId id) throws SQLException {
    @Nullable Known known = fence(id);
    if (known != null) {
      row(known);
    }
    return known;
  }

  /** As {@link #find}, for one that must be there. */
  Known get(RunId id) throws SQLException {
    @Nullable Known known = find(id);
    if (known == null) {
      throw PawlException.internal("run " + id + " vanished within a transaction");
    }
    return known;
  }

  /** A run that a scan has found, with its row. */
  Known get(ClaimScan.Candidate found) throws SQLException {
    @Nullable Known known = cache.get(found.id());
    if (known == null) {
      known = new Known(found.id(), found.rid(), 0, Status.PENDING, lastSeq(found.rid()), null);
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

  @Nullable Known findByKey(String key) throws SQLException {
    Optional<UUID> id = session.sql("id-by-key").with(key).first(Row::uuid);
    return id.isPresent() ? get(new RunId(id.get())) : null;
  }

  /** The row of a run. */
  Run row(Known known) throws SQLException {
    @Nullable Run run = known.run;
    if (run == null) {
      run =
          session
              .sql("run-by-rid")
              .with(known.rid)
              .first(RunRow::read)
              .orElseThrow(() -> PawlException.internal("run " + known.id + " has no row"));
      known.run = run;
    }
    return run;
  }

  List<RunId> awaitedChildren(RunId parent) throws SQLException {
    return session.sql("awaited-children").with(parent.uuid()).all(row -> new RunId(row.uuid()));
  }

  /** Whether the log has got any further than to a lease and signs of life. */
  boolean progressed(Known known) throws SQLException {
    return !session
        .sql("last-word")
        .with(known.rid)
        .first(Row::text)
        .orElse("leased")
        .equals("leased");
  }

  // ---- writing ----

  /** The events as they will stand in the log behind {@code lastSeq}. */
  static List<Line> lines(long lastSeq, Instant now, long epoch, List<? extends Event> events) {
    List<Line> lines = new ArrayList<>(events.size());
    for (Event event : events) {
      Entry entry = new Entry(lastSeq + lines.size() + 1, now, epoch, event);
      lines.add(new Line(entry, EventCodec.kind(event), EventCodec.data(event).text()));
    }
    return lines;
  }

  /**
   * Writes a new run with its first events; or nothing, and returns null, if its id or its key is
   * taken.
   */
  @Nullable Known insert(Run run, List<Line> log) throws SQLException {
    if (cache.lastRid == Cache.UNKNOWN) {
      cache.lastRid = session.sql("last-rid").number();
    }
    Known known = new Known(run.id(), cache.lastRid + 1, run.epoch(), run.status(), 0, run);
    if (RunRow.bindAll(session.sql("insert-run").with(known.rid), run).write() == 0) {
      return null;
    }
    cache.lastRid = known.rid;
    append(known, log);
    cache.put(known);
    return known;
  }

  void append(Known known, List<Line> lines) throws SQLException {
    Prepared insert = session.sql("insert-event");
    for (Line line : lines) {
      Entry entry = line.entry();
      insert
          .with(known.rid)
          .with(entry.seq())
          .with(entry.at())
          .with(entry.epoch())
          .with(line.kind())
          .with(line.data())
          .write();
      known.lastSeq = entry.seq();
    }
  }

  /** Writes what has changed of a row, with the statement that touches the fewest indexes. */
  void save(Known known, Run after) throws SQLException {
    Run before = row(known);
    if (!after.definition().equals(before.definition())) {
      session.sql("pin-run").withText(after.definition()).with(known.rid).write();
    }
    if (!after.result().equals(before.result()) || !after.lastError().equals(before.lastError())) {
      RunRow.bindSettled(session.sql("settle-run"), after).with(known.rid).write();
    } else if (isMove(before, after)) {
      RunRow.bindMove(session.sql("move-run"), after).with(known.rid).write();
    } else if (!after.lease().equals(before.lease())) {
      RunRow.bindLease(session.sql("extend-run").withInstant(after.due()), after)
          .with(known.rid)
          .write();
    } else if (!after.due().equals(before.due())) {
      session
          .sql("wake-run")
          .with(after.wakes())
          .with(after.wakeAfter())
          .withInstant(after.due())
          .with(known.rid)
          .write();
    } else if (after.wakes() != before.wakes() || after.wakeAfter() != before.wakeAfter()) {
      session.sql("count-wake").with(after.wakes()).with(after.wakeAfter()).with(known.rid).write();
    }
    known.run = after;
    known.epoch = after.epoch();
    known.status = after.status();
    cache.weigh(known);
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

  void hide(Known known, Run after) throws SQLException {
    session.sql("hide-run").withInstant(after.deletedAt()).with(known.rid).write();
    known.run = after;
  }

  /** A run to be removed. */
  record Purgeable(RunId id, long rid) {}

  /** The runs that were deleted before a moment, at most so many, by id. */
  List<Purgeable> purgeable(Instant deletedBefore, int max) throws SQLException {
    return session
        .sql("purgeable-runs")
        .with(deletedBefore)
        .with(max)
        .all(row -> new Purgeable(new RunId(row.uuid()), row.number()));
  }

  /** Removes a run and its log for good. */
  void purge(Purgeable run) throws SQLException {
    session.sql("purge-events").with(run.rid()).write();
    session.sql("purge-run").with(run.rid()).write();
    cache.remove(run.id());
  }
}
