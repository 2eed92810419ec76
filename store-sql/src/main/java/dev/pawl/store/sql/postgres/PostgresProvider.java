package dev.pawl.store.sql.postgres;

import dev.pawl.store.Store;
import dev.pawl.store.StoreProvider;

/**
 * Opens {@code postgres://user:password@host:port,host2:port2/database?option=value}, the same with
 * {@code postgresql:}, and {@code jdbc:postgresql:…}.
 */
public final class PostgresProvider implements StoreProvider {
  @Override
  public boolean accepts(String url) {
    return PostgresAddress.isOne(url);
  }

  @Override
  public Store open(String url) {
    return PostgresStore.open(url, PostgresOptions.defaults());
  }
}
