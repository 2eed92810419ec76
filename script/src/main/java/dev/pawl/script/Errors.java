package dev.pawl.script;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import java.util.Optional;

/** Failures as the engine records them and as scripts see them. Pure. */
final class Errors {
  /** How much of a Java stack a script sees: it stays in the snapshot as long as the error does. */
  private static final int STACK_CHARS = 1_000;

  private Errors() {}

  /** What a script sees of a failure. */
  static dev.pawl.script.lang.Failure toScript(Failure failure) {
    Failure.Source source = failure.source();
    String stack = failure.stack();
    return new dev.pawl.script.lang.Failure(
        failure.code(),
        failure.message(),
        failure.type(),
        failure.data().text(),
        failure.retryable(),
        failure.attempt(),
        new dev.pawl.script.lang.Failure.Source(source.kind(), source.id(), source.name()),
        failure.cause().map(Errors::toScript),
        stack.length() <= STACK_CHARS ? stack : stack.substring(0, STACK_CHARS) + "…",
        0,
        0);
  }

  /** What is recorded of an error that a script did not catch. */
  static Failure fromScript(dev.pawl.script.lang.Failure failure) {
    var source = failure.source();
    return new Failure(
        failure.code(),
        failure.type(),
        failure.message(),
        data(failure.data()),
        failure.retryable(),
        failure.attempt(),
        new Failure.Source(source.kind(), source.id(), source.name()),
        failure.cause().map(Errors::fromScript),
        failure.stack());
  }

  /** Recording an error must not fail. */
  private static Json data(String json) {
    try {
      return Json.written(json);
    } catch (PawlException e) {
      return Json.string(String.valueOf(e.getMessage()));
    }
  }

  /** Whether the failure came from outside, where it was retried by a policy of its own. */
  static boolean isForeign(Failure failure) {
    return !failure.source().kind().isEmpty();
  }

  static Failure.Source source(Run run) {
    return new Failure.Source("run", run.id().toString(), run.type());
  }

  /** Why a child did not succeed; empty if it did. */
  static Optional<Failure> of(RunId child, String type, Event.ChildResult result) {
    Failure.Source source = new Failure.Source("child", child.toString(), type);
    return switch (result) {
      case Event.ChildResult.Succeeded done -> Optional.empty();
      case Event.ChildResult.Failed failed -> Optional.of(failed.failure().from(source));
      case Event.ChildResult.Cancelled cancelled ->
          Optional.of(
              Failure.of(
                      "CHILD_CANCELLED",
                      "child " + child + " of " + type + " was cancelled: " + cancelled.reason())
                  .from(source));
    };
  }
}
