package dev.pawl.testkit;

import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.contract.StoreContract;
import java.time.InstantSource;

class MemoryStoreTest extends StoreContract {
  @Override
  protected Store open(InstantSource clock) {
    return new MemoryStore(clock);
  }
}
