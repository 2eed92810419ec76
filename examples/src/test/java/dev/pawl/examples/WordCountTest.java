package dev.pawl.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WordCountTest {
  @TempDir Path directory;

  @Test
  void theWordsOfAllFilesAreCounted() throws Exception {
    Files.writeString(directory.resolve("one.txt"), "a b a");
    Files.writeString(directory.resolve("two.txt"), "b a c");

    try (Pawl pawl = Pawl.open("memory:")) {
      assertThat(WordCount.count(pawl, directory).result())
          .isEqualTo(Json.parse("{\"words\":{\"a\":3,\"b\":2,\"c\":1}}"));
    }
  }
}
