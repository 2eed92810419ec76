package dev.pawl.store;

/** Opens the stores of one kind by their address. Found by {@link java.util.ServiceLoader}. */
public interface StoreProvider {
  /** Whether this is an address of its kind, such as {@code sqlite:orders.db}. */
  boolean accepts(String url);

  Store open(String url);
}
