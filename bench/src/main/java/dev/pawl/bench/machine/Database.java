package dev.pawl.bench.machine;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * A database somebody can be given.
 *
 * @param url as one address
 * @param jdbcUrl for JDBC, without user and password
 */
public record Database(String url, String jdbcUrl, String user, String password) {

  /** A file that does not exist yet. */
  public static Database sqlite(Path file) {
    return new Database("sqlite:" + file, "jdbc:sqlite:" + file, "", "");
  }

  /** For an engine that keeps everything to itself. */
  public static Database none() {
    return new Database("", "", "", "");
  }

  public boolean isSqlite() {
    return url.startsWith("sqlite:");
  }

  public boolean isPostgres() {
    return url.startsWith("postgres:");
  }

  public Connection connect() throws SQLException {
    return isSqlite()
        ? DriverManager.getConnection(jdbcUrl)
        : DriverManager.getConnection(jdbcUrl, user, password);
  }
}
