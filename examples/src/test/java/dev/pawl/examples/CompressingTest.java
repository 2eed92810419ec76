package dev.pawl.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.blob.Blob;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompressingTest {
  @TempDir Path directory;

  @Test
  void aFileIsCompressedAndItsLinesAreCounted() throws Exception {
    String text = "a line of a file\n".repeat(1000);
    Path file = Files.writeString(directory.resolve("file.txt"), text);

    try (Pawl pawl = Pawl.open("memory:")) {
      Json result = Compressing.compress(pawl, file).result();

      assertThat(result.member("lines")).isEqualTo(Json.number(1000));
      Blob blob = JsonCodec.decode(result.member("packed"), Blob.class);
      try (GZIPInputStream content = new GZIPInputStream(pawl.blobs().open(blob))) {
        assertThat(new String(content.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(text);
      }
    }
  }
}
