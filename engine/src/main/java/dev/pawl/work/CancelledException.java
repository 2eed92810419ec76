package dev.pawl.work;

import dev.pawl.error.ErrorCode;
import dev.pawl.log.Failure;

/** The run is to be cancelled. Clean up and let it pass. */
public final class CancelledException extends FailedException {
  private static final long serialVersionUID = 1L;

  public CancelledException(String reason) {
    super(
        ErrorCode.CANCELLED,
        Failure.of(
            ErrorCode.CANCELLED.name(), reason.isEmpty() ? "the run was cancelled" : reason));
  }
}
