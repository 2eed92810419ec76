package dev.pawl.store.sql.sqlite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * What is on a disk of a SQLite store: the file and its write-ahead log. The file beside them that
 * processes share is memory, and gone with the power.
 */
record Disk(byte[] file, byte[] log) {
  /** A disk writes so many bytes at once or not at all. */
  private static final int SECTOR = 512;

  /** The head of a log: what tells its frames from those of a former one. */
  private static final int HEAD = 32;

  static Disk read(Path file) {
    try {
      Path log = log(file);
      return new Disk(
          Files.readAllBytes(file), Files.exists(log) ? Files.readAllBytes(log) : new byte[0]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void write(Path path) {
    try {
      Files.write(path, file);
      Files.write(log(path), log);
      Files.deleteIfExists(path.resolveSibling(path.getFileName() + "-shm"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path log(Path file) {
    return file.resolveSibling(file.getFileName() + "-wal");
  }

  /**
   * This disk when the power failed on the way to another: of the sectors in which they differ some
   * are written and some are not, in no order.
   *
   * @param share how likely each of them is written
   */
  Disk onTheWayTo(Disk after, double share, SplittableRandom chance) {
    return new Disk(mixed(file, after.file, share, chance), mixed(log, after.log, share, chance));
  }

  /** This disk with all that another has, up to a sector at which the power failed. */
  Disk tornOnTheWayTo(Disk after, SplittableRandom chance) {
    return new Disk(torn(file, after.file, chance), torn(log, after.log, chance));
  }

  /**
   * This disk on the way to one whose log has begun anew: SQLite writes and syncs the head of such
   * a log before anything else, so that what is left of the former one counts no more.
   */
  Disk headedLike(Disk after) {
    boolean anew = log.length >= HEAD && after.log.length >= HEAD;
    byte[] headed = log.clone();
    System.arraycopy(after.log, 0, headed, 0, anew ? HEAD : 0);
    return new Disk(file, headed);
  }

  private static byte[] mixed(byte[] from, byte[] to, double share, SplittableRandom chance) {
    int length = lengthBetween(from.length, to.length, share, chance);
    byte[] mixed = Arrays.copyOf(from, length);
    for (int at = 0; at < length; at += SECTOR) {
      if (chance.nextDouble() < share) {
        copy(to, mixed, at);
      }
    }
    return mixed;
  }

  private static byte[] torn(byte[] from, byte[] to, SplittableRandom chance) {
    int end = chance.nextInt(1 + to.length / SECTOR) * SECTOR;
    byte[] torn = Arrays.copyOf(from, Math.max(from.length, Math.min(to.length, end)));
    for (int at = 0; at < end; at += SECTOR) {
      copy(to, torn, at);
    }
    return torn;
  }

  /** A file that was to grow has grown a bit, all the way or not at all. */
  private static int lengthBetween(int from, int to, double share, SplittableRandom chance) {
    if (to <= from || share == 0) {
      return from;
    }
    int sectors = (to - from) / SECTOR;
    boolean whole = share == 1 || chance.nextBoolean();
    return whole ? to : from + chance.nextInt(sectors + 1) * SECTOR;
  }

  private static void copy(byte[] from, byte[] to, int at) {
    int length = Math.min(SECTOR, Math.min(from.length, to.length) - at);
    if (length > 0) {
      System.arraycopy(from, at, to, at, length);
    }
  }

  boolean isSameAs(Disk other) {
    return Arrays.equals(file, other.file) && Arrays.equals(log, other.log);
  }
}
