package dev.pawl.bench.machine;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server all share: a given one, or one that is brought up for this with full durability. Makes
 * and drops databases in it.
 */
public final class PostgresServer implements AutoCloseable {
  private static final int DEFAULT_PORT = 5432;
  private static final List<String> TOLD =
      List.of(
          "server_version",
          "fsync",
          "synchronous_commit",
          "full_page_writes",
          "wal_sync_method",
          "shared_buffers",
          "max_connections");

  private final @Nullable EmbeddedPostgres embedded;
  private final String host;
  private final int port;
  private final Database administration;
  private int made;

  private PostgresServer(
      @Nullable EmbeddedPostgres embedded,
      String host,
      int port,
      String name,
      String user,
      String password) {
    this.embedded = embedded;
    this.host = host;
    this.port = port;
    this.administration = database(name, user, password);
  }

  /**
   * The server at {@code postgres://user:password@host:port/name}; its user may create databases.
   */
  public static PostgresServer at(String url) {
    URI uri = URI.create(url);
    String[] who = Optional.ofNullable(uri.getRawUserInfo()).orElse("postgres").split(":", 2);
    return new PostgresServer(
        null,
        uri.getHost(),
        uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
        uri.getPath().replaceFirst("^/", ""),
        decode(who[0]),
        who.length > 1 ? decode(who[1]) : "");
  }

  /** Whether {@link #at} takes it. */
  public static boolean isAddress(String url) {
    try {
      URI uri = new URI(url);
      return List.of("postgres", "postgresql").contains(String.valueOf(uri.getScheme()))
          && uri.getHost() != null
          && uri.getPath().length() > 1;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /**
   * Brings one up. Its library has durability switched off for tests; here it is on, and everything
   * else is as Postgres has it by default.
   */
  public static PostgresServer embedded() throws IOException {
    EmbeddedPostgres server =
        EmbeddedPostgres.builder()
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .setServerConfig("max_connections", "300")
            .setPGStartupWait(Duration.ofSeconds(30))
            .start();
    return new PostgresServer(
        server, "localhost", server.getPort(), "postgres", "postgres", "postgres");
  }

  /** The settings that matter, as the server itself tells them. */
  public String settings() {
    List<String> told = new ArrayList<>();
    try (Connection connection = administration.connect();
        Statement statement = connection.createStatement()) {
      for (String name : TOLD) {
        try (ResultSet row = statement.executeQuery("SHOW " + name)) {
          row.next();
          told.add(name.replace("server_version", "Postgres") + " " + row.getString(1));
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the Postgres server does not answer: " + e, e);
    }
    return String.join(", ", told);
  }

  /** The process all of the server's others descend from, if it is on this machine. */
  public Optional<Long> process() {
    try (Connection connection = administration.connect();
        ResultSet row = connection.createStatement().executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return ProcessHandle.of(row.getLong(1))
          .flatMap(ProcessHandle::parent)
          .map(ProcessHandle::pid)
          .filter(pid -> pid > 1);
    } catch (SQLException e) {
      return Optional.empty();
    }
  }

  /** A new, empty database. */
  public Database create() throws SQLException {
    String name = "pawl_bench_" + ProcessHandle.current().pid() + "_" + made++;
    administer("CREATE DATABASE " + name);
    return database(name, administration.user(), administration.password());
  }

  private Database database(String name, String user, String password) {
    String place = host + ":" + port + "/" + name;
    return new Database(
        "postgres://" + user + ":" + password + "@" + place,
        "jdbc:postgresql://" + place,
        user,
        password);
  }

  /** Removes a database and whoever is still connected to it. */
  public void drop(Database database) throws SQLException {
    String name = database.jdbcUrl().substring(database.jdbcUrl().lastIndexOf('/') + 1);
    administer("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
  }

  private void administer(String statement) throws SQLException {
    try (Connection connection = administration.connect();
        Statement sql = connection.createStatement()) {
      sql.execute(statement);
    }
  }

  @Override
  public void close() {
    if (embedded != null) {
      try {
        embedded.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
