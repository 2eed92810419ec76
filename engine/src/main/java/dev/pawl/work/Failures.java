package dev.pawl.work;

import dev.pawl.error.PawlException;
import dev.pawl.log.Failure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns exceptions into failures for the record, and failures back into exceptions. Never throws.
 */
public final class Failures {
  private static final int MAX_CAUSES = 5;
  private static final int MAX_STACK_CHARS = 16_000;
  private static final int MAX_MESSAGE_CHARS = 16_000;

  private Failures() {}

  /** The failure an exception amounts to. */
  public static Failure of(Throwable error, Retry retry, int attempt, Failure.Source source) {
    Failure failure = of(error, MAX_CAUSES).withRetryable(retry.allows(error));
    Failure placed =
        failure.source().equals(Failure.Source.UNKNOWN) ? failure.from(source) : failure;
    return placed.attempt() == 0 ? placed.atAttempt(attempt) : placed;
  }

  /** The exception that stands for a recorded failure. */
  public static FailedException exception(Failure failure) {
    return switch (failure.code()) {
      case "TIMEOUT" -> new TimedOutException(failure);
      case "CANCELLED" -> new CancelledException(failure.message());
      default -> new FailedException(failure);
    };
  }

  private static Failure of(Throwable error, int causes) {
    if (error instanceof FailedException failed) {
      return failed.failure();
    }
    String code = error instanceof PawlException known ? known.code().name() : "ERROR";
    Failure bare = Failure.of(code, message(error));
    @Nullable Throwable cause = error.getCause();
    return new Failure(
        bare.code(),
        error.getClass().getName(),
        bare.message(),
        bare.data(),
        true,
        0,
        bare.source(),
        cause == null || causes == 0 ? Optional.empty() : Optional.of(of(cause, causes - 1)),
        causes == MAX_CAUSES ? stack(error) : "");
  }

  private static String message(Throwable error) {
    try {
      String message = error.getMessage();
      return message == null || message.isBlank()
          ? error.getClass().getSimpleName()
          : cut(message, MAX_MESSAGE_CHARS);
    } catch (RuntimeException e) {
      return error.getClass().getName()
          + " (its message could not be had: "
          + e.getClass().getName()
          + ")";
    }
  }

  private static String stack(Throwable error) {
    try {
      StringWriter out = new StringWriter();
      error.printStackTrace(new PrintWriter(out));
      return cut(out.toString(), MAX_STACK_CHARS);
    } catch (RuntimeException e) {
      return "";
    }
  }

  private static String cut(String text, int limit) {
    return text.length() <= limit
        ? text
        : text.substring(0, limit) + "… (" + text.length() + " characters)";
  }

  /**
   * Whether running the code again would only meet the same failure: it is a recorded one, or was
   * caused by it.
   */
  public static boolean isOnRecord(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (e instanceof FailedException failed && !failed.failure().source().kind().isEmpty()) {
        return true;
      }
    }
    return false;
  }
}
