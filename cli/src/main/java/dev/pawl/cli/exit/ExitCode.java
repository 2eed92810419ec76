package dev.pawl.cli.exit;

import dev.pawl.error.ErrorCode;

/** How the process ends: the codes of sysexits.h, and two for the outcome of a run. */
public final class ExitCode {
  public static final int OK = 0;

  /** The run that was waited for failed; or a check found something. */
  public static final int FAILED = 1;

  /** The run that was waited for was cancelled. */
  public static final int CANCELLED = 2;

  public static final int USAGE = 64;
  public static final int DATA = 65;
  public static final int NO_INPUT = 66;
  public static final int UNAVAILABLE = 69;
  public static final int SOFTWARE = 70;
  public static final int CANNOT_CREATE = 73;
  public static final int IO = 74;
  public static final int TRY_AGAIN = 75;
  public static final int NO_PERMISSION = 77;

  private ExitCode() {}

  /** The exit code for an error of the engine. */
  public static int of(ErrorCode code) {
    return switch (code) {
      case BAD_INPUT -> USAGE;
      case BAD_JSON, BAD_VALUE, TOO_LARGE, CONFLICT, NOT_A_STORE, DIVERGED, CORRUPT -> DATA;
      case NOT_FOUND -> NO_INPUT;
      case STORE_UNAVAILABLE, STORE_TOO_NEW, UNSUPPORTED -> UNAVAILABLE;
      case STORE_READ_ONLY -> NO_PERMISSION;
      case STORE_FULL -> IO;
      case UNKNOWN_OUTCOME, TIMEOUT, FENCED -> TRY_AGAIN;
      case FAILED, AGGREGATE, POISONED, WORKER_LOST -> FAILED;
      case CANCELLED -> CANCELLED;
      case CLOSED, INTERNAL -> SOFTWARE;
    };
  }
}
