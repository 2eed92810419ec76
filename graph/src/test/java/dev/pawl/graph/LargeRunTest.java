package dev.pawl.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a graph holds in memory does not grow with what flows through it. */
@Timeout(180)
class LargeRunTest {
  private static final int HEAP_MEGABYTES = 48;
  private static final long BLOB_BYTES = 200L * 1024 * 1024;
  private static final int MESSAGES = 120_000;

  @TempDir Path directory;

  /** The result and the length of the log, from a process with so little memory. */
  private String run(String graph, long size) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process =
        new ProcessBuilder(
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx" + HEAP_MEGABYTES + "m",
                "-cp",
                System.getProperty("java.class.path"),
                LargeRun.class.getName(),
                directory.resolve("store.db").toString(),
                graph,
                Long.toString(size))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).isZero();
      return told.lines().reduce((one, other) -> other).orElse("");
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void anOutputOf200MegabytesLeavesUnderTwoKilobytesInTheLog() throws Exception {
    String[] told = run("blob", BLOB_BYTES).split(" ");

    CRC32 crc = new CRC32();
    SplittableRandom random = new SplittableRandom(1);
    byte[] block = new byte[64 * 1024];
    for (long done = 0; done < BLOB_BYTES; done += block.length) {
      random.nextBytes(block);
      crc.update(block);
    }
    assertThat(Json.parse(told[0]))
        .isEqualTo(Json.parse("{\"told\":\"" + BLOB_BYTES + ":" + crc.getValue() + "\"}"));
    assertThat(Long.parseLong(told[1])).isLessThan(2048);
  }

  @Test
  void aStreamLongerThanMemoryFlowsThrough() throws Exception {
    String[] told = run("stream", MESSAGES).split(" ");

    CRC32 crc = new CRC32();
    SplittableRandom random = new SplittableRandom(2);
    byte[] half = new byte[512];
    for (int i = 0; i < MESSAGES; i++) {
      random.nextBytes(half);
      crc.update(HexFormat.of().formatHex(half).getBytes(StandardCharsets.UTF_8));
    }
    assertThat(Json.parse(told[0]))
        .isEqualTo(Json.parse("{\"told\":\"" + MESSAGES + ":" + crc.getValue() + "\"}"));
  }
}
