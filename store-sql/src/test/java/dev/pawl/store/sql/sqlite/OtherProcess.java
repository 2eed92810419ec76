package dev.pawl.store.sql.sqlite;

import dev.pawl.store.Activation;
import dev.pawl.store.Store;
import dev.pawl.store.sql.Scene;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;

/** A second JVM on the same file: {@code main} is its end, the instance is ours. */
final class OtherProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private OtherProcess(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  static OtherProcess start(Path file, String deed) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder =
        new ProcessBuilder(
            java,
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            OtherProcess.class.getName(),
            file.toString(),
            deed);
    return new OtherProcess(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Waits until it says this. */
  void awaitLine(String wanted) {
    try {
      String line = output.readLine();
      while (line != null && !line.equals(wanted)) {
        line = output.readLine();
      }
      if (line == null) {
        throw new AssertionError("the other process ended without saying '" + wanted + "'");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** kill -9. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  int awaitEnd() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  public static void main(String[] arguments) throws Exception {
    try (Store store = SqliteStore.open(Path.of(arguments[0]), SqliteOptions.defaults())) {
      switch (arguments[1]) {
        case "write" -> write(store);
        case "die in a transaction" -> transact(store, true);
        case "die after a transaction" -> transact(store, false);
        default -> throw new IllegalArgumentException(arguments[1]);
      }
    }
  }

  /** Takes runs as long as there are any, and ends them. */
  private static void write(Store store) {
    say("ready");
    int ended = 0;
    for (int i = 0; i < SqliteSharingTest.RUNS; i++) {
      Scene.commit(store, new dev.pawl.store.Command.Start(Scene.run()));
      for (Activation held : Scene.claim(store, "other", 2)) {
        Scene.commit(store, Scene.advance(held, 1, Scene.step("one")));
        Scene.commit(
            store,
            Scene.advance(held, 2, new dev.pawl.log.Event.Succeeded(dev.pawl.json.Json.NULL)));
        ended++;
      }
    }
    say("ended " + ended);
  }

  private static void transact(Store store, boolean inside) {
    Activation held = Scene.started(store, "other");
    Scene.commit(
        store,
        Scene.transact(
            held,
            resource -> {
              try (Statement statement = ((Connection) resource).createStatement()) {
                statement.execute("INSERT INTO orders VALUES ('" + held.run().id() + "')");
              }
              if (inside) {
                sayAndHang();
              }
              return Scene.step("order");
            }));
    sayAndHang();
  }

  private static void sayAndHang() {
    say("hanging");
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
