package dev.pawl;

import dev.pawl.blob.Blobs;
import dev.pawl.blob.FileBlobs;
import dev.pawl.error.PawlException;
import dev.pawl.store.Store;
import dev.pawl.store.StoreProvider;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.SystemClock;
import java.util.ServiceLoader;

/** Finds the store an address stands for. */
final class Stores {
  private Stores() {}

  /** The blobs of a store, with their content at this address, or in the store if it is empty. */
  static Blobs blobs(Store store, String url) {
    try {
      return url.isBlank()
          ? store.blobs()
          : store.blobs().in(FileBlobs.at(url, SystemClock.instance()));
    } catch (PawlException e) {
      store.close();
      throw e;
    }
  }

  static Store open(String url) {
    if (url.equals("memory:")) {
      return new MemoryStore(SystemClock.instance());
    }
    return ServiceLoader.load(StoreProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.accepts(url))
        .findFirst()
        .orElseThrow(() ->
            PawlException.badInput(
                "'"
                    + url
                    + "' is not the address of a store Pawl knows here; use sqlite:FILE (needs"
                    + " pawl-store-sql) or memory:"))
        .open(url);
  }
}
