package dev.pawl.error;

import org.jspecify.annotations.Nullable;

/**
 * The root of every exception Pawl throws. Its message says what was asked, what was found and what
 * to do; its {@link #code} is stable.
 */
public class PawlException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  public PawlException(ErrorCode code, String message) {
    this(code, message, null);
  }

  public PawlException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public final ErrorCode code() {
    return code;
  }

  public static PawlException badInput(String message) {
    return new PawlException(ErrorCode.BAD_INPUT, message);
  }

  public static PawlException notFound(String message) {
    return new PawlException(ErrorCode.NOT_FOUND, message);
  }

  public static PawlException conflict(String message) {
    return new PawlException(ErrorCode.CONFLICT, message);
  }

  public static PawlException unsupported(String message) {
    return new PawlException(ErrorCode.UNSUPPORTED, message);
  }

  public static PawlException closed(String what) {
    return new PawlException(ErrorCode.CLOSED, what + " is closed");
  }

  public static PawlException internal(String message) {
    return new PawlException(
        ErrorCode.INTERNAL, message + " (this is a defect of Pawl; please report it)");
  }
}
