package dev.pawl.store.sql.blob;

import dev.pawl.blob.BlobStore;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The tables of blobs and their chunks. Each method is a transaction of its own, and throws a
 * {@link dev.pawl.error.PawlException} if it fails. Thread-safe.
 */
public interface BlobTables {
  /** The number of content that has no row yet. */
  long NEW = 0;

  /** Content that is whole: its number, and how many bytes it has. */
  record Whole(long number, long length) {}

  /** What to say if unfinished content is gone. */
  static PawlException tooSlow() {
    return new PawlException(
        ErrorCode.TIMEOUT,
        "a blob was being written, and nothing came for so long that it was taken for abandoned;"
            + " write it again");
  }

  /** Adds a chunk to unfinished content; returns the content's number. */
  long append(long content, int chunk, byte[] bytes);

  /**
   * Adds the last chunk, and from then on the content is found by its hash. If the hash is known,
   * what was added is dropped, and the known content counts as written now.
   */
  void finish(long content, int chunk, byte[] bytes, String hash, long length);

  /** Drops unfinished content. */
  void drop(long content);

  Optional<Whole> find(String hash);

  Optional<byte[]> chunk(long content, int chunk);

  boolean delete(String hash, Instant writtenBefore);

  List<BlobStore.Kept> list(String after, Instant writtenBefore, int limit);

  void dropUnfinished(Instant begunBefore);
}
