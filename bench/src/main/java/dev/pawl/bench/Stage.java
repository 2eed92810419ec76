package dev.pawl.bench;

import dev.pawl.bench.host.Contender;
import dev.pawl.bench.machine.Database;
import dev.pawl.bench.machine.PostgresServer;
import dev.pawl.bench.machine.Processors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where everything takes place: a directory for files, the server, and fresh databases in both. */
final class Stage implements AutoCloseable {
  private final Path directory;
  private final Optional<PostgresServer> server;
  private final String why;
  private final List<Long> serverProcess;
  private int made;

  private Stage(Path directory, Optional<PostgresServer> server, String why) {
    this.directory = directory;
    this.server = server;
    this.why = why;
    this.serverProcess = server.flatMap(PostgresServer::process).stream().toList();
  }

  /**
   * Sets it up. Without a Postgres server, because none could be started, it is set up all the
   * same.
   *
   * @param wanted whether anybody needs the server
   */
  static Stage set(Optional<String> postgres, boolean wanted) throws IOException {
    Path directory = Files.createTempDirectory("pawl-bench");
    if (!wanted) {
      return new Stage(directory, Optional.empty(), "nobody needs Postgres");
    }
    try {
      PostgresServer server =
          postgres.isPresent() ? PostgresServer.at(postgres.get()) : PostgresServer.embedded();
      server.settings();
      return new Stage(directory, Optional.of(server), "");
    } catch (IOException | RuntimeException e) {
      return new Stage(directory, Optional.empty(), "no Postgres server: " + e.getMessage());
    }
  }

  Path directory() {
    return directory;
  }

  Optional<PostgresServer> server() {
    return server;
  }

  /** Why there is no server, if there is none. */
  String why() {
    return why;
  }

  /** A database that nobody has used. */
  Optional<Database> fresh(Contender contender) throws SQLException {
    return switch (contender.store()) {
      case "sqlite" -> Optional.of(Database.sqlite(directory.resolve("bench" + made++ + ".db")));
      case "postgres" -> server.isPresent() ? Optional.of(server.get().create()) : Optional.empty();
      default -> Optional.of(Database.none());
    };
  }

  void drop(Database database) throws SQLException, IOException {
    if (database.isPostgres() && server.isPresent()) {
      server.get().drop(database);
    } else if (database.isSqlite()) {
      for (String suffix : List.of("", "-wal", "-shm")) {
        Files.deleteIfExists(Path.of(database.url().substring("sqlite:".length()) + suffix));
      }
    }
  }

  Processors.Reading processors() {
    return Processors.read(serverProcess);
  }

  @Override
  public void close() throws IOException {
    server.ifPresent(PostgresServer::close);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
