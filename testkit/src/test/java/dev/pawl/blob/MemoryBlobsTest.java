package dev.pawl.blob;

import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.contract.BlobContract;
import java.time.InstantSource;

class MemoryBlobsTest extends BlobContract {
  @Override
  protected Store open(InstantSource clock) {
    return new MemoryStore(clock);
  }
}
