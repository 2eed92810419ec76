package dev.pawl.bench.machine;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** What is in a database. */
public final class Tables {
  private static final String POSTGRES =
      """
      SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname)
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')
      ORDER BY c.oid
      """;
  private static final String SQLITE =
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";

  private static final int MOST_LOOKS = 50;
  private static final long LOOK_MILLIS = 100;

  private Tables() {}

  /** Their names, in the order in which they were made. */
  public static List<String> names(Database database, Connection connection) throws SQLException {
    List<String> names = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(database.isSqlite() ? SQLITE : POSTGRES)) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }

  /** How many rows there are when nobody adds any more, as far as a moment can tell. */
  public static long settledRows(Database database) throws SQLException {
    long before = rows(database);
    for (int look = 0; look < MOST_LOOKS; look++) {
      try {
        Thread.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return before;
      }
      long now = rows(database);
      if (now == before) {
        return now;
      }
      before = now;
    }
    return before;
  }

  /** How many rows there are, in all tables together. */
  public static long rows(Database database) throws SQLException {
    long rows = 0;
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String table : names(database, connection)) {
        try (ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
          row.next();
          rows += row.getLong(1);
        }
      }
    }
    return rows;
  }
}
