package dev.pawl.cli;

import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Goes the ways that commands go, so that the JVM can keep what they load in its start-up cache.
 */
final class Training {
  /** Stands for the name of the file that holds the script below. */
  private static final String SCRIPT = "training.flow";

  private static final String SCRIPT_TEXT =
      """
      const list = []
      for (let i = 0; i < 3; i++) list.push({ i })
      await Timer.delay(0.01)
      return list.map(x => `${x.i}`).join(",")
      """;

  private static final String[][] COMMANDS = {
    {"start", "training.run.v1", "{\"n\":1}", "--key", "k", "--delay", "1h"},
    {"ls"},
    {"ls", "--json"},
    {"show", "last"},
    {"show", "key:k", "--json"},
    {"log", "last"},
    {"log", "last", "--json"},
    {"signal", "last", "go", "1"},
    {"emit", "topic", "1"},
    {"stats"},
    {"cancel", "last"},
    {"show", "last"},
    {"retry", "last"},
    {"show", "00000000-0000-7000-8000-000000000000"},
    {"check", SCRIPT},
    {"run", SCRIPT, "{\"n\":1}", "--quiet"},
    {"help"},
    {"ls", "--help"},
  };

  private Training() {}

  /** Runs every command once on a store that is thrown away; prints nothing. */
  static int run() {
    try {
      NativeSqlite.unpack();
      NativeSqlite.use();
      Path directory = Files.createTempDirectory("pawl-training");
      try {
        Path script = Files.writeString(directory.resolve(SCRIPT), SCRIPT_TEXT);
        train("sqlite:" + directory.resolve("training.db"), script.toString());
      } finally {
        delete(directory);
      }
      return ExitCode.OK;
    } catch (IOException e) {
      return ExitCode.IO;
    }
  }

  private static void train(String url, String script) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(),
            nowhere,
            nowhere,
            Map.of("PAWL_STORE", url),
            false,
            false);
    for (String[] command : COMMANDS) {
      String[] words = command.clone();
      for (int i = 0; i < words.length; i++) {
        words[i] = words[i].equals(SCRIPT) ? script : words[i];
      }
      Main.run(terminal, words);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
