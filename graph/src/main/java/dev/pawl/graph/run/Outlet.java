package dev.pawl.graph.run;

import dev.pawl.blob.Blob;
import dev.pawl.graph.fold.OutputsJson.Output;
import dev.pawl.graph.fold.Recording;
import dev.pawl.graph.node.Value;
import dev.pawl.json.Json;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One output handle: numbers what is put out, keeps it, and hands it on to the lines that lead away
 * from it. Written to by one thread, read by others.
 */
final class Outlet {
  private final String handle;
  private final boolean stream;
  private final RunShelf shelf;
  private final Recording recording;
  private final List<Line> lines = new ArrayList<>(1);
  private volatile @Nullable Value single;
  private volatile @Nullable Blob large;
  private volatile long count;

  // Of the writing thread alone: what an attempt that begins again puts out a second time.
  private long mark;
  private long cursor;
  private boolean repeating;

  Outlet(String handle, boolean stream, RunShelf shelf) {
    this.shelf = shelf;
    this.recording = new Recording(shelf);
    this.handle = handle;
    this.stream = stream;
  }

  void lead(Line line) {
    lines.add(line);
  }

  String handle() {
    return handle;
  }

  boolean isStream() {
    return stream;
  }

  long count() {
    return count;
  }

  /** What was put out up to here is done, also for an attempt that begins again. */
  void mark() {
    mark = repeating ? cursor : count;
  }

  void mark(long number) {
    mark = number;
  }

  /** Goes back to the mark: what comes up to now was put out before. */
  void rewind() {
    cursor = mark;
    repeating = mark < count;
  }

  /** Puts out a message, unless an earlier attempt has done so. */
  void put(Value value) {
    if (!repeating) {
      append(value);
    } else {
      repeating = ++cursor < count;
    }
  }

  /** Takes over what is on record. */
  void fill(List<Output> recorded) {
    for (Output output : recorded) {
      switch (output) {
        case Output.One one -> keep(Value.of(one.value()));
        case Output.Large one -> keepLarge(one.blob());
        case Output.Stream parts -> {
          parts.parts().forEach(recording::add);
          count = recording.count();
        }
      }
    }
  }

  /** Hands on a value whose JSON is kept in a blob, and not in memory. */
  void append(Value value, Blob blob) {
    long number = count;
    keepLarge(blob);
    handOn(number, value);
  }

  private void keepLarge(Blob blob) {
    large = blob;
    keep(shelf.value(blob));
  }

  /** Where the value is, if it is too large to be elsewhere. */
  Optional<Blob> large() {
    return Optional.ofNullable(large);
  }

  /** Keeps a message and hands it on. */
  void append(Value value) {
    long number = count;
    keep(value);
    handOn(number, value);
  }

  private void handOn(long number, Value value) {
    for (Line line : lines) {
      line.put(number, value);
    }
  }

  /** Keeps a message that is on record elsewhere, before anybody reads. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // Written by one thread alone.
  void keep(Value value) {
    if (stream) {
      recording.append(value.json());
    } else {
      single = value;
    }
    count++;
  }

  /** Nothing more will come; failed, if that is because something went wrong. */
  void end(boolean failed) {
    lines.forEach(line -> line.end(failed));
  }

  /** The kept messages from one number up to before another. */
  Iterator<Value> replay(long from, long to) {
    Value one = single;
    if (!stream) {
      return from == 0 && to > 0 && one != null
          ? List.of(one).iterator()
          : List.<Value>of().iterator();
    }
    Iterator<Json> kept = recording.read(from);
    return new Iterator<>() {
      private long left = to - from;

      @Override
      public boolean hasNext() {
        return left > 0 && kept.hasNext();
      }

      @Override
      public Value next() {
        left--;
        return Value.of(kept.next());
      }
    };
  }

  /** Everything that was put out, for the record. */
  Optional<Output> all() {
    if (count == 0) {
      return Optional.empty();
    }
    Value one = single;
    Blob blob = large;
    if (blob != null) {
      return Optional.of(new Output.Large(blob));
    }
    return Optional.of(
        one != null ? new Output.One(one.json()) : new Output.Stream(recording.all()));
  }

  /** What was put out and not asked for here yet, for the record. */
  Optional<Output> fresh() {
    List<Recording.Part> parts = stream ? recording.fresh() : List.of();
    return parts.isEmpty() ? Optional.empty() : Optional.of(new Output.Stream(parts));
  }
}
