package dev.pawl.graph.fold;

import dev.pawl.blob.Blob;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A stream of messages as it is kept: compressed, in parts that are read and recorded one by one.
 * The last half megabyte of it is in memory, the rest in blobs. It can be read from any place while
 * it grows. Thread-safe.
 */
public final class Recording {
  /** How much is gathered before it is compressed, in bytes. */
  private static final int STAGE_BYTES = 32 * 1024;

  /** How large a part grows, in compressed bytes. */
  private static final int PART_BYTES = 256 * 1024;

  /** How much may be kept in memory, in compressed bytes. */
  private static final int MEMORY_BYTES = 512 * 1024;

  private final Shelf shelf;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Part> parts = new ArrayList<>();
  private byte[] stage = new byte[256];
  private int staged;
  private @Nullable Deflated open;
  private long openCount;
  private long count;
  private int inMemory;

  /** How many of the parts are on record. */
  private int recorded;

  /** A finished part: so many messages, each a line of JSON. */
  public sealed interface Part {
    long count();

    /** In memory, compressed. */
    final class Inline implements Part {
      private final long count;
      private final byte[] deflated;

      /** Takes the bytes over: nobody writes to them any more. */
      public Inline(long count, byte[] deflated) {
        this.count = count;
        this.deflated = deflated;
      }

      @Override
      public long count() {
        return count;
      }

      byte[] deflated() {
        return deflated;
      }
    }

    /** In a blob: compressed pieces, each behind its length. */
    record Spilled(long count, Blob blob) implements Part {}
  }

