package dev.pawl.store.sql.sqlite;

import dev.pawl.error.PawlException;
import dev.pawl.log.Run;
import dev.pawl.store.sql.RunRow;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Replaces a row, on a connection of its own: so to everybody, the writer of this process too, it
 * is a change by somebody else, and what they remember of the row is forgotten.
 */
final class RowRepair {
  private RowRepair() {}

  static boolean replace(Path file, SqliteOptions options, Run before, Run after) {
    try (Session session = Session.connect(file, options)) {
      session.execute("BEGIN IMMEDIATE");
      Optional<Run> found = session.sql("run-by-id").with(before.id().uuid()).first(RunRow::read);
      boolean same = found.equals(Optional.of(before));
      if (same) {
        checkKey(session, after);
        RunRow.bindAll(session.sql("replace-run"), after).write();
      }
      session.execute("COMMIT");
      return same;
    } catch (SQLException e) {
      throw Diagnosis.of(e, file);
    }
  }

  private static void checkKey(Session session, Run after) throws SQLException {
    if (after.key().isPresent()) {
      Optional<Run> owner = session.sql("run-by-key").with(after.key().get()).first(RunRow::read);
      if (owner.filter(other -> !other.id().equals(after.id())).isPresent()) {
        throw PawlException.conflict(
            "the key '" + after.key().get() + "' belongs to run " + owner.get().id());
      }
    }
  }
}
