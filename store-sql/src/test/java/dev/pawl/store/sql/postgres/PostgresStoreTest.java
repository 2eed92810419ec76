package dev.pawl.store.sql.postgres;

import dev.pawl.store.Store;
import dev.pawl.testkit.contract.TransactionalStoreContract;
import dev.pawl.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;

/** Everything that every store must do, done in a Postgres database. */
class PostgresStoreTest extends TransactionalStoreContract {
  private static final String URL = PostgresServer.shared().database();

  @Override
  protected Store open(InstantSource clock) {
    PostgresServer.empty(URL);
    return reopened(clock);
  }

  @Override
  protected Store reopen(Store store, InstantSource clock) {
    store.close();
    return reopened(clock);
  }

  private Store reopened(InstantSource clock) {
    return PostgresStore.open(address(), PostgresOptions.defaults().clock(clock));
  }

  /** Where the store is to be opened. */
  String address() {
    return URL;
  }

  static String database() {
    return URL;
  }

  @Override
  protected Notebook notebook(Store store) {
    PostgresServer.execute(URL, "CREATE TABLE IF NOT EXISTS notes (note text)", "TRUNCATE notes");
    return new Notebook() {
      @Override
      public void write(Object resource, String note) throws SQLException {
        try (PreparedStatement insert =
            ((Connection) resource).prepareStatement("INSERT INTO notes VALUES (?)")) {
          insert.setString(1, note);
          insert.executeUpdate();
        }
      }

      @Override
      public List<String> notes() {
        return PostgresServer.query(URL, "SELECT note FROM notes");
      }
    };
  }
}
