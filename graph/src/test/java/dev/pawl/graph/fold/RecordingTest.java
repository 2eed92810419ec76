package dev.pawl.graph.fold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.blob.Blob;
import dev.pawl.blob.BlobStore;
import dev.pawl.blob.Verified;
import dev.pawl.graph.fold.OutputsJson.Output;
import dev.pawl.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a stream is kept as, while it grows and when it is read from the log. */
class RecordingTest {
  /** Blobs in a map. */
  private static final class Cupboard implements Shelf {
    private final Map<String, byte[]> contents = new HashMap<>();

    @Override
    public Blob put(BlobStore.Content content) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try {
        content.writeTo(out);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      var digest = Verified.digest();
      digest.update(out.toByteArray());
      Blob blob = new Blob(Verified.hash(digest), out.size());
      contents.put(blob.sha256(), out.toByteArray());
      return blob;
    }

    @Override
    public InputStream open(Blob blob) {
      byte[] content = contents.get(blob.sha256());
      return new Verified(new ByteArrayInputStream(content), blob, "the cupboard");
    }
  }

  private static final int MESSAGES = 3000;

  private final Cupboard cupboard = new Cupboard();
  private final SplittableRandom random = new SplittableRandom(5);

  /** A message that does not get much smaller by compression. */
  private Json message() {
    byte[] bytes = new byte[500];
    random.nextBytes(bytes);
    return Json.string(HexFormat.of().formatHex(bytes));
  }

  private static List<Json> read(Recording recording, long from) {
    List<Json> read = new ArrayList<>();
    Iterator<Json> messages = recording.read(from);
    messages.forEachRemaining(read::add);
    return read;
  }

  private static long inline(List<Recording.Part> parts) {
    return parts.stream()
        .mapToLong(part -> part instanceof Recording.Part.Inline kept ? kept.deflated().length : 0)
        .sum();
  }

  @Test
  void aLongStreamIsInBlobsAndCanBeReadFromAnyPlace() {
    Recording recording = new Recording(cupboard);
    List<Json> messages = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      messages.add(message());
      recording.append(messages.getLast());
    }

    for (int from : new int[] {0, 1, 700, 1500, MESSAGES - 1, MESSAGES}) {
      assertThat(read(recording, from)).isEqualTo(messages.subList(from, MESSAGES));
    }
    List<Recording.Part> parts = recording.all();
    assertThat(parts).hasAtLeastOneElementOfType(Recording.Part.Spilled.class);
    assertThat(parts).hasSizeLessThan(10);
    assertThat(inline(parts)).isLessThan(512 * 1024);
  }

  @Test
  void aShortStreamTouchesNoBlob() {
    Recording recording = new Recording(cupboard);
    for (int i = 0; i < 100; i++) {
      recording.append(Json.string("message " + i));
    }

    assertThat(recording.all()).hasSize(1);
    assertThat(cupboard.contents).isEmpty();
  }

  @Test
  void manySmallCheckpointsDoNotPileUpInMemory() {
    Recording recording = new Recording(cupboard);
    List<Json> messages = new ArrayList<>();
    List<Recording.Part> recorded = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      messages.add(message());
      recording.append(messages.getLast());
      if (i % 3 == 2) {
        recorded.addAll(recording.fresh());
      }
    }

    assertThat(recorded.stream().mapToLong(Recording.Part::count).sum()).isEqualTo(MESSAGES);
    assertThat(recording.fresh()).isEmpty();
    assertThat(inline(recording.all())).isLessThan(512 * 1024);
    assertThat(read(recording, 1000)).isEqualTo(messages.subList(1000, MESSAGES));

    Recording again = new Recording(cupboard);
    recorded.forEach(again::add);
    assertThat(again.fresh()).isEmpty();
    assertThat(read(again, 0)).isEqualTo(messages);
  }

  @Test
  void theLogBringsItBack() {
    Recording recording = new Recording(cupboard);
    List<Json> messages = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      messages.add(message());
      recording.append(messages.getLast());
    }

    Json written = OutputsJson.write(Map.of("out", new Output.Stream(recording.all())));

    assertThat(Blob.in(written)).isNotEmpty().isSubsetOf(cupboard.contents.keySet());
    Recording again = new Recording(cupboard);
    if (OutputsJson.read(written).get("out") instanceof Output.Stream stream) {
      stream.parts().forEach(again::add);
    }
    assertThat(read(again, 0)).isEqualTo(messages);
  }

  @Test
  void oneMessageThatIsLargerThanAPartIsAPart() {
    Recording recording = new Recording(cupboard);
    byte[] bytes = new byte[2_000_000];
    random.nextBytes(bytes);
    Json large = Json.string(HexFormat.of().formatHex(bytes));
    recording.append(Json.TRUE);
    recording.append(large);
    recording.append(Json.FALSE);

    assertThat(read(recording, 0)).containsExactly(Json.TRUE, large, Json.FALSE);
    assertThat(inline(recording.all())).isLessThan(512 * 1024);
  }
}
