package dev.pawl.store.sql.postgres;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The errors of Postgres and its driver in Pawl's words. */
final class Diagnosis {
  private static final String SERIALIZATION_FAILURE = "40001";
  private static final String DEADLOCK = "40P01";
  private static final String UNIQUE_VIOLATION = "23505";

  /** A division by zero: so our statements say that what was presumed is not so. */
  private static final String PRESUMED_WRONGLY = "22012";

  private Diagnosis() {}

  /**
   * What an error amounts to that came before COMMIT was asked for: nothing was written.
   *
   * @param where the store, without its password
   */
  static PawlException of(SQLException error, String where) {
    SQLException root = telling(error);
    String state = state(root);
    return switch (state) {
      case "28P01", "28000" ->
          problem(
              ErrorCode.STORE_UNAVAILABLE,
              where,
              "refuses the login",
              "check user and password, and pg_hba.conf",
              root);
      case "3D000" ->
          problem(
              ErrorCode.STORE_UNAVAILABLE,
              where,
              "has no such database",
              "create it (createdb), or name another",
              root);
      case "42501" ->
          problem(
              ErrorCode.STORE_UNAVAILABLE,
              where,
              "does not give this user the rights it needs",
              "grant it the schema workflow and its tables, or let its owner run the migrations",
              root);
      case "25006" ->
          problem(
              ErrorCode.STORE_READ_ONLY,
              where,
              "takes no writes: it is a standby, or set to read only",
              "name the primary, or several hosts: postgres://user@host1,host2/database",
              root);
      case "53100" ->
          problem(ErrorCode.STORE_FULL, where, "has no room to grow", "free some disk space", root);
      case "53300" ->
          problem(
              ErrorCode.STORE_UNAVAILABLE,
              where,
              "has no connection left for us",
              "raise max_connections, or use fewer lanes",
              root);
      case "42P01", "3F000", "42703", "42883" ->
          problem(
              ErrorCode.NOT_A_STORE,
              where,
              "lacks tables that belong to a store",
              "look whether somebody changed the schema workflow; a fresh database gets it whole",
              root);
      case "55P03" ->
          problem(
              ErrorCode.STORE_UNAVAILABLE,
              where,
              "has a row locked by a transaction that does not end",
              "find it in pg_stat_activity and see what it does",
              root);
      case "22008" ->
          problem(
              ErrorCode.BAD_INPUT,
              where,
              "cannot keep a moment that is so far off",
              "name one before the year 200000",
              root);
      default ->
          isLost(root)
              ? problem(
                  ErrorCode.STORE_UNAVAILABLE,
                  where,
                  "cannot be reached",
                  "check that Postgres is running there, and host and port",
                  root)
              : problem(ErrorCode.STORE_UNAVAILABLE, where, "does not work", "see the cause", root);
    };
  }

  /** What an error in COMMIT itself amounts to. */
  static PawlException ofCommit(SQLException error, String where) {
    String kind = state(telling(error));
    boolean undone =
        kind.startsWith("23")
            || kind.startsWith("40")
            || kind.startsWith("25")
            || kind.startsWith("53")
            || kind.startsWith("55");
    return undone && !kind.equals("40003")
        ? of(error, where)
        : problem(
            ErrorCode.UNKNOWN_OUTCOME,
            where,
            "was lost while a transaction was being committed: it may be there or not",
            "look whether it is",
            error);
  }

  /**
   * Whether the transaction was undone for what others did at the same time, and may be repeated.
   */
  static boolean isPassing(SQLException error) {
    String state = state(error);
    return state.equals(SERIALIZATION_FAILURE)
        || state.equals(DEADLOCK)
        || state.equals(UNIQUE_VIOLATION)
        || state.equals(PRESUMED_WRONGLY);
  }

  /** As if a statement had found out by itself that what was presumed is not so. */
  static SQLException presumedWrongly(String why) {
    return new SQLException(why, PRESUMED_WRONGLY);
  }

  /** Whether the connection is gone. */
  static boolean isLost(SQLException error) {
    String state = state(telling(error));
    return state.startsWith("08")
        || state.equals("57P01")
        || state.equals("57P02")
        || state.equals("57P03")
        || error instanceof java.sql.SQLTransientConnectionException
        || error instanceof java.sql.SQLRecoverableException;
  }

  /** The pool wraps what the driver says. */
  private static SQLException telling(SQLException error) {
    @Nullable Throwable cause = error.getCause();
    return state(error).isEmpty() && cause instanceof SQLException inner ? telling(inner) : error;
  }

  private static String state(SQLException error) {
    return Optional.ofNullable(error.getSQLState()).orElse("");
  }

  private static PawlException problem(
      ErrorCode code, String where, String found, String advice, SQLException error) {
    return new PawlException(
        code,
        "the store "
            + where
            + " "
            + found
            + "; "
            + advice
            + " (Postgres says: "
            + String.valueOf(error.getMessage()).strip()
            + ")",
        error);
  }
}
