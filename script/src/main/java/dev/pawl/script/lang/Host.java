package dev.pawl.script.lang;

/** Where a script's time, chance and ids come from. What it gives becomes part of the state. */
public interface Host {
  /** Milliseconds since 1970; the same for the whole of a turn. */
  long nowMillis();

  /** At least 0 and less than 1. */
  double random();

  String uuid();
}
