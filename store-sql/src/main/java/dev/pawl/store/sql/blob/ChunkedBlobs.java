package dev.pawl.store.sql.blob;

import dev.pawl.blob.Blob;
import dev.pawl.blob.BlobStore;
import dev.pawl.blob.Verified;
import dev.pawl.error.PawlException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Blobs in tables: cut into chunks, of which one is in memory at a time. Content that fits into one
 * chunk is one transaction. Thread-safe.
 */
public final class ChunkedBlobs implements BlobStore {
  /** How large a chunk is, in bytes. */
  public static final int CHUNK_BYTES = 1024 * 1024;

  private static final int FIRST_BUFFER_BYTES = 8 * 1024;

  private final BlobTables tables;
  private final String where;

  /**
   * Blobs in these tables.
   *
   * @param where the store they are in, for people
   */
  public ChunkedBlobs(BlobTables tables, String where) {
    this.tables = tables;
    this.where = where;
  }

  @Override
  public Blob write(Content content) throws IOException {
    Chunks chunks = new Chunks();
    boolean finished = false;
    try {
      content.writeTo(chunks);
      Blob blob = chunks.finish();
      finished = true;
      return blob;
    } finally {
      if (!finished && chunks.number != BlobTables.NEW) {
        tables.drop(chunks.number);
      }
    }
  }

  private final class Chunks extends OutputStream {
    private final MessageDigest digest = Verified.digest();
    private byte[] buffer = new byte[FIRST_BUFFER_BYTES];
    private int filled;
    private int count;
    private long length;
    private long number = BlobTables.NEW;

    @Override
    public void write(int one) {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int size) {
      digest.update(bytes, offset, size);
      length += size;
      int done = 0;
      while (done < size) {
        makeRoom(size - done);
        int part = Math.min(size - done, buffer.length - filled);
        System.arraycopy(bytes, offset + done, buffer, filled, part);
        filled += part;
        done += part;
      }
    }

    private void makeRoom(int size) {
      if (filled == CHUNK_BYTES) {
        number = tables.append(number, count++, buffer);
        filled = 0;
      } else if (filled + size > buffer.length) {
        int wanted = Math.max(buffer.length * 4, filled + size);
        buffer = Arrays.copyOf(buffer, Math.clamp(wanted, FIRST_BUFFER_BYTES, CHUNK_BYTES));
      }
    }

    private Blob finish() {
      String hash = Verified.hash(digest);
      tables.finish(number, count, Arrays.copyOf(buffer, filled), hash, length);
      return new Blob(hash, length);
    }
  }

  @Override
  public InputStream open(String hash) {
    Optional<BlobTables.Whole> whole = tables.find(Blob.checkHash(hash));
    if (whole.isEmpty()) {
      throw PawlException.notFound("there is no blob " + hash + " in " + where);
    }
    long number = whole.get().number();
    return new Verified(new Joined(number), new Blob(hash, whole.get().length()), where);
  }

  /** The chunks one after the other. */
  private final class Joined extends InputStream {
    private final long number;
    private byte[] chunk = new byte[0];
    private int position;
    private int next;

    Joined(long number) {
      this.number = number;
    }

    @Override
    public int read() {
      return advance() ? chunk[position++] & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      if (!advance()) {
        return -1;
      }
      int part = Math.min(length, chunk.length - position);
      System.arraycopy(chunk, position, bytes, offset, part);
      position += part;
      return part;
    }

    private boolean advance() {
      while (position == chunk.length) {
        Optional<byte[]> found = next < 0 ? Optional.empty() : tables.chunk(number, next++);
        if (found.isEmpty()) {
          next = -1;
          return false;
        }
        chunk = found.get();
        position = 0;
      }
      return true;
    }
  }

  @Override
  public boolean delete(String hash, Instant writtenBefore) {
    return tables.delete(Blob.checkHash(hash), writtenBefore);
  }

  @Override
  public List<Kept> list(String after, Instant writtenBefore, int limit) {
    return tables.list(after, writtenBefore, limit);
  }

  @Override
  public void dropUnfinished(Instant begunBefore) {
    tables.dropUnfinished(begunBefore);
  }

  @Override
  public String where() {
    return where;
  }
}
