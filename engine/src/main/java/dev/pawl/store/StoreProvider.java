package dev.pawl.store;

/** Opens stores by URL. Modules with a store announce one of these to {@link java.util.ServiceLoader}. */
public interface StoreProvider {
  /** Whether the URL is of the kind that this provider opens. Looks at its scheme only. */
  boolean accepts(String url);

  /**
   * Opens the store, and makes it if it is not there yet.
   *
   * @throws dev.pawl.error.PawlException if it cannot be opened, with what was found and what to do
   */
  Store open(String url);
}
