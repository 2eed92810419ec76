package dev.pawl.graph.fold;

import dev.pawl.blob.Blob;
import dev.pawl.blob.BlobStore;
import java.io.InputStream;

/** Where a run keeps what is too large for its log. Thread-safe. */
public interface Shelf {
  /** How large an output may be that stands in the log itself, in characters of its JSON. */
  int MAX_INLINE_CHARS = 1024 * 1024;

  /** Keeps content for as long as the run is there. When this returns, it is durable. */
  Blob put(BlobStore.Content content);

  /** The content, checked while it is read. */
  InputStream open(Blob blob);
}
