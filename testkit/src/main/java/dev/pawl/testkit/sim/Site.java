package dev.pawl.testkit.sim;

import dev.pawl.log.RunId;

/**
 * What programs can do in a simulated process besides what the engine gives them. Belongs to one
 * process.
 */
public interface Site {
  /** Tells that the code of a graph's node begins; it is held to what the log says of the node. */
  void began(RunId run, String node, int attempt);

  /** Works for a time, on the calling thread: mostly for less than this, seldom for very long. */
  void work(int usualMillis) throws InterruptedException;

  /** Waits, on the calling thread, for exactly this long. */
  void sleep(int millis) throws InterruptedException;
}
