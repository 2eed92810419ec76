package dev.pawl.script.lang;

/** What stands for nothing, or for something that is not there yet. */
enum Null {
  /** The script's {@code null}. */
  NULL,
  /** A missing argument, property or a variable whose declaration has not run. Never seen. */
  UNSET,
  /** A frame was pushed, or the fiber gave way: the result is delivered later. */
  CALLED;

  @Override
  public String toString() {
    return "null";
  }
}