  private static final class Deflated {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    final DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater, 4096);
  }

  public Recording(Shelf shelf) {
    this.shelf = shelf;
  }

  public long count() {
    return locked(() -> count);
  }

  // ---- growing ----

  public void append(Json message) {
    byte[] line = message.text().getBytes(StandardCharsets.UTF_8);
    lock.lock();
    try {
      if (staged + line.length + 1 > stage.length) {
        makeRoom(line.length + 1);
      }
      System.arraycopy(line, 0, stage, staged, line.length);
      staged += line.length;
      stage[staged++] = '\n';
      count++;
      openCount++;
    } finally {
      lock.unlock();
    }
  }

  private void makeRoom(int bytes) {
    if (staged + bytes <= STAGE_BYTES) {
      int wanted = Math.max(stage.length * 4, staged + bytes);
      stage = Arrays.copyOf(stage, Math.min(STAGE_BYTES, wanted));
      return;
    }
    compress();
    if (bytes > stage.length) {
      stage = new byte[bytes];
    }
  }

  private void compress() {
    try {
      if (open == null) {
        open = new Deflated();
      }
      open.out.write(stage, 0, staged);
      staged = 0;
      stage = stage.length > STAGE_BYTES ? new byte[STAGE_BYTES] : stage;
      if (open.bytes.size() > PART_BYTES) {
        cut();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the present part, if there is anything in it. */
  private void cut() {
    if (openCount == 0) {
      return;
    }
    try {
      Deflated ended = open == null ? new Deflated() : open;
      open = null;
      ended.out.write(stage, 0, staged);
      ended.out.close();
      ended.deflater.end();
      staged = 0;
      add(parts, new Part.Inline(openCount, ended.bytes.toByteArray()));
      openCount = 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    spill();
  }

  private void add(List<Part> to, Part part) {
    to.add(part);
    inMemory += part instanceof Part.Inline inline ? inline.deflated().length : 0;
  }

  /** Adds a part that was recorded earlier. */
  public void add(Part part) {
    lock.lock();
    try {
      cut();
      add(parts, part);
      count += part.count();
      recorded = parts.size();
      spill();
    } finally {
      lock.unlock();
    }
  }

  // ---- blobs ----

  /** Puts what is in memory into blobs, if that has become too much. */
  private void spill() {
    if (inMemory <= MEMORY_BYTES) {
      return;
    }
    List<Part> old = spilled(parts.subList(0, recorded));
    List<Part> fresh = spilled(parts.subList(recorded, parts.size()));
    parts.clear();
    parts.addAll(old);
    parts.addAll(fresh);
    recorded = old.size();
    inMemory = 0;
  }

  /** The same messages, with those in memory that follow each other put together in a blob. */
  private List<Part> spilled(List<Part> some) {
    List<Part> shorter = new ArrayList<>();
    List<Part.Inline> together = new ArrayList<>();
    for (Part part : some) {
      if (part instanceof Part.Inline inline) {
        together.add(inline);
      } else {
        shorter.addAll(written(together));
        together.clear();
        shorter.add(part);
      }
    }
    shorter.addAll(written(together));
    return shorter;
  }

  private List<Part> written(List<Part.Inline> together) {
    if (together.isEmpty()) {
      return List.of();
    }
    Blob blob =
        shelf.put(out -> {
          DataOutputStream pieces = new DataOutputStream(out);
          for (Part.Inline part : together) {
            pieces.writeInt(part.deflated().length);
            pieces.write(part.deflated());
          }
          pieces.flush();
        });
    return List.of(new Part.Spilled(together.stream().mapToLong(Part::count).sum(), blob));
  }

  // ---- the record ----

  /** All parts there are; what comes later begins a new one. */
  public List<Part> all() {
    return locked(() -> {
      cut();
      recorded = parts.size();
      return List.copyOf(parts);
    });
  }

  /** The parts that were not asked for yet. */
  public List<Part> fresh() {
    return locked(() -> {
      cut();
      List<Part> fresh = List.copyOf(parts.subList(recorded, parts.size()));
      recorded = parts.size();
      return fresh;
    });
  }

  // ---- reading ----

  /** The messages from the one with this number up to the last there is now. */
  public Iterator<Json> read(long from) {
    return locked(() -> {
      cut();
      List<Part> rest = new ArrayList<>();
      long before = 0;
      long skip = 0;
      for (Part part : parts) {
        if (before + part.count() > from) {
          skip = rest.isEmpty() ? from - before : skip;
          rest.add(part);
        }
        before += part.count();
      }
      return new Reader(shelf, rest.iterator(), skip);
    });
  }

  private <T> T locked(Supplier<T> body) {
    lock.lock();
    try {
      return body.get();
    } finally {
      lock.unlock();
    }
  }

  private static final class Reader implements Iterator<Json> {
    private final Shelf shelf;
    private final Iterator<Part> parts;
    private @Nullable DataInputStream pieces;
    private @Nullable BufferedReader lines;
    private @Nullable String next;

    Reader(Shelf shelf, Iterator<Part> parts, long skip) {
      this.shelf = shelf;
      this.parts = parts;
      advance();
      for (long i = 0; i < skip; i++) {
        advance();
      }
    }

    private void advance() {
      try {
        next = lines == null ? null : lines.readLine();
        while (next == null && nextPiece()) {
          next = lines == null ? null : lines.readLine();
        }
      } catch (IOException e) {
        throw PawlException.internal("a recorded stream cannot be read: " + e.getMessage());
      }
    }

    /** Goes to the next compressed piece, of this part or the one after it. */
    private boolean nextPiece() throws IOException {
      DataInputStream blob = pieces;
      if (blob != null) {
        byte[] length = blob.readNBytes(Integer.BYTES);
        if (length.length > 0) {
          int bytes = new DataInputStream(new ByteArrayInputStream(length)).readInt();
          lines = lines(blob.readNBytes(bytes));
          return true;
        }
        blob.close();
        pieces = null;
      }
      if (!parts.hasNext()) {
        return false;
      }
      lines = null;
      switch (parts.next()) {
        case Part.Inline part -> lines = lines(part.deflated());
        case Part.Spilled part -> pieces = new DataInputStream(shelf.open(part.blob()));
      }
      return true;
    }

    private static BufferedReader lines(byte[] deflated) {
      InputStream inflated = new InflaterInputStream(new ByteArrayInputStream(deflated));
      return new BufferedReader(new InputStreamReader(inflated, StandardCharsets.UTF_8));
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public Json next() {
      if (next == null) {
        throw new NoSuchElementException();
      }
      Json message = Json.stored(next);
      advance();
      return message;
    }
  }
}
