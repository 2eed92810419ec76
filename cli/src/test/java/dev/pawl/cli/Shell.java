package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.cli.terminal.Terminal;
import dev.pawl.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Types commands as a person would, on a store in a directory of its own. */
final class Shell {
  private static final long PATIENCE_NANOS = 30_000_000_000L;
  private static final long LOOK_NANOS = 10_000_000L;

  private final Path directory;

  Shell(Path directory) {
    this.directory = directory;
  }

  /** What a command left behind. */
  record Result(int exit, String out, String err) {
    List<String> lines() {
      return out.lines().toList();
    }

    /** The one JSON object it printed. */
    Json json() {
      assertThat(lines()).hasSize(1);
      return Json.parse(out);
    }

    String text(String member) {
      String json = json().member(member).text();
      return json.startsWith("\"") ? json.substring(1, json.length() - 1) : json;
    }

    /** Asserts that the command complained, in one sentence. */
    void refused(int code, String... words) {
      assertThat(err.lines()).as("standard error").hasSize(1);
      assertThat(err).startsWith("pawl: ").contains(words).doesNotContain("Exception", "\tat ");
      assertThat(out).isEmpty();
      assertThat(exit).isEqualTo(code);
    }
  }

  Path file() {
    return directory.resolve("test.db");
  }

  String url() {
    return "sqlite:" + file();
  }

  Pawl open() {
    return Pawl.open(url());
  }

  Result run(String... words) {
    return typing("", words);
  }

  /** Runs a command that must succeed, and returns what it printed, without the last line end. */
  String ok(String... words) {
    Result result = run(words);
    assertThat(result.exit()).as(result.err()).isZero();
    return result.out().strip();
  }

  Result typing(String input, String... words) {
    return typing(Map.of("PAWL_STORE", url()), false, input, words);
  }

  Result typing(Map<String, String> env, boolean tty, String input, String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            env,
            tty,
            tty);
    int exit = Main.run(terminal, words);
    return new Result(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** Waits for something that another process does. */
  static void until(String what, BooleanSupplier reached) {
    long began = System.nanoTime();
    while (!reached.getAsBoolean()) {
      assertThat(System.nanoTime() - began).as("waiting until " + what).isLessThan(PATIENCE_NANOS);
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}
