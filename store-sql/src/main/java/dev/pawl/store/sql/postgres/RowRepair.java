package dev.pawl.store.sql.postgres;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.EventCodec;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.sql.FreeText;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;

/** Replaces a row, on a connection of its own. To whoever knew the row its version is another. */
final class RowRepair {
  private static final String UNIQUE_VIOLATION = "23505";

  private RowRepair() {}

  static boolean replace(Database database, Run before, Run after) {
    try (Connection connection = database.single()) {
      connection.setAutoCommit(false);
      Session session = new Session(connection);
      Optional<Run> found =
          session.first(
              "run-to-replace",
              to -> to.uuid(before.id().uuid()),
              cells -> RunColumns.read(cells).run());
      boolean same = found.equals(Optional.of(before));
      if (same) {
        session.write("replace-run", to -> bind(to, after));
      }
      connection.commit();
      return same;
    } catch (SQLException e) {
      if (UNIQUE_VIOLATION.equals(e.getSQLState())) {
        throw PawlException.conflict(
            "the key '" + after.key().orElse("") + "' belongs to another run");
      }
      throw Diagnosis.of(e, database.where());
    }
  }

  private static void bind(Parameters to, Run run) throws SQLException {
    boolean waiting = run.lease().isEmpty() && !run.status().isTerminal();
    to.text(run.type())
        .text(run.payload().text())
        .text(RunColumns.word(run.status()))
        .number(run.priority())
        .text(run.key().orElse(null))
        .number(run.attempt())
        .number(run.maxAttempts())
        .text(run.lease().map(Run.Lease::worker).orElse(null))
        .moment(run.lease().map(Run.Lease::until).orElse(null))
        .number(run.epoch())
        .flag(run.begun())
        .flag(run.resumed())
        .number(run.crashes())
        .flag(run.cleanup())
        .number(run.wakes())
        .number(run.wakeAfter())
        .text(run.cancelling().map(FreeText::quote).orElse(null))
        .text(run.lastError().map(failure -> EventCodec.failure(failure).text()).orElse(null))
        .text(run.result().map(Json::text).orElse(null))
        .uuid(run.parent().map(RunId::uuid).orElse(null))
        .uuid(run.root().uuid())
        .text(run.bond().name().toLowerCase(Locale.ROOT))
        .text(run.definition().orElse(null))
        .text(run.tags().isEmpty() ? null : EventCodec.tags(run.tags()).text())
        .moment(run.deadline().orElse(null))
        .number(run.since())
        .uuid(run.forkedFrom().map(RunId::uuid).orElse(null))
        .moment(run.createdAt())
        .moment(run.updatedAt())
        .moment(run.finishedAt().orElse(null))
        .moment(run.deletedAt().orElse(null))
        .number(RunColumns.ttl(run))
        .number(RunColumns.rank(run))
        .moment(RunColumns.dueAt(run))
        .flag(waiting)
        .moment(run.due().orElse(null))
        .uuid(run.id().uuid());
  }
}
