package dev.pawl.blob;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;

/**
 * Where the content of blobs is kept, by its hash. Neither writing nor reading holds more than a
 * small part of it in memory. Thread-safe; every method may block.
 */
public interface BlobStore {

  /** What is to be kept, written piece by piece. */
  @FunctionalInterface
  interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** A blob that is here, and when it was last written. */
  record Kept(Blob blob, Instant writtenAt) {}

  /**
   * Keeps the content. When this returns, it is durable as the store is; if it throws, nothing is
   * kept that could be found. Content that is here already is kept once, and counts as written now.
   *
   * @throws IOException what the content itself has thrown
   * @throws dev.pawl.error.PawlException if the store cannot keep it
   */
  Blob write(Content content) throws IOException;

  /**
   * The content with this hash, checked while it is read: its last bytes are given out only if all
   * of it is what was written. Otherwise reading throws a {@link dev.pawl.error.PawlException} with
   * {@code CORRUPT}.
   *
   * @throws dev.pawl.error.PawlException with {@code NOT_FOUND}
   */
  InputStream open(String hash);

  /** Removes the blob, unless it was written since that moment; tells whether it did. */
  boolean delete(String hash, Instant writtenBefore);

  /** Some of the blobs that were last written before that moment, by hash, behind this one. */
  List<Kept> list(String after, Instant writtenBefore, int limit);

  /** Removes what is left of writes that ended in the middle, if they began before that moment. */
  void dropUnfinished(Instant begunBefore);

  /** Where that is, for people. */
  String where();
}
