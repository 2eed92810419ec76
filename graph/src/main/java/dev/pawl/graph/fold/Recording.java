package dev.pawl.graph.fold;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A stream of messages as it is kept: compressed, in parts that are read and recorded one by one.
 * It can be read from any place while it grows. Thread-safe.
 */
public final class Recording {
  /** How much is gathered before it is compressed, in bytes. */
  private static final int STAGE_BYTES = 32 * 1024;

  /** How large a part grows, in compressed bytes. */
  private static final int PART_BYTES = 256 * 1024;

  private final List<Part> parts = new ArrayList<>();
  private byte[] stage = new byte[256];
  private int staged;
  private @Nullable Deflated open;
  private long openCount;
  private long count;

  /** A finished part: so many messages, each a line of JSON. */
  public static final class Part {
    private final long count;
    private final byte[] deflated;

    /** Takes the bytes over: nobody writes to them any more. */
    public Part(long count, byte[] deflated) {
      this.count = count;
      this.deflated = deflated;
    }

    public long count() {
      return count;
    }

    byte[] deflated() {
      return deflated;
    }
  }

  private static final class Deflated {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    final DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater, 4096);
  }

  public synchronized long count() {
    return count;
  }

  public synchronized void append(Json message) {
    byte[] line = message.text().getBytes(StandardCharsets.UTF_8);
    if (staged + line.length + 1 > stage.length) {
      makeRoom(line.length + 1);
    }
    System.arraycopy(line, 0, stage, staged, line.length);
    staged += line.length;
    stage[staged++] = '\n';
    count++;
    openCount++;
  }

  private void makeRoom(int bytes) {
    if (staged + bytes <= STAGE_BYTES) {
      stage =
          java.util.Arrays.copyOf(
              stage, Math.min(STAGE_BYTES, Math.max(stage.length * 4, staged + bytes)));
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
      parts.add(new Part(openCount, ended.bytes.toByteArray()));
      openCount = 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The parts from the one with this number on; what comes later begins a new one. */
  public synchronized List<Part> parts(int from) {
    cut();
    return List.copyOf(parts.subList(Math.min(from, parts.size()), parts.size()));
  }

  /** Adds a part that was recorded earlier. */
  public synchronized void add(Part part) {
    cut();
    parts.add(part);
    count += part.count();
  }

  /** The messages from the one with this number up to the last there is now. */
  public synchronized Iterator<Json> read(long from) {
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
    return new Reader(rest.iterator(), skip);
  }

  private static final class Reader implements Iterator<Json> {
    private final Iterator<Part> parts;
    private @Nullable BufferedReader lines;
    private @Nullable String next;

    Reader(Iterator<Part> parts, long skip) {
      this.parts = parts;
      advance();
      for (long i = 0; i < skip; i++) {
        advance();
      }
    }

    private void advance() {
      try {
        next = lines == null ? null : lines.readLine();
        while (next == null && parts.hasNext()) {
          lines = open(parts.next());
          next = lines.readLine();
        }
      } catch (IOException e) {
        throw PawlException.internal("a recorded stream cannot be read: " + e.getMessage());
      }
    }

    private static BufferedReader open(Part part) {
      return new BufferedReader(
          new InputStreamReader(
              new InflaterInputStream(new ByteArrayInputStream(part.deflated())),
              StandardCharsets.UTF_8));
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
