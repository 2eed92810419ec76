package dev.pawl.testkit.sim;

import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;

/** A store made wrong on purpose, to see whether the simulation notices. */
@FunctionalInterface
interface Sabotage {
  /** Leaves the store as it is. */
  Sabotage NONE = (store, clock) -> store;

  Store apply(MemoryStore store, SimClock clock);
}
