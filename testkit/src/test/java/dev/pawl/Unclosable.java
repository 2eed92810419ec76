package dev.pawl;

import dev.pawl.store.Store;
import dev.pawl.testkit.ForwardingStore;

/** A store that several engines share in one test: closing it does nothing. */
final class Unclosable extends ForwardingStore {
  Unclosable(Store store) {
    super(store);
  }

  @Override
  public void close() {}
}
