package dev.pawl.cli.exec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Reads what a process writes, and keeps a bounded part of it. */
final class Capture {
  private static final int CHUNK_BYTES = 8192;
  private static final int MAX_LINE_BYTES = 4096;

  private Capture() {}

  /** The beginning of an output, up to a limit. Reading goes on behind it, keeping nothing. */
  static final class Head {
    private final int limit;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private volatile boolean overflown;

    Head(int limit) {
      this.limit = limit;
    }

    /** Reads to the end; calls back, once, when there is more than the limit. */
    void read(InputStream in, Runnable overflow) {
      byte[] chunk = new byte[CHUNK_BYTES];
      try {
        for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
          if (!overflown && kept(chunk, n) > limit) {
            overflown = true;
            overflow.run();
          }
        }
      } catch (IOException e) {
        // The pipe was closed under us because the process was killed: what was read counts.
      }
    }

    private synchronized int kept(byte[] chunk, int length) {
      kept.write(chunk, 0, Math.min(length, limit + 1 - kept.size()));
      return kept.size();
    }

    boolean isOverflown() {
      return overflown;
    }

    synchronized String text() {
      return kept.toString(StandardCharsets.UTF_8);
    }
  }

  /** The end of an output, and each of its lines as it comes. */
  static final class Tail {
    private final byte[] ring;
    private long written;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    Tail(int limit) {
      this.ring = new byte[limit];
    }

    void read(InputStream in, Consumer<String> lines) {
      byte[] chunk = new byte[CHUNK_BYTES];
      try {
        for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
          keep(chunk, n);
          split(chunk, n, lines);
        }
      } catch (IOException e) {
        // As above.
      }
      if (line.size() > 0) {
        endLine(lines);
      }
    }

    private synchronized void keep(byte[] chunk, int length) {
      for (int i = 0; i < length; i++) {
        ring[(int) (written++ % ring.length)] = chunk[i];
      }
    }

    private void split(byte[] chunk, int length, Consumer<String> lines) {
      for (int i = 0; i < length; i++) {
        if (chunk[i] == '\n') {
          endLine(lines);
        } else {
          line.write(chunk[i]);
          if (line.size() == MAX_LINE_BYTES) {
            endLine(lines);
          }
        }
      }
    }

    private void endLine(Consumer<String> lines) {
      lines.accept(line.toString(StandardCharsets.UTF_8));
      line.reset();
    }

    synchronized String text() {
      int size = (int) Math.min(written, ring.length);
      byte[] bytes = new byte[size];
      for (int i = 0; i < size; i++) {
        bytes[i] = ring[(int) ((written - size + i) % ring.length)];
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }
}
