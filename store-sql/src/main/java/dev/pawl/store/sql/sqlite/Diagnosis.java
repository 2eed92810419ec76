package dev.pawl.store.sql.sqlite;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** SQLite's errors in Pawl's words. */
final class Diagnosis {
  private static final int PRIMARY_CODE = 0xff;

  private Diagnosis() {}

  /** What an error amounts to that came before COMMIT was asked for: nothing was written. */
  static PawlException of(SQLException error, Path file) {
    return switch (primary(error)) {
      case SQLITE_NOTADB -> notAStore(file, error);
      case SQLITE_READONLY ->
          problem(
              ErrorCode.STORE_READ_ONLY,
              file,
              "cannot be written",
              "check the permissions of the file and its directory",
              error);
      case SQLITE_FULL ->
          problem(ErrorCode.STORE_FULL, file, "has no room to grow", "free some disk space", error);
      case SQLITE_BUSY, SQLITE_LOCKED ->
          problem(
              ErrorCode.STORE_UNAVAILABLE,
              file,
              "is held by another process, which does not end its transaction",
              "find it (fuser, lsof) and see what it does",
              error);
      case SQLITE_CANTOPEN ->
          problem(
              ErrorCode.STORE_UNAVAILABLE,
              file,
              "cannot be opened",
              "check that it is a file in a directory that exists, and the permissions",
              error);
      case SQLITE_CORRUPT ->
          problem(
              ErrorCode.STORE_UNAVAILABLE,
              file,
              "is damaged",
              "run 'PRAGMA integrity_check' on it with sqlite3, and restore a backup",
              error);
      default ->
          problem(ErrorCode.STORE_UNAVAILABLE, file, "does not work", "see the cause", error);
    };
  }

  /** What an error in COMMIT itself amounts to. */
  static PawlException ofCommit(SQLException error, Path file) {
    return switch (primary(error)) {
      case SQLITE_FULL, SQLITE_BUSY, SQLITE_READONLY, SQLITE_CONSTRAINT -> of(error, file);
      default ->
          problem(
              ErrorCode.UNKNOWN_OUTCOME,
              file,
              "failed while a transaction was being committed: it may be there or not",
              "look whether it is; check the disk",
              error);
    };
  }

  static PawlException notAStore(Path file, SQLException error) {
    return problem(
        ErrorCode.NOT_A_STORE,
        file,
        "is not a SQLite database",
        "name another file, or move this one out of the way",
        error);
  }

  static boolean isBusy(SQLException error) {
    return primary(error) == SQLiteErrorCode.SQLITE_BUSY;
  }

  private static PawlException problem(
      ErrorCode code, Path file, String found, String advice, SQLException error) {
    return new PawlException(
        code,
        "the store "
            + file
            + " "
            + found
            + "; "
            + advice
            + " (SQLite says: "
            + error.getMessage()
            + ")",
        error);
  }

  private static SQLiteErrorCode primary(SQLException error) {
    return error instanceof SQLiteException sqlite
        ? SQLiteErrorCode.getErrorCode(sqlite.getResultCode().code & PRIMARY_CODE)
        : SQLiteErrorCode.getErrorCode(error.getErrorCode() & PRIMARY_CODE);
  }
}
