package dev.pawl.script.lang;

import java.util.Optional;

/**
 * An error on its way in or out of a script.
 *
 * @param data JSON
 * @param line where in the script it was thrown, counted from 1; 0 if not in the script
 */
public record Failure(
    String code,
    String message,
    String type,
    String data,
    boolean retryable,
    int attempt,
    Source source,
    Optional<Failure> cause,
    String stack,
    int line,
    int column) {

  /** What failed: its kind, its id, and its name for people. */
  public record Source(String kind, String id, String name) {
    public static final Source NONE = new Source("", "", "");
  }

  public static Failure of(String code, String message) {
    return new Failure(
        code, message, "", "null", false, 0, Source.NONE, Optional.empty(), "", 0, 0);
  }

  public Failure withData(String json) {
    return new Failure(
        code, message, type, json, retryable, attempt, source, cause, stack, line, column);
  }

  public Failure withRetryable(boolean may) {
    return new Failure(code, message, type, data, may, attempt, source, cause, stack, line, column);
  }
}
