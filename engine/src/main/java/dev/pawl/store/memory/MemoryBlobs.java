package dev.pawl.store.memory;

import dev.pawl.blob.Blob;
import dev.pawl.blob.BlobReferences;
import dev.pawl.blob.BlobStore;
import dev.pawl.blob.Verified;
import dev.pawl.error.PawlException;
import dev.pawl.log.RunId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Blobs in memory. Thread-safe. */
final class MemoryBlobs implements BlobStore, BlobReferences {
  private static final class Content {
    final byte[] bytes;
    Instant writtenAt;

    Content(byte[] bytes, Instant writtenAt) {
      this.bytes = bytes;
      this.writtenAt = writtenAt;
    }
  }

  private final TreeMap<String, Content> contents = new TreeMap<>();
  private final Map<String, Set<RunId>> holders = new HashMap<>();
  private final Supplier<Instant> clock;
  private final Predicate<RunId> exists;

  MemoryBlobs(Supplier<Instant> clock, Predicate<RunId> exists) {
    this.clock = clock;
    this.exists = exists;
  }

  @Override
  public Blob write(BlobStore.Content content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    content.writeTo(out);
    byte[] bytes = out.toByteArray();
    var digest = Verified.digest();
    digest.update(bytes);
    Blob blob = new Blob(Verified.hash(digest), bytes.length);
    synchronized (this) {
      contents.put(blob.sha256(), new Content(bytes, clock.get()));
    }
    return blob;
  }

  @Override
  public synchronized InputStream open(String hash) {
    @Nullable Content content = contents.get(Blob.checkHash(hash));
    if (content == null) {
      throw PawlException.notFound("there is no blob " + hash + " in " + where());
    }
    Blob blob = new Blob(hash, content.bytes.length);
    return new Verified(new ByteArrayInputStream(content.bytes), blob, where());
  }

  @Override
  public synchronized boolean delete(String hash, Instant writtenBefore) {
    @Nullable Content content = contents.get(Blob.checkHash(hash));
    boolean old = content != null && content.writtenAt.isBefore(writtenBefore);
    return old && contents.remove(hash) != null;
  }

  @Override
  public synchronized List<Kept> list(String after, Instant writtenBefore, int limit) {
    return contents.tailMap(after, false).entrySet().stream()
        .filter(entry -> entry.getValue().writtenAt.isBefore(writtenBefore))
        .limit(limit)
        .map(entry ->
            new Kept(
                new Blob(entry.getKey(), entry.getValue().bytes.length),
                entry.getValue().writtenAt))
        .toList();
  }

  @Override
  public void dropUnfinished(Instant begunBefore) {}

  @Override
  public String where() {
    return "memory";
  }

  @Override
  public synchronized void add(RunId run, Collection<String> hashes) {
    hashes.forEach(hash -> holders.computeIfAbsent(hash, none -> new HashSet<>()).add(run));
  }

  @Override
  public Set<String> held(Collection<String> hashes) {
    Set<String> held = new HashSet<>();
    for (String hash : hashes) {
      Set<RunId> runs;
      synchronized (this) {
        runs = Set.copyOf(holders.getOrDefault(hash, Set.of()));
      }
      if (runs.stream().anyMatch(exists)) {
        held.add(hash);
      }
    }
    return held;
  }
}
