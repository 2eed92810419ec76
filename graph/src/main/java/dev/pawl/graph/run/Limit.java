package dev.pawl.graph.run;

import dev.pawl.work.TimedOutException;
import java.time.Duration;
import java.time.Instant;

/**
 * Until when a node may wait.
 *
 * @param name finds it again after a suspension
 * @param length how long that was from the beginning
 */
record Limit(String node, Instant at, String name, Duration length) {
  TimedOutException passed() {
    return passed(node, length);
  }

  static TimedOutException passed(String node, Duration length) {
    return new TimedOutException(
        "node '" + node + "' took longer than its limit of " + length.toMillis() + " ms");
  }
}
