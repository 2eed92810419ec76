package dev.pawl.store.sql.sqlite;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.store.sql.Migrations;
import dev.pawl.time.Ticker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes a file a store: the right version of SQLite, a write-ahead log, the tables. Several
 * processes may do it at once.
 */
final class Schema {
  /**
   * Before this version a write-ahead log that is reset while another process reads it can lose
   * writes.
   */
  static final String OLDEST_SQLITE = "3.51.3";

  /** "Pawl" in ASCII. */
  private static final int APPLICATION_ID = 0x5061_776c;

  private static final long WAL_RETRY_NANOS = 2_000_000;

  private static final Migrations MIGRATIONS = Migrations.read(Schema.class, "migrations");

  private Schema() {}

  static void prepare(Path file, SqliteOptions options, Instant now) throws SQLException {
    checkPlace(file);
    try (Session session = Session.connect(file, options)) {
      checkVersion(session.ask("SELECT sqlite_version()"));
      boolean fresh =
          session.ask("SELECT count(*) FROM sqlite_schema WHERE name = 'pawl_schema'").equals("0");
      boolean behind = fresh || MIGRATIONS.isBehind(session.connection(), "the store " + file);
      if (!session.ask("PRAGMA journal_mode").equals("wal")) {
        useWal(session, options);
      }
      if (behind) {
        migrate(session, file, now);
      }
    }
  }

  private static void checkPlace(Path file) {
    if (file.toString().indexOf('?') >= 0) {
      throw PawlException.badInput(
          "the path " + file + " has a '?' in it, which SQLite's driver takes for its own");
    }
    if (Files.isDirectory(file)) {
      throw new PawlException(
          ErrorCode.STORE_UNAVAILABLE,
          "the store " + file + " cannot be opened: it is a directory; name a file in it");
    }
    Path directory = directory(file);
    if (!Files.isDirectory(directory)) {
      throw new PawlException(
          ErrorCode.STORE_UNAVAILABLE,
          "the store "
              + file
              + " cannot be opened: there is no directory "
              + directory
              + "; create it");
    }
    if (Files.exists(file) ? !Files.isWritable(file) : !Files.isWritable(directory)) {
      throw new PawlException(
          ErrorCode.STORE_READ_ONLY,
          "the store "
              + file
              + " cannot be written; check the permissions of the file and of "
              + directory);
    }
  }

  private static Path directory(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file.toAbsolutePath() : parent;
  }

  static void checkVersion(String version) {
    if (Arrays.compare(numbers(version), numbers(OLDEST_SQLITE)) < 0) {
      throw new PawlException(
          ErrorCode.UNSUPPORTED,
          "SQLite "
              + version
              + " is loaded; Pawl needs "
              + OLDEST_SQLITE
              + " or newer, because older ones can lose writes when"
              + " several processes share a file. Put a newer sqlite-jdbc on the class path");
    }
  }

  private static int[] numbers(String version) {
    return Arrays.stream(version.split("\\.", -1)).mapToInt(Integer::parseInt).toArray();
  }

  /**
   * The change to a write-ahead log does not wait for other connections, so it is asked for until
   * it is made.
   */
  private static void useWal(Session session, SqliteOptions options) throws SQLException {
    Ticker ticker = Ticker.system();
    long start = ticker.nanos();
    while (true) {
      try {
        String mode = session.ask("PRAGMA journal_mode = WAL");
        if (mode.equals("wal")) {
          return;
        }
        throw new SQLException("the journal mode stays " + mode);
      } catch (SQLException e) {
        if (!Diagnosis.isBusy(e) || ticker.since(start).compareTo(options.busy()) > 0) {
          throw e;
        }
        LockSupport.parkNanos(WAL_RETRY_NANOS);
      }
    }
  }

  private static void migrate(Session session, Path file, Instant now) throws SQLException {
    session.sql("begin").perform();
    try {
      MIGRATIONS.apply(session.connection(), "the store " + file, now);
      if (session.ask("PRAGMA application_id").equals("0")) {
        session.execute("PRAGMA application_id = " + APPLICATION_ID);
      }
      session.sql("commit").perform();
    } catch (SQLException | RuntimeException e) {
      session.sql("rollback").perform();
      throw e;
    }
  }
}
