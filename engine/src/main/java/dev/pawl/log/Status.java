package dev.pawl.log;

import dev.pawl.error.PawlException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Where a run stands. The table of moves at the end is the whole of invariant T1. */
public enum Status {
  /** Recorded, and waiting for a worker: for its first start or, after a failure, for the next. */
  PENDING,
  /** A worker holds its lease. */
  RUNNING,
  /** Waiting for a time or for messages, holding nothing. */
  SUSPENDED,
  SUCCEEDED,
  FAILED,
  CANCELLED;

  public boolean isTerminal() {
    return this == SUCCEEDED || this == FAILED || this == CANCELLED;
  }

  /**
   * The states a run in this state may move to. Out of a terminal state there is only an operator's
   * rewind.
   */
  public Set<Status> next() {
    return switch (this) {
      case PENDING -> EnumSet.of(RUNNING, CANCELLED, PENDING);
      case RUNNING -> EnumSet.allOf(Status.class);
      case SUSPENDED -> EnumSet.of(RUNNING, CANCELLED, PENDING);
      case SUCCEEDED, FAILED, CANCELLED -> EnumSet.of(PENDING);
    };
  }

  /** The word used in stores, in JSON and on the terminal. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Status parse(String word) {
    for (Status status : values()) {
      if (status.word().equals(word)) {
        return status;
      }
    }
    throw PawlException.badInput(
        "'"
            + word
            + "' is not a status; there are pending, running, suspended, succeeded, failed and"
            + " cancelled");
  }
}
