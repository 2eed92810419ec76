package dev.pawl.time;

import java.time.InstantSource;

/** The machine's own clock. */
public final class SystemClock {
  private SystemClock() {}

  public static InstantSource instance() {
    return InstantSource.system();
  }
}
