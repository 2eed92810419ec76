package dev.pawl.blob;

import dev.pawl.log.RunId;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The content of blobs and the runs that need them, together. Thread-safe. */
public final class Blobs {
  private static final int PAGE = 200;

  private final BlobStore content;
  private final BlobReferences references;

  public Blobs(BlobStore content, BlobReferences references) {
    this.content = content;
    this.references = references;
  }

  /** Those of a store that keeps no blobs: it refuses them. */
  public static Blobs refused() {
    NoBlobs none = new NoBlobs();
    return new Blobs(none, none);
  }

  /** The same runs, with the content elsewhere. */
  public Blobs in(BlobStore elsewhere) {
    return new Blobs(elsewhere, references);
  }

  /** Keeps content that a run needs, as long as the run is there. */
  public Blob write(RunId run, BlobStore.Content from) throws IOException {
    Blob blob = content.write(from);
    references.add(run, List.of(blob.sha256()));
    return blob;
  }

  /**
   * Keeps content that no run needs yet: hand it to one soon, before it is collected.
   *
   * @throws IOException what the content itself has thrown
   */
  public Blob write(BlobStore.Content from) throws IOException {
    return content.write(from);
  }

  /** The run needs these blobs too. */
  public void refer(RunId run, Collection<String> hashes) {
    if (!hashes.isEmpty()) {
      references.add(run, hashes);
    }
  }

  /**
   * The content of a blob, checked while it is read.
   *
   * @throws dev.pawl.error.PawlException with {@code NOT_FOUND}, and while reading with {@code
   *     CORRUPT}
   */
  public InputStream open(Blob blob) {
    return content.open(blob.sha256());
  }

  public InputStream open(String hash) {
    return content.open(Blob.checkHash(hash));
  }

  /**
   * Removes what no run needs and what was left of writes that ended in the middle. What was
   * written since that moment stays: the event that refers to it may still be on its way. Returns
   * how many blobs went.
   */
  public int collect(Instant writtenBefore) {
    int gone = 0;
    String after = "";
    List<BlobStore.Kept> page;
    do {
      page = content.list(after, writtenBefore, PAGE);
      List<String> hashes = page.stream().map(kept -> kept.blob().sha256()).toList();
      Set<String> held = hashes.isEmpty() ? Set.of() : references.held(hashes);
      for (String hash : hashes) {
        gone += !held.contains(hash) && content.delete(hash, writtenBefore) ? 1 : 0;
        after = hash;
      }
    } while (page.size() == PAGE);
    content.dropUnfinished(writtenBefore);
    return gone;
  }
}
