package dev.pawl.store.sql.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.postgresql.PGProperty;

/**
 * The connections to a database: a pool for commits, one for reads, so that neither waits for the
 * other, and single ones for who asks. Thread-safe.
 */
final class Database implements AutoCloseable {
  /** The engine's own writes find their rows by index, whatever the statistics say. */
  private static final String WRITER_SETTINGS =
      "-c enable_seqscan=off -c enable_bitmapscan=off -c enable_hashjoin=off"
          + " -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan -c jit=off"
          + " -c default_transaction_isolation=read\\ committed -c lock_timeout=10s";

  private static final String READER_SETTINGS = "-c default_transaction_isolation=read\\ committed";

  private final PostgresAddress address;
  private final HikariDataSource writers;
  private final HikariDataSource readers;

  Database(PostgresAddress address) {
    this.address = address;
    PostgresOptions options = address.options();
    this.writers = pool("pawl-postgres-write", options.lanes() + 1, false, WRITER_SETTINGS);
    this.readers = pool("pawl-postgres-read", options.readers(), true, READER_SETTINGS);
  }

  private HikariDataSource pool(String name, int size, boolean autoCommit, String settings) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setJdbcUrl(address.jdbcUrl());
    config.setDataSourceProperties(properties(settings));
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(1);
    config.setAutoCommit(autoCommit);
    // If it is not said, the pool asks the first connection; were that lost meanwhile, it would
    // never
    // have a connection again.
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.setConnectionTimeout(address.options().patience().toMillis());
    // Whether the database is there is seen when the schema is looked at.
    config.setInitializationFailTimeout(-1);
    return new HikariDataSource(config);
  }

  private Properties properties(String settings) {
    Properties properties = new Properties();
    PGProperty.APPLICATION_NAME.set(properties, "pawl");
    PGProperty.TCP_KEEP_ALIVE.set(properties, true);
    PGProperty.CONNECT_TIMEOUT.set(properties, 10);
    PGProperty.SOCKET_TIMEOUT.set(properties, 60);
    // Without hints nothing may belong to a session: behind a pooler the next transaction has
    // another.
    PGProperty.PREPARE_THRESHOLD.set(properties, address.options().hints() ? 1 : 0);
    PGProperty.PREPARED_STATEMENT_CACHE_QUERIES.set(properties, 256);
    PGProperty.PREPARED_STATEMENT_CACHE_SIZE_MIB.set(properties, 32);
    address.properties().forEach(properties::put);
    if (address.options().hints()) {
      // The user's settings come last: they win.
      String own = address.properties().getProperty(PGProperty.OPTIONS.getName(), "");
      PGProperty.OPTIONS.set(properties, (settings + " " + own).strip());
    }
    return properties;
  }

  /** A connection for a transaction; an interrupt does not cut the wait for it short. */
  Connection writer() throws SQLException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return writers.getConnection();
        } catch (SQLException e) {
          // The pool gives up, and sets the thread's flag again.
          if (!Thread.interrupted()) {
            throw e;
          }
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A connection for single statements. */
  Connection reader() throws SQLException {
    return readers.getConnection();
  }

  /** A connection of one's own, in no pool. */
  Connection single() throws SQLException {
    return DriverManager.getConnection(address.jdbcUrl(), properties(READER_SETTINGS));
  }

  /** ... and one to listen on. */
  Connection listener() throws SQLException {
    Properties properties = properties(READER_SETTINGS);
    properties.putIfAbsent(PGProperty.SOCKET_FACTORY.getName(), PromptSockets.class.getName());
    return DriverManager.getConnection(address.jdbcUrl(), properties);
  }

  String where() {
    return address.where();
  }

  @Override
  public void close() {
    writers.close();
    readers.close();
  }
}
