package dev.pawl.bench.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** How often a second the disk takes a small write for good. */
public final class Disk {
  private static final int BYTES = 512;

  private Disk() {}

  /** Appends and syncs for so long, in a file of its own in the directory. */
  public static double syncsPerSecond(Path directory, double seconds) throws IOException {
    Path file = Files.createTempFile(directory, "sync", ".bin");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
      long start = System.nanoTime();
      long end = start + (long) (seconds * 1e9);
      int done = 0;
      while (System.nanoTime() < end) {
        channel.write(bytes.rewind());
        channel.force(false);
        done++;
      }
      return done / ((System.nanoTime() - start) / 1e9);
    } finally {
      Files.delete(file);
    }
  }

  /** What kind of file system the directory is on. */
  public static String kind(Path directory) throws IOException {
    FileStore store = Files.getFileStore(directory);
    return store.type() + " on " + store.name();
  }
}
