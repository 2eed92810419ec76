package dev.pawl.script;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.script.lang.ScriptErrors;
import dev.pawl.script.lang.syntax.ScriptError;
import java.util.List;

/** A script has errors, and was not deployed. The message shows them all. */
public final class ScriptRefused extends PawlException {
  private static final long serialVersionUID = 1L;

  private final transient ScriptErrors errors;

  ScriptRefused(ScriptErrors errors) {
    super(ErrorCode.BAD_INPUT, errors.show());
    this.errors = errors;
  }

  /** All errors, in the order of their places. */
  public List<ScriptError> errors() {
    return errors.errors();
  }
}
