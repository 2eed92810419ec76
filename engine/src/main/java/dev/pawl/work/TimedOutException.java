package dev.pawl.work;

import dev.pawl.error.ErrorCode;
import dev.pawl.log.Failure;

/** A time limit passed: of a wait, an attempt, or the run. */
public final class TimedOutException extends FailedException {
  private static final long serialVersionUID = 1L;

  public TimedOutException(String message) {
    this(Failure.of(ErrorCode.TIMEOUT.name(), message).withRetryable(true));
  }

  public TimedOutException(Failure failure) {
    super(ErrorCode.TIMEOUT, failure);
  }
}
