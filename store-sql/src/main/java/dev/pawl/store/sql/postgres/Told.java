package dev.pawl.store.sql.postgres;

import dev.pawl.log.RunId;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Runs that others said are due, until the next claim looks for them: it finds them by their keys,
 * and need not go through all the types it wants. Only as long as that is all there is to look for.
 * Thread-safe.
 */
final class Told {
  /** A claim of more is better made in the order of claims. */
  private static final int MAX_RUNS = 8;

  /**
   * Of claims that follow each other so closely that there is no time for all, so many look for
   * less.
   */
  private static final int MAX_IN_A_ROW = 4;

  private final Set<RunId> runs = new LinkedHashSet<>();
  private boolean more;
  private int inARow;

  /** Somebody says that a run is due. */
  synchronized void add(RunId run) {
    if (runs.size() < MAX_RUNS) {
      runs.add(run);
    } else {
      more = true;
    }
  }

  /** There may be something else to claim. */
  synchronized void more() {
    more = true;
  }

  /** A claim begins; returns the runs to look for, or none if it is to look for whatever is due. */
  synchronized Set<RunId> take() {
    boolean all = more || runs.isEmpty() || inARow == MAX_IN_A_ROW;
    Set<RunId> taken = all ? Set.of() : new LinkedHashSet<>(runs);
    runs.clear();
    more = false;
    inARow = all ? 0 : inARow + 1;
    return taken;
  }
}
