package dev.pawl.store.sql.sqlite;

import dev.pawl.log.RunId;
import dev.pawl.store.Store;
import dev.pawl.store.sql.RepairScenes;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.io.TempDir;

class SqliteRepairTest extends RepairScenes {
  @TempDir Path directory;

  @Override
  protected Store open() {
    return SqliteStore.open(directory.resolve("store.db"), SqliteOptions.defaults());
  }

  @Override
  protected String table() {
    return "pawl_run";
  }

  @Override
  protected String losingTheLease() {
    return "DELETE FROM pawl_event WHERE seq = 2";
  }

  @Override
  protected String isRun(RunId id) {
    return "id = x'" + id.uuid().toString().replace("-", "") + "'";
  }

  @Override
  protected void execute(String sql) {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("store.db"));
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA busy_timeout = 10000");
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
