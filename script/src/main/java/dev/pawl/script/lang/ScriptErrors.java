package dev.pawl.script.lang;

import dev.pawl.script.lang.syntax.ScriptError;
import java.util.List;
import java.util.stream.Collectors;

/** All errors of a script that cannot be run, in the order of their places. */
public record ScriptErrors(String name, List<ScriptError> errors) implements Parsed {
  /** Every error with its line and a caret, for people. */
  public String show() {
    return errors.stream()
        .map(error -> error.show(name))
        .collect(Collectors.joining(System.lineSeparator()));
  }

  @Override
  public Script orThrow() {
    throw new IllegalArgumentException(show());
  }
}
