package dev.pawl.testkit.postgres;

import dev.pawl.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A PgBouncer in transaction mode in front of a database: each transaction of a client may go to
 * another connection of the server. Its program is the one that the environment variable {@code
 * PAWL_TEST_PGBOUNCER} names, or {@code pgbouncer} in the path. Not thread-safe.
 */
public final class PgBouncer implements AutoCloseable {
  private static final String VARIABLE = "PAWL_TEST_PGBOUNCER";
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Process process;
  private final int port;
  private final URI database;

  private PgBouncer(Process process, int port, URI database) {
    this.process = process;
    this.port = port;
    this.database = database;
  }

  private static Path program() {
    return Stream.concat(
            Stream.ofNullable(System.getenv(VARIABLE)).map(Path::of),
            Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .map(folder -> Path.of(folder).resolve("pgbouncer")))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() ->
            new IllegalStateException(
                "there is no pgbouncer in the path; install it, or name it in " + VARIABLE));
  }

  /**
   * Starts it in an empty directory.
   *
   * @param url a database of {@link PostgresServer}
   */
  public static PgBouncer start(Path directory, String url) {
    URI database = URI.create(url);
    int port = freePort();
    try {
      Path settings = write(directory, database, port);
      List<String> command = new ArrayList<>();
      if ("root".equals(System.getProperty("user.name"))) {
        // It refuses to be root. In a name space of its own the same user is nobody.
        command.addAll(List.of("unshare", "-U"));
      }
      command.add(program().toString());
      command.add(settings.toString());
      Path output = directory.resolve("output");
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      PgBouncer bouncer = new PgBouncer(process, port, database);
      bouncer.awaitOpen(output);
      return bouncer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path write(Path directory, URI database, int port) throws IOException {
    String[] login = database.getUserInfo().split(":", 2);
    Path users = directory.resolve("users.txt");
    Files.writeString(users, "\"%s\" \"%s\"%n".formatted(login[0], login[1]));
    return Files.writeString(
        directory.resolve("pgbouncer.ini"),
        """
        [databases]
        * = host=%s port=%d
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = trust
        auth_file = %s
        pool_mode = transaction
        default_pool_size = 5
        max_client_conn = 200
        ignore_startup_parameters = extra_float_digits
        """
            .formatted(database.getHost(), database.getPort(), port, users));
  }

  private void awaitOpen(Path output) {
    Await.until(
        "PgBouncer listens",
        PATIENCE,
        () -> {
          if (!process.isAlive()) {
            throw new IllegalStateException("PgBouncer ended: " + read(output));
          }
          return isOpen();
        });
  }

  private boolean isOpen() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static String read(Path output) {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The database behind it, as Pawl has to be told of it. */
  public String url() {
    return "postgres://"
        + database.getUserInfo()
        + "@127.0.0.1:"
        + port
        + database.getPath()
        + "?hints=off";
  }

  @Override
  public void close() {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
