package dev.pawl.store.sql.sqlite;

import dev.pawl.store.Store;
import dev.pawl.testkit.contract.TransactionalStoreContract;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Everything that every store must do, done in a file. */
class SqliteStoreTest extends TransactionalStoreContract {
  @TempDir Path directory;
  private int files;

  @Override
  protected Store open(InstantSource clock) {
    files++;
    return reopened(clock);
  }

  @Override
  protected Store reopen(Store store, InstantSource clock) {
    store.close();
    return reopened(clock);
  }

  private Store reopened(InstantSource clock) {
    return SqliteStore.open(file(), SqliteOptions.defaults().clock(clock));
  }

  private Path file() {
    return directory.resolve("store-" + files + ".db");
  }

  @Override
  protected Notebook notebook(Store store) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE notes (note TEXT)");
    }
    return new Notebook() {
      @Override
      public void write(Object resource, String note) throws SQLException {
        try (PreparedStatement insert =
            ((Connection) resource).prepareStatement("INSERT INTO notes VALUES (?)")) {
          insert.setString(1, note);
          insert.executeUpdate();
        }
      }

      @Override
      public List<String> notes() throws SQLException {
        List<String> notes = new ArrayList<>();
        try (Connection connection = connect();
            Statement statement = connection.createStatement();
            ResultSet results = statement.executeQuery("SELECT note FROM notes")) {
          while (results.next()) {
            notes.add(results.getString(1));
          }
        }
        return notes;
      }
    };
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file());
  }
}
