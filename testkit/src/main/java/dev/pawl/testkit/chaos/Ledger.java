package dev.pawl.testkit.chaos;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What worker processes have done to the world: a file to which each effect appends one line in one
 * write. It survives the death of whoever writes, and knows nothing of the store. Thread-safe.
 *
 * <p>A stream and not a channel, which an interrupt of one writer would close for all.
 */
final class Ledger implements AutoCloseable {
  private final OutputStream file;

  private Ledger(OutputStream file) {
    this.file = file;
  }

  static Ledger open(Path path) {
    try {
      return new Ledger(new FileOutputStream(path.toFile(), true));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void write(String line) {
    try {
      file.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> read(Path path) {
    try {
      return Files.readAllLines(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
