package dev.pawl.testkit.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A Postgres server of a test's own, which it may stop, kill, restart, copy and promote. It keeps
 * every promise of durability. Not thread-safe.
 */
public final class PostgresNode implements AutoCloseable {
  private static final List<String> DURABLE =
      List.of("fsync = on", "synchronous_commit = on", "full_page_writes = on");
  private static final List<String> LOCAL =
      List.of(
          "listen_addresses = 'localhost'",
          "unix_socket_directories = ''",
          "max_connections = 200",
          "shared_buffers = '64MB'");

  private final Path data;
  private final int port;
  private boolean running;

  private PostgresNode(Path data, int port) {
    this.data = data;
    this.port = port;
  }

  /** Makes a server in an empty directory, and starts it. */
  public static PostgresNode create(Path directory) {
    run("initdb", "-D", directory.toString(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "-N");
    PostgresNode node = new PostgresNode(directory, freePort());
    node.set(DURABLE);
    node.set(LOCAL);
    node.set(List.of("port = " + node.port));
    node.start();
    return node;
  }

  /**
   * Makes a standby in an empty directory, to which this server streams what it writes: from then
   * on it acknowledges a commit when the standby has it, too.
   */
  public PostgresNode createStandby(Path directory) {
    stop("fast");
    copy(data, directory);
    PostgresNode standby = new PostgresNode(directory, freePort());
    standby.set(
        List.of(
            "port = " + standby.port,
            "primary_conninfo = 'host=localhost port="
                + port
                + " user=postgres application_name=standby'"));
    write(directory.resolve("standby.signal"), List.of());
    set(List.of("synchronous_standby_names = 'standby'"));
    // The primary waits for its standby at the first commit, so it is started without waiting.
    start();
    standby.start();
    return standby;
  }

  public int port() {
    return port;
  }

  /** The URL of a database of this server. */
  public String url(String database) {
    return "postgres://postgres:postgres@localhost:" + port + "/" + database;
  }

  public void start() {
    run("pg_ctl", "-D", data.toString(), "-l", data + ".log", "-w", "-t", "60", "start");
    running = true;
  }

  /** Stops it: {@code fast}, or {@code immediate} as if the power had failed. */
  public void stop(String mode) {
    run("pg_ctl", "-D", data.toString(), "-m", mode, "-w", "-t", "60", "stop");
    running = false;
  }

  /** Kills the server's first process with SIGKILL; the others end when they notice. */
  public void kill() {
    ProcessHandle.of(pid()).ifPresent(ProcessHandle::destroyForcibly);
    running = false;
  }

  private long pid() {
    try {
      return Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).get(0).trim());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes a standby a server that takes writes, and waits for no other. */
  public void promote() {
    set(List.of("synchronous_standby_names = ''"));
    run("pg_ctl", "-D", data.toString(), "-w", "-t", "60", "promote");
  }

  @Override
  public void close() {
    if (running) {
      stop("immediate");
    }
  }

  private void set(List<String> settings) {
    write(data.resolve("postgresql.auto.conf"), settings);
  }

  private static void write(Path file, List<String> lines) {
    try {
      Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file));
        if (!Files.exists(target)) {
          Files.copy(file, target, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
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

  private static void run(String tool, String... arguments) {
    List<String> command = new ArrayList<>();
    if ("root".equals(System.getProperty("user.name"))) {
      // Postgres refuses to be root. In a name space of its own the same user is nobody.
      command.addAll(List.of("unshare", "-U"));
    }
    command.add(binaries().resolve("bin").resolve(tool).toString());
    command.addAll(List.of(arguments));
    try {
      Path output = Files.createTempFile("pawl-" + tool, ".log");
      int status =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start()
              .waitFor();
      if (status != 0) {
        throw new IllegalStateException(
            String.join(" ", command) + " ended with " + status + ": " + Files.readString(output));
      }
      Files.delete(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + tool + " ran", e);
    }
  }

  /** Where the binaries of the class path are unpacked. */
  private static synchronized Path binaries() {
    Path place = Binaries.unpackedFromClassPath();
    if (!Files.exists(place.resolve("bin").resolve("pg_ctl"))) {
      unpack();
    }
    return place;
  }

  private static void unpack() {
    try {
      EmbeddedPostgres.builder().start().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
