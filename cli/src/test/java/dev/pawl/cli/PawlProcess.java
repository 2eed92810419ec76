package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command as it is shipped: the launcher and the jar, in a process of its own. */
final class PawlProcess {
  private static final Path LAUNCHER = Path.of(System.getProperty("pawl.launcher"));

  private final Process process;
  private final Path out;
  private final Path err;

  private PawlProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  static PawlProcess start(Path directory, String... words) {
    return typing(directory, "", words);
  }

  static PawlProcess typing(Path directory, String input, String... words) {
    try {
      Path in = Files.writeString(Files.createTempFile(directory, "in", ""), input);
      Path out = Files.createTempFile(directory, "out", "");
      Path err = Files.createTempFile(directory, "err", "");
      List<String> command = new ArrayList<>(List.of(LAUNCHER.toString()));
      command.addAll(List.of(words));
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectInput(in.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().put("PAWL_STORE", "sqlite:" + directory.resolve("it.db"));
      builder.environment().put("TMPDIR", directory.toString());
      return new PawlProcess(builder.start(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a command to its end, which must be a good one; returns what it printed. */
  static String ok(Path directory, String... words) {
    return start(directory, words).succeed();
  }

  String succeed() {
    int exit = exit();
    assertThat(exit).as(err()).isZero();
    return out();
  }

  int exit() {
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("the process ends").isTrue();
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly();
    exit();
  }

  String out() {
    return read(out);
  }

  String err() {
    return read(err);
  }

  static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
