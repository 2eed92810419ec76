package dev.pawl.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What was measured on.
 *
 * @param disk the file system of the databases
 * @param postgres the server's settings as it tells them, or why there is none
 */
public record Machine(String disk, double syncsPerSecond, String postgres) {

  public List<String> lines() {
    return List.of(
        "machine: %d processors (%s), %s %s, Java %s"
            .formatted(
                Runtime.getRuntime().availableProcessors(),
                first("/proc/cpuinfo", "model name"),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("java.version")),
        String.format(
            Locale.ROOT, "disk: %s, %,.0f small writes synced a second", disk, syncsPerSecond),
        "server: " + postgres);
  }

  private static String first(String file, String key) {
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(key))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
