package dev.pawl.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Results with all of their rounds, one to a line of a file, for a later run to go on from. */
public final class Kept {
  public static final String FILE = "benchmarks.jsonl";

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Kept() {}

  /** What the file holds; nothing if there is none. */
  public static Results read(Path file) throws IOException {
    return new Results(
        Files.exists(file)
            ? Files.readAllLines(file).stream()
                .map(line -> JSON.readValue(line, Result.class))
                .toList()
            : List.of());
  }

  public static void write(Path file, Results results) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, results.all().stream().map(JSON::writeValueAsString).toList());
  }
}
