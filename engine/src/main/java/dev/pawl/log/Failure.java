package dev.pawl.log;

import dev.pawl.json.Json;
import java.util.Optional;

/**
 * An error as it is recorded and shown, the same everywhere. {@code code} and {@code message}
 * always say something; {@code type} is the exception's class name where there was one; {@code
 * attempt} is 0 where attempts are not counted.
 */
public record Failure(
    String code,
    String type,
    String message,
    Json data,
    boolean retryable,
    int attempt,
    Source source,
    Optional<Failure> cause,
    String stack) {

  /**
   * What failed: a run, a step, a child. {@code kind} is the word for it, {@code id} finds it,
   * {@code name} is for people.
   */
  public record Source(String kind, String id, String name) {
    public static final Source UNKNOWN = new Source("", "", "");
  }

  public Failure {
    code = code.isEmpty() ? "ERROR" : code;
    message = message.isEmpty() ? code : message;
  }

  public static Failure of(String code, String message) {
    return new Failure(
        code, "", message, Json.NULL, false, 0, Source.UNKNOWN, Optional.empty(), "");
  }

  public Failure from(Source where) {
    return new Failure(code, type, message, data, retryable, attempt, where, cause, stack);
  }

  public Failure atAttempt(int number) {
    return new Failure(code, type, message, data, retryable, number, source, cause, stack);
  }

  public Failure withRetryable(boolean may) {
    return new Failure(code, type, message, data, may, attempt, source, cause, stack);
  }

  /** One line for people: {@code CODE: message}. */
  public String summary() {
    return message.startsWith(code) ? message : code + ": " + message;
  }
}
