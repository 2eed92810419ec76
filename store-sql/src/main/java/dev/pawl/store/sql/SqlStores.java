package dev.pawl.store.sql;

import dev.pawl.error.PawlException;
import dev.pawl.store.Store;
import dev.pawl.store.StoreProvider;
import java.util.ServiceLoader;

/** Opens a store by its URL. */
public final class SqlStores {
  private SqlStores() {}

  /**
   * Opens the store that the URL names: {@code sqlite:orders.db}, {@code
   * sqlite:/var/lib/orders.db?synchronous=NORMAL}, {@code
   * postgres://user:password@host:5432/orders}.
   *
   * @throws PawlException with {@code BAD_INPUT} if no store understands the URL
   */
  public static Store open(String url) {
    for (StoreProvider provider :
        ServiceLoader.load(StoreProvider.class, SqlStores.class.getClassLoader())) {
      if (provider.accepts(url)) {
        return provider.open(url);
      }
    }
    throw PawlException.badInput(
        "no store understands '"
            + url
            + "'; understood are sqlite:PATH and sqlite:PATH?synchronous=FULL|NORMAL, for example"
            + " sqlite:orders.db or sqlite:/var/lib/orders.db, and"
            + " postgres://USER:PASSWORD@HOST:PORT/DATABASE");
  }
}
