package dev.pawl.store.sql;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The schema of a dialect as a list of numbered scripts, applied in order and remembered in {@code
 * pawl_schema} or what the dialect has for it. A script that was released is never changed: a new
 * one is added. Immutable.
 *
 * <p>A script whose name ends in {@code .additive.sql} takes nothing away from those who do not
 * know it: what they read and write is there and means what it meant. A Pawl that lacks that one
 * script, and no other, works on a store that has it; so a fleet can be renewed one by one. A store
 * that is further ahead is refused.
 */
public final class Migrations {
  /**
   * Where a dialect keeps what was applied.
   *
   * @param create makes the table if it is not there
   * @param applied selects version, name and checksum, by version
   * @param record inserts version, name, checksum and the moment in milliseconds
   */
  public record Ledger(String create, String applied, String record) {}

  private static final Ledger PLAIN =
      new Ledger(
          "CREATE TABLE IF NOT EXISTS pawl_schema (version INTEGER PRIMARY KEY, name TEXT NOT NULL,"
              + " checksum TEXT NOT NULL, applied_at BIGINT NOT NULL)",
          "SELECT version, name, checksum FROM pawl_schema ORDER BY version",
          "INSERT INTO pawl_schema (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)");

  private static final String ADDITIVE = ".additive.sql";

  private record Script(int version, String name, String sql, String checksum) {}

  private record Applied(int version, String name, String checksum) {}

  private final Ledger ledger;
  private final List<Script> scripts;

  private Migrations(Ledger ledger, List<Script> scripts) {
    this.ledger = ledger;
    this.scripts = List.copyOf(scripts);
  }

  /** Reads the scripts that the file {@code order.txt} lists, from the folder beside the class. */
  public static Migrations read(Class<?> beside, String folder) {
    return read(beside, folder, PLAIN);
  }

  /** As {@link #read(Class, String)}, with a ledger of the dialect's own. */
  public static Migrations read(Class<?> beside, String folder, Ledger ledger) {
    List<Script> scripts = new ArrayList<>();
    for (String file : Statements.resource(beside, folder + "/order.txt").lines().toList()) {
      String sql = Statements.resource(beside, folder + "/" + file);
      scripts.add(new Script(scripts.size() + 1, file, sql, checksum(sql)));
    }
    return new Migrations(ledger, scripts);
  }

  /** The newest version this code knows. */
  public int newest() {
    return scripts.size();
  }

  /**
   * Whether the store, which has a {@code pawl_schema}, lacks a migration.
   *
   * @param where the store, for messages
   * @throws PawlException if it was written by a newer version, or by other scripts than these
   */
  public boolean isBehind(Connection connection, String where) throws SQLException {
    return check(applied(connection), where) < newest();
  }

  /**
   * What {@link #apply} would execute, as a script for those who let somebody else execute it.
   *
   * @param present how many migrations there are already
   */
  public String script(int present, Instant now) {
    StringBuilder script = new StringBuilder(ledger.create()).append(";\n");
    for (Script missing : missing(present)) {
      script.append('\n').append(missing.sql().strip()).append("\n\n");
      String record = ledger.record();
      for (String value :
          List.of(
              Integer.toString(missing.version()),
              "'" + missing.name() + "'",
              "'" + missing.checksum() + "'",
              Long.toString(now.toEpochMilli()))) {
        record = record.replaceFirst("\\?", value);
      }
      script.append(record).append(";\n");
    }
    return script.toString();
  }

  /** How many migrations the store, which has a ledger, has. */
  public int present(Connection connection, String where) throws SQLException {
    return check(applied(connection), where);
  }

  /**
   * Applies what is missing. The caller has begun a transaction that no other can write beside.
   *
   * @throws PawlException as {@link #isBehind}
   */
  public void apply(Connection connection, String where, Instant now) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(ledger.create());
      int present = check(applied(connection), where);
      for (Script script : missing(present)) {
        statement.executeUpdate(script.sql());
        record(connection, script, now);
      }
    }
  }

  /** None if the store is ahead. */
  private List<Script> missing(int present) {
    return scripts.subList(Math.min(present, scripts.size()), scripts.size());
  }

  private int check(List<Applied> applied, String where) {
    for (Applied done : applied) {
      if (done.version() == newest() + 1 && done.name().endsWith(ADDITIVE)) {
        continue;
      }
      if (done.version() > newest()) {
        throw new PawlException(
            ErrorCode.STORE_TOO_NEW,
            where
                + " has schema version "
                + applied.get(applied.size() - 1).version()
                + ", this Pawl knows up to "
                + newest()
                + "; use the newer Pawl that wrote it");
      }
      Script script = scripts.get(done.version() - 1);
      if (!script.checksum().equals(done.checksum())) {
        throw new PawlException(
            ErrorCode.NOT_A_STORE,
            where
                + " has schema version "
                + done.version()
                + " from a script "
                + done.name()
                + " that is not the one this Pawl"
                + " has as "
                + script.name()
                + "; it was made by another build of Pawl: open it with that one, or start a new"
                + " store");
      }
    }
    return applied.size();
  }

  private List<Applied> applied(Connection connection) throws SQLException {
    List<Applied> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery(ledger.applied())) {
      while (results.next()) {
        found.add(new Applied(results.getInt(1), results.getString(2), results.getString(3)));
      }
    }
    return found;
  }

  private void record(Connection connection, Script script, Instant now) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ledger.record())) {
      statement.setInt(1, script.version());
      statement.setString(2, script.name());
      statement.setString(3, script.checksum());
      statement.setLong(4, now.toEpochMilli());
      statement.executeUpdate();
    }
  }

  private static String checksum(String sql) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(sql.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
