package dev.pawl.blob;

import dev.pawl.error.PawlException;
import dev.pawl.log.RunId;
import java.io.InputStream;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Keeps nothing, and says so. */
final class NoBlobs implements BlobStore, BlobReferences {
  @Override
  public Blob write(Content content) {
    throw refused();
  }

  @Override
  public InputStream open(String hash) {
    throw refused();
  }

  private static PawlException refused() {
    return PawlException.unsupported(
        "a blob was to be written or read, and this store keeps none; use another store");
  }

  @Override
  public boolean delete(String hash, Instant writtenBefore) {
    return false;
  }

  @Override
  public List<Kept> list(String after, Instant writtenBefore, int limit) {
    return List.of();
  }

  @Override
  public void dropUnfinished(Instant begunBefore) {}

  @Override
  public String where() {
    return "nowhere";
  }

  @Override
  public void add(RunId run, Collection<String> hashes) {
    throw refused();
  }

  @Override
  public Set<String> held(Collection<String> hashes) {
    return Set.of();
  }
}
