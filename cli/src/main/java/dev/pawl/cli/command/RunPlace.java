package dev.pawl.cli.command;

import dev.pawl.cli.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a run lives that is carried out here and now: in the chosen store, or in one for the
 * moment.
 */
record RunPlace(String url, Optional<Path> directory) implements AutoCloseable {
  static RunPlace of(Session session) throws IOException {
    if (session.isStoreChosen()) {
      return new RunPlace(session.absoluteStoreUrl(), Optional.empty());
    }
    Path directory = Files.createTempDirectory("pawl-run");
    return new RunPlace("sqlite:" + directory.resolve("run.db"), Optional.of(directory));
  }

  boolean isTemporary() {
    return directory.isPresent();
  }

  @Override
  public void close() throws IOException {
    if (directory.isPresent()) {
      try (Stream<Path> files = Files.walk(directory.get())) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }
}
