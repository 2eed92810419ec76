package dev.pawl.script.lang;

import java.util.List;

/** Short ways to run scripts in tests. */
final class Scripts {
  private Scripts() {}

  static Machine start(String source) {
    return start(source, "{}", Limits.DEFAULT);
  }

  static Machine start(String source, String inputs, Limits limits) {
    Script script = Script.parse("test.flow", source).orThrow();
    return Machine.start(
        script, inputs, new RunContext("run-1", "test", 1), new FixedHost(), limits);
  }

  /** The value of a script that waits for nothing. */
  static String value(String source) {
    return switch (start(source).run()) {
      case Step.Done done -> done.value();
      case Step other -> throw new AssertionError(other);
    };
  }

  static Failure error(String source) {
    return error(source, Limits.DEFAULT);
  }

  static Failure error(String source, Limits limits) {
    return switch (start(source, "{}", limits).run()) {
      case Step.Threw threw -> threw.error();
      case Step other -> throw new AssertionError(other);
    };
  }

  /** {@code CODE line:column} of every error of a script that is refused. */
  static List<String> refusals(String source) {
    return switch (Script.parse("test.flow", source)) {
      case Script script -> throw new AssertionError("accepted: " + script.source().text());
      case ScriptErrors errors ->
          errors.errors().stream()
              .map(error -> error.code() + " " + error.line() + ":" + error.column())
              .toList();
    };
  }

  static String messages(String source) {
    return ((ScriptErrors) Script.parse("test.flow", source)).show();
  }
}
