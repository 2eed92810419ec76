package dev.pawl.script.lang;

import java.util.List;
import java.util.Optional;

/** Errors of the script and failures of the host, made from each other. */
final class Errors {
  private static final List<String> OPTIONS = List.of("code", "data", "retryable", "cause");
  private static final int DEEPEST_CAUSE = 20;

  private Errors() {}

  /** {@code new Error(message, {code, data, retryable, cause})}. */
  static ErrorValue create(ListValue given, Fiber fiber, Machine machine) {
    Object message = given.size > 0 ? given.get(0) : "";
    Object options = given.size > 1 ? given.get(1) : Null.NULL;
    if (options != Null.NULL && !(options instanceof ObjectValue)) {
      throw Thrown.type(
          "the second argument of `new Error` is an object such as `{ code: \"FULL\" }`; here it is"
              + " "
              + Values.kind(options));
    }
    ObjectValue named = options instanceof ObjectValue o ? o : new ObjectValue(0);
    Options.check("new Error", named, OPTIONS);
    Object code = orNull(named.get("code"));
    if (code != Null.NULL && !(code instanceof String)) {
      throw Thrown.type("the code of an error is a text; here it is " + Values.kind(code));
    }
    String text = message == Null.NULL ? "" : Values.text(message, machine);
    ErrorValue error = new ErrorValue(code instanceof String s ? s : "ERROR", text);
    error.data = orNull(named.get("data"));
    error.cause = orNull(named.get("cause"));
    error.retryable = Values.isTrue(orNull(named.get("retryable")));
    machine.allocate(Machine.ERROR_BYTES);
    machine.calls.place(fiber, error);
    return error;
  }

  private static Object orNull(Object value) {
    return value == Null.UNSET ? Null.NULL : value;
  }

  /** A failure of the host as the script sees it. */
  static ErrorValue fromHost(Failure failure, Machine machine) {
    return fromHost(failure, machine, 0);
  }

  private static ErrorValue fromHost(Failure failure, Machine machine, int depth) {
    ErrorValue error = new ErrorValue(failure.code(), failure.message());
    error.type = failure.type();
    error.data = machine.fromJson(failure.data());
    error.retryable = failure.retryable();
    error.attempt = failure.attempt();
    error.stack = failure.stack();
    if (!failure.source().equals(Failure.Source.NONE)) {
      ObjectValue source = new ObjectValue();
      source.put("kind", failure.source().kind());
      source.put("id", failure.source().id());
      source.put("name", failure.source().name());
      error.source = source;
    }
    if (failure.cause().isPresent() && depth < DEEPEST_CAUSE) {
      error.cause = fromHost(failure.cause().get(), machine, depth + 1);
    }
    machine.allocate(Machine.ERROR_BYTES);
    return error;
  }

  /** What the host is told of a value that nobody caught. */
  static Failure toHost(Object thrown, Machine machine) {
    Failure plain = toHost(thrown, machine, 0);
    if (thrown instanceof ErrorValue) {
      return plain;
    }
    return new Failure(
        plain.code(),
        plain.message(),
        plain.type(),
        plain.data(),
        plain.retryable(),
        plain.attempt(),
        plain.source(),
        plain.cause(),
        plain.stack(),
        machine.calls.thrownLine(),
        machine.calls.thrownColumn());
  }

  private static Failure toHost(Object thrown, Machine machine, int depth) {
    return switch (thrown) {
      case ErrorValue error -> ofError(error, machine, depth);
      case String text -> Failure.of("ERROR", text);
      case ObjectValue object
          when object.get("code") instanceof String code
              && object.get("message") instanceof String message ->
          Failure.of(code, message)
              .withData(json(orNull(object.get("data")), machine))
              .withRetryable(Values.isTrue(orNull(object.get("retryable"))));
      default -> {
        String json = json(thrown, machine);
        yield Failure.of("ERROR", json).withData(json);
      }
    };
  }

  private static Failure ofError(ErrorValue error, Machine machine, int depth) {
    Optional<Failure> cause =
        error.cause == Null.NULL || depth >= DEEPEST_CAUSE
            ? Optional.empty()
            : Optional.of(toHost(error.cause, machine, depth + 1));
    return new Failure(
        error.code,
        error.message,
        error.type,
        json(error.data, machine),
        error.retryable,
        error.attempt,
        source(error.source),
        cause,
        error.stack,
        error.line,
        error.column);
  }

  private static Failure.Source source(Object value) {
    if (!(value instanceof ObjectValue source)) {
      return Failure.Source.NONE;
    }
    return new Failure.Source(textOf(source, "kind"), textOf(source, "id"), textOf(source, "name"));
  }

  private static String textOf(ObjectValue object, String key) {
    return object.get(key) instanceof String text ? text : "";
  }

  /** Telling of an error must not fail: what is no JSON is described instead. */
  private static String json(Object value, Machine machine) {
    try {
      return JsonWriter.write(value, machine);
    } catch (Thrown | LimitExceeded e) {
      return JsonWriter.quote(Values.kind(value));
    }
  }
}
