package dev.pawl.work;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.log.Failure;

/**
 * Something durable failed, and the failure is on record: a step, a child, a run. Handlers may also
 * throw it, to say in their own words what went wrong and whether trying again makes sense.
 */
public class FailedException extends PawlException {
  private static final long serialVersionUID = 1L;

  private final transient Failure failure;

  public FailedException(Failure failure) {
    this(ErrorCode.FAILED, failure);
  }

  FailedException(ErrorCode code, Failure failure) {
    super(code, failure.summary());
    this.failure = failure;
  }

  /** A failure that no further attempt can mend. */
  public static FailedException permanent(String code, String message) {
    return new FailedException(Failure.of(code, message));
  }

  /** A failure that may well pass. */
  public static FailedException temporary(String code, String message) {
    return new FailedException(Failure.of(code, message).withRetryable(true));
  }

  public final Failure failure() {
    return failure;
  }
}
