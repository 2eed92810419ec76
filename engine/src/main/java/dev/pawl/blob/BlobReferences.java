package dev.pawl.blob;

import dev.pawl.log.RunId;
import java.util.Collection;
import java.util.Set;

/**
 * Which runs need which blobs. A run that was purged needs none. Thread-safe; every method may
 * block.
 */
public interface BlobReferences {
  /** Says that the run needs the blobs. When this returns, that is durable. */
  void add(RunId run, Collection<String> hashes);

  /** Those of the hashes that some run needs that is still there. */
  Set<String> held(Collection<String> hashes);
}
