package dev.pawl.testkit.postgres;

import static java.util.stream.Collectors.joining;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A Postgres that waits for the disk at every commit: one for all tests of a JVM. It is the server
 * that the environment variable {@code PAWL_TEST_POSTGRES} names ({@code
 * postgres://user:password@host:port/database}, with the right to create databases), or else one
 * that is started from binaries and ends with the JVM: those in jars in the directory that the
 * system property {@code pawl.test.postgres.binaries} names, or those on the class path.
 * Thread-safe.
 */
public final class PostgresServer {
  private static final String VARIABLE = "PAWL_TEST_POSTGRES";
  private static final String BINARIES = "pawl.test.postgres.binaries";
  private static final AtomicInteger DATABASES = new AtomicInteger();
  private static @Nullable PostgresServer shared;

  private final String user;
  private final String password;
  private final String address;
  private final String mainDatabase;

  private PostgresServer(String user, String password, String address, String mainDatabase) {
    this.user = user;
    this.password = password;
    this.address = address;
    this.mainDatabase = mainDatabase;
  }

  /** The server, which is started at the first call. */
  public static synchronized PostgresServer shared() {
    if (shared == null) {
      shared =
          Optional.ofNullable(System.getenv(VARIABLE))
              .map(PostgresServer::named)
              .orElseGet(() ->
                  started(
                      Optional.ofNullable(System.getProperty(BINARIES))
                          .filter(place -> !place.isEmpty())
                          .map(Path::of)));
    }
    return shared;
  }

  /** A server of another version, from jars in a directory. It ends with the JVM. */
  public static PostgresServer of(Path binaries) {
    return started(Optional.of(binaries));
  }

  private static PostgresServer named(String url) {
    URI uri = URI.create(url);
    String[] login = Optional.ofNullable(uri.getUserInfo()).orElse("postgres").split(":", 2);
    return new PostgresServer(
        login[0],
        login.length > 1 ? login[1] : "",
        uri.getHost() + ":" + (uri.getPort() < 0 ? 5432 : uri.getPort()),
        uri.getPath().length() > 1 ? uri.getPath().substring(1) : "postgres");
  }

  private static PostgresServer started(Optional<Path> binaries) {
    try {
      EmbeddedPostgres.Builder builder =
          EmbeddedPostgres.builder()
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("full_page_writes", "on")
              .setServerConfig("max_connections", "300");
      binaries.map(Binaries::new).ifPresent(builder::setPgBinaryResolver);
      EmbeddedPostgres server = builder.start();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server)));
      return new PostgresServer(
          "postgres", "postgres", "localhost:" + server.getPort(), "postgres");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void close(EmbeddedPostgres server) {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes an empty database; returns the URL under which Pawl opens it. */
  public String database() {
    String name = "pawl_" + ProcessHandle.current().pid() + "_" + DATABASES.incrementAndGet();
    execute(url(mainDatabase), "DROP DATABASE IF EXISTS " + name, "CREATE DATABASE " + name);
    return url(name);
  }

  /** The URL of a database of this server. */
  public String url(String database) {
    return "postgres://" + user + ":" + password + "@" + address + "/" + database;
  }

  /** The tables of a store that always have a row. */
  private static final List<String> OF_ONE_ROW =
      List.of("workflow.workflow_position", "workflow.workflow_registry_state");

  /** Empties the store in a database, which is much faster than to make a new one. */
  public static void empty(String url) {
    try (Connection connection = connect(url)) {
      empty(connection);
    } catch (SQLException e) {
      throw new IllegalStateException("could not empty " + url, e);
    }
  }

  /**
   * As {@link #empty(String)}, for one who does it often. No trigger fires for the connection from
   * then on.
   */
  public static void empty(Connection connection) throws SQLException {
    List<String> tables =
        query(
            connection,
            "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname ="
                + " 'workflow' AND tablename <> 'workflow_schema'");
    if (!tables.isEmpty()) {
      try (Statement statement = connection.createStatement()) {
        // Not TRUNCATE: that makes new files and waits for each of them to be on disk.
        String deletes = tables.stream().map(t -> "DELETE FROM " + t).collect(joining("; "));
        statement.execute("SET session_replication_role = replica; " + deletes);
        for (String table : OF_ONE_ROW) {
          if (tables.contains(table)) {
            statement.execute("INSERT INTO " + table + " DEFAULT VALUES");
          }
        }
      }
    }
  }

  /** Executes statements, each in a transaction of its own. */
  public static void execute(String url, String... statements) {
    try (Connection connection = connect(url);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("could not execute " + String.join("; ", statements), e);
    }
  }

  /** The first column of what a query finds, as texts. */
  public static List<String> query(String url, String sql) {
    try (Connection connection = connect(url)) {
      return query(connection, sql);
    } catch (SQLException e) {
      throw new IllegalStateException("could not ask " + sql, e);
    }
  }

  private static List<String> query(Connection connection, String sql) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery(sql)) {
      while (results.next()) {
        found.add(String.valueOf(results.getString(1)));
      }
    }
    return found;
  }

  /** A plain connection to the database that a URL of this class names. */
  public static Connection connect(String url) throws SQLException {
    URI uri = URI.create(url);
    String[] login = uri.getUserInfo().split(":", 2);
    return DriverManager.getConnection(
        "jdbc:postgresql://" + uri.getHost() + ":" + uri.getPort() + uri.getPath(),
        login[0],
        login[1]);
  }
}
