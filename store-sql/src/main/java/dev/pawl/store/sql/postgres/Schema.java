package dev.pawl.store.sql.postgres;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.store.sql.Migrations;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;

/** Makes a database a store. Several processes may do it at once: one of them does. */
final class Schema {
  private static final Migrations MIGRATIONS =
      Migrations.read(
          Schema.class,
          "migrations",
          new Migrations.Ledger(
              "CREATE SCHEMA IF NOT EXISTS workflow; CREATE TABLE IF NOT EXISTS"
                  + " workflow.workflow_schema (version integer PRIMARY KEY, name text NOT NULL,"
                  + " checksum text NOT NULL, applied_at timestamptz NOT NULL)",
              "SELECT version, name, checksum FROM workflow.workflow_schema ORDER BY version",
              "INSERT INTO workflow.workflow_schema (version, name, checksum, applied_at)"
                  + " VALUES (?, ?, ?, to_timestamp(?::float8 / 1000))"));

  /** Below it, Postgres lacks things this package uses. */
  private static final int OLDEST_VERSION = 140_000;

  private Schema() {}

  /** Brings the schema up to date, if it is not. */
  static void prepare(Connection connection, String where) throws SQLException {
    checkVersion(connection, where);
    if (hasLedger(connection) && !MIGRATIONS.isBehind(connection, "the store " + where)) {
      return;
    }
    connection.setAutoCommit(false);
    try {
      // "pawl" in ASCII. Held to the end of the transaction: whoever comes second finds it done.
      ask(connection, "SELECT pg_advisory_xact_lock(1885435756, 0)");
      checkForeign(connection, where);
      MIGRATIONS.apply(connection, "the store " + where, now(connection));
      connection.commit();
    } catch (SQLException | RuntimeException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /** The SQL that {@link #prepare} would execute; empty if nothing is missing. */
  static String script(Connection connection, String where) throws SQLException {
    int present = hasLedger(connection) ? MIGRATIONS.present(connection, "the store " + where) : 0;
    return present >= MIGRATIONS.newest() ? "" : MIGRATIONS.script(present, now(connection));
  }

  private static void checkVersion(Connection connection, String where) throws SQLException {
    int version = Integer.parseInt(ask(connection, "SHOW server_version_num"));
    if (version < OLDEST_VERSION) {
      throw new PawlException(
          ErrorCode.UNSUPPORTED,
          "the store "
              + where
              + " is Postgres "
              + ask(connection, "SHOW server_version")
              + "; Pawl needs 14 or newer: upgrade the server");
    }
  }

  private static boolean hasLedger(Connection connection) throws SQLException {
    return ask(connection, "SELECT to_regclass('workflow.workflow_schema') IS NOT NULL")
        .equals("t");
  }

  /** Somebody else's tables of these names are not ours to use. */
  private static void checkForeign(Connection connection, String where) throws SQLException {
    boolean foreign =
        !hasLedger(connection)
            && ask(connection, "SELECT to_regclass('workflow.workflow_run') IS NOT NULL")
                .equals("t");
    if (foreign) {
      throw new PawlException(
          ErrorCode.NOT_A_STORE,
          "the store "
              + where
              + " has a table workflow.workflow_run that Pawl did not make; use another database,"
              + " or rename that schema");
    }
  }

  private static Instant now(Connection connection) throws SQLException {
    return Instant.ofEpochMilli(
        Long.parseLong(
            ask(connection, "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint")));
  }

  static String ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery(sql)) {
      return results.next() ? String.valueOf(results.getString(1)) : "";
    }
  }
}
