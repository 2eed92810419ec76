package dev.pawl.store.sql.sqlite;

import dev.pawl.store.Store;
import dev.pawl.testkit.contract.TransactionalStoreContract;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** The store contract on SQLite. */
class SqliteStoreTest extends TransactionalStoreContract {
  @TempDir Path directory;
  private int files;

  @Override
  protected Store open(InstantSource clock) {
    files++;
    return SqliteStore.open(file(), SqliteOptions.defaults().clock(clock));
  }

  @Override
  protected Store reopen(Store store, InstantSource clock) {
    store.close();
    return SqliteStore.open(file(), SqliteOptions.defaults().clock(clock));
  }

  private Path file() {
    return directory.resolve("store-" + files + ".db");
  }

  @Override
  protected Notebook notebook(Store store) throws SQLException {
    String url = "jdbc:sqlite:" + file();
    try (Connection connection = DriverManager.getConnection(url)) {
      connection.createStatement().execute("CREATE TABLE note (text TEXT)");
    }
    return new Notebook() {
      @Override
      public void write(Object resource, String note) throws SQLException {
        try (var insert = ((Connection) resource).prepareStatement("INSERT INTO note VALUES (?)")) {
          insert.setString(1, note);
          insert.executeUpdate();
        }
      }

      @Override
      public List<String> notes() throws SQLException {
        List<String> notes = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url);
            var rows = connection.createStatement().executeQuery("SELECT text FROM note")) {
          while (rows.next()) {
            notes.add(rows.getString(1));
          }
        }
        return notes;
      }
    };
  }
}
