package dev.pawl.script.lang;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Snapshots that earlier versions wrote, kept for ever: each must be restored and finished with the
 * result it was written with. For every NAME there are {@code NAME.flow}, {@code NAME.snapshot} in
 * Base64, and {@code NAME.expected}. The answers to all operations are their numbers.
 */
class GoldenSnapshotsTest {
  private static final Path FOLDER =
      Path.of("src", "test", "resources", "dev", "pawl", "script", "lang", "snapshots");

  @TestFactory
  Stream<DynamicTest> everyOldSnapshotGoesOn() throws IOException {
    return scripts().stream()
        .map(path -> DynamicTest.dynamicTest(path.toString(), () -> check(path)));
  }

  @Test
  void thereAreSome() throws IOException {
    assertThat(scripts()).hasSizeGreaterThanOrEqualTo(6);
  }

  private static List<Path> scripts() throws IOException {
    try (Stream<Path> all = Files.list(FOLDER)) {
      return all.filter(path -> path.toString().endsWith(".flow")).sorted().toList();
    }
  }

  private static Path beside(Path path, String ending) {
    return Path.of(path.toString().replace(".flow", ending));
  }

  private static void check(Path path) throws IOException {
    Script script = Script.parse("golden.flow", Files.readString(path)).orThrow();
    byte[] snapshot =
        Base64.getMimeDecoder().decode(Files.readString(beside(path, ".snapshot")).strip());
    Machine machine = Machine.restore(script, snapshot, new FixedHost(), Limits.DEFAULT);
    assertThat(finish(machine)).isEqualTo(Files.readString(beside(path, ".expected")).strip());
  }

  private static String finish(Machine machine) {
    Step step = machine.run();
    while (step instanceof Step.Waiting waiting) {
      Operation.Awaitable first = waiting.pending().get(0).operation();
      machine.settle(first.op(), String.valueOf(first.op()));
      step = machine.run();
    }
    return ((Step.Done) step).value();
  }

  /** Writes the snapshots of scripts that have none, with this version: run it by hand. */
  public static void main(String[] args) throws IOException {
    for (Path path : scripts()) {
      if (Files.exists(beside(path, ".snapshot"))) {
        continue;
      }
      Script script = Script.parse("golden.flow", Files.readString(path)).orThrow();
      Machine machine =
          Machine.start(
              script,
              "{\"who\":\"ada\"}",
              new RunContext("r", "golden", 1),
              new FixedHost(),
              Limits.DEFAULT);
      machine.run();
      String text = Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(machine.snapshot());
      Files.writeString(beside(path, ".snapshot"), text + "\n");
      Files.writeString(beside(path, ".expected"), finish(machine) + "\n");
    }
  }
}
