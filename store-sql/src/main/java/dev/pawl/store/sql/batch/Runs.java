package dev.pawl.store.sql.batch;

import dev.pawl.error.PawlException;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The run rows and the logs, as a transaction sees them. */
public interface Runs {
  /** Enough of a run to fence it; its row may be unknown still. */
  @Nullable Known fence(RunId id) throws SQLException;

  /** A run with its row. */
  @Nullable Known find(RunId id) throws SQLException;

  /** As {@link #find}, for one that must be there. */
  default Known get(RunId id) throws SQLException {
    @Nullable Known known = find(id);
    if (known == null) {
      throw PawlException.internal("run " + id + " vanished within a transaction");
    }
    return known;
  }

  @Nullable Known findByKey(String key) throws SQLException;

  /** Whether there is a run of this id already, as far as is known before it is written. */
  boolean isTaken(RunId id) throws SQLException;

  /** The row of a run. */
  Run row(Known known) throws SQLException;

  /** The children that are cancelled with the run, by id. */
  List<RunId> awaitedChildren(RunId parent) throws SQLException;

  /** Whether the log has got any further than to a lease and signs of life. */
  boolean progressed(Known known) throws SQLException;

  /** Whether the log has it that this very order was carried out. */
  boolean isRewound(Known known, Command.Rewind order) throws SQLException;

  /**
   * Writes a new run with its first events; or nothing, and returns null, if its id or its key is
   * taken.
   */
  @Nullable Known insert(Run run, List<Line> log) throws SQLException;

  /** Refuses a row that the database could not hold, before anything of it is written. */
  default void check(Run after) {}

  void append(Known known, List<Line> lines) throws SQLException;

  /** Writes what has changed of a row. */
  void save(Known known, Run after) throws SQLException;

  /** Appends to a run's log, and writes the row that this leaves. */
  default void move(Known known, List<Line> lines, Run after) throws SQLException {
    append(known, lines);
    save(known, after);
  }

  /** Writes that a run was deleted. */
  void hide(Known known, Run after) throws SQLException;

  /**
   * Removes for good, with all they have, the runs that were deleted before a moment, at most so
   * many, by id; returns how many.
   */
  int purgeDeleted(Instant before, int max) throws SQLException;

  /**
   * Removes for good, with all they have, the runs whose time was over at a moment, deleted or not,
   * at most so many, the earliest first; returns how many.
   */
  int purgeExpired(Instant now, int max) throws SQLException;
}
