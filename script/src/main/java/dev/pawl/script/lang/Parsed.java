package dev.pawl.script.lang;

/** What came of reading a script: something that can run, or everything that is wrong with it. */
public sealed interface Parsed permits Script, ScriptErrors {
  /**
   * The script.
   *
   * @throws IllegalArgumentException with all errors, if there are any
   */
  Script orThrow();
}
