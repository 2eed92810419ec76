package dev.pawl.graph.run;

import dev.pawl.blob.Blob;
import dev.pawl.blob.BlobStore;
import dev.pawl.graph.fold.OutputsJson.Output;
import dev.pawl.graph.fold.Shelf;
import dev.pawl.graph.node.Value;
import dev.pawl.json.Json;
import dev.pawl.work.Turn;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.Supplier;

/** The blobs of a run. Thread-safe. */
final class RunShelf implements Shelf {
  private final Supplier<Turn> turn;

  RunShelf(Supplier<Turn> turn) {
    this.turn = turn;
  }

  @Override
  public Blob put(BlobStore.Content content) {
    try {
      return turn.get().archive().blobs().write(turn.get().run().id(), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public InputStream open(Blob blob) {
    return turn.get().archive().blobs().open(blob);
  }

  /** What has come in from outside refers to blobs: from now on this run needs them too. */
  void need(Json value) {
    Set<String> hashes = Blob.in(value);
    if (!hashes.isEmpty()) {
      turn.get().archive().blobs().refer(turn.get().run().id(), hashes);
    }
  }

  /** One value as it is recorded: as it is, or its blob if it is large. */
  Output output(Json value) {
    if (value.text().length() <= MAX_INLINE_CHARS) {
      return new Output.One(value);
    }
    Blob blob =
        put(out -> {
          Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
          writer.write(value.text());
          writer.flush();
        });
    return new Output.Large(blob);
  }

  /** A value that is read from its blob whenever somebody asks for it. */
  Value value(Blob blob) {
    return Value.later(() -> read(blob));
  }

  private Json read(Blob blob) {
    try (InputStream in = open(blob)) {
      return Json.stored(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
