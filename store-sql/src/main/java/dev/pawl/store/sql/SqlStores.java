package dev.pawl.store.sql;

import dev.pawl.error.PawlException;
import dev.pawl.store.Store;
import dev.pawl.store.StoreProvider;
import dev.pawl.store.sql.postgres.PostgresProvider;
import dev.pawl.store.sql.postgres.PostgresStore;
import java.util.ServiceLoader;

/** Opens a store by its URL. */
public final class SqlStores {
  private SqlStores() {}

  /**
   * The SQL that opening the store would execute first, to make its schema or bring it up to date;
   * empty if nothing is missing. Nothing is changed.
   *
   * @throws PawlException with {@code UNSUPPORTED} if the store is not one whose schema others see
   *     to
   */
  public static String missingSchema(String url) {
    if (new PostgresProvider().accepts(url)) {
      return PostgresStore.missingSchema(url);
    }
    throw PawlException.unsupported(
        "the SQL of '"
            + url
            + "' cannot be printed: only a Postgres schema is ever made by others; a SQLite file"
            + " is brought up to date by whoever opens it");
  }

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
