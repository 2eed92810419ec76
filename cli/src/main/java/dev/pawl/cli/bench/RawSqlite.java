package dev.pawl.cli.bench;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.store.sql.SqlStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What SQLite itself does with the rows of a store: the last rows of its runs and their log,
 * inserted again into empty tables of the same schema by one prepared statement in batches, with
 * the same durability and nothing else around it.
 */
public final class RawSqlite {
  private static final List<String> TABLES = List.of("pawl_run", "pawl_event");

  private RawSqlite() {}

  /** Rows a second, of at most {@code runs} runs with their log, {@code batch} rows to a commit. */
  public static double rowsPerSecond(Path store, int runs, int batch) {
    try {
      Path directory = Files.createTempDirectory("pawl-raw");
      Path copy = directory.resolve("raw.db");
      SqlStores.open("sqlite:" + copy).close();
      try (Connection from = DriverManager.getConnection("jdbc:sqlite:" + store);
          Connection to =
              DriverManager.getConnection(
                  "jdbc:sqlite:" + copy + "?jdbc.get_generated_keys=false")) {
        return copy(from, to, runs, batch);
      } finally {
        for (String suffix : List.of("", "-wal", "-shm")) {
          Files.deleteIfExists(directory.resolve("raw.db" + suffix));
        }
        Files.delete(directory);
      }
    } catch (IOException | SQLException e) {
      throw new PawlException(
          ErrorCode.STORE_UNAVAILABLE, "the raw inserts failed: " + e.getMessage(), e);
    }
  }

  private static double copy(Connection from, Connection to, int runs, int batch)
      throws SQLException {
    try (Statement settings = to.createStatement()) {
      settings.execute("PRAGMA journal_mode = WAL");
      settings.execute("PRAGMA synchronous = FULL");
      settings.execute("PRAGMA wal_autocheckpoint = 4000");
    }
    to.setAutoCommit(false);
    long oldest = oldest(from, runs);
    long rows = 0;
    long nanos = 0;
    for (String table : TABLES) {
      List<Object[]> values = read(from, table, oldest);
      String marks = String.join(",", Collections.nCopies(values.get(0).length, "?"));
      try (PreparedStatement insert =
          to.prepareStatement("INSERT INTO " + table + " VALUES (" + marks + ")")) {
        long start = System.nanoTime();
        insert(to, insert, values, batch);
        nanos += System.nanoTime() - start;
      }
      rows += values.size();
    }
    return rows / (nanos / 1e9);
  }

  private static long oldest(Connection from, int runs) throws SQLException {
    try (ResultSet last = from.createStatement().executeQuery("SELECT max(rid) FROM pawl_run")) {
      return last.getLong(1) - runs;
    }
  }

  private static List<Object[]> read(Connection from, String table, long oldest)
      throws SQLException {
    List<Object[]> values = new ArrayList<>();
    String rowid = table.equals("pawl_event") ? "rowid" : "rid";
    String query = "SELECT * FROM " + table + " WHERE rid > " + oldest + " ORDER BY " + rowid;
    try (ResultSet rows = from.createStatement().executeQuery(query)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        Object[] row = new Object[columns];
        for (int i = 0; i < columns; i++) {
          row[i] = rows.getObject(i + 1);
        }
        values.add(row);
      }
    }
    return values;
  }

  private static void insert(
      Connection to, PreparedStatement insert, List<Object[]> values, int batch)
      throws SQLException {
    int pending = 0;
    for (Object[] row : values) {
      for (int i = 0; i < row.length; i++) {
        insert.setObject(i + 1, row[i]);
      }
      insert.executeUpdate();
      if (++pending == batch) {
        to.commit();
        pending = 0;
      }
    }
    to.commit();
  }
}
