package dev.pawl.script.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.script.lang.syntax.ScriptError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The corpus in {@code spec/}, every file straight through, restored at every await, and restored
 * at every statement.
 */
class SpecTest {
  private static final Path ROOT = Path.of("..", "spec");
  private static final int SMALLEST_CORPUS = 250;
  private static final int TYPICAL_SNAPSHOT_BYTES = 2048;

  @TestFactory
  Stream<DynamicTest> straightThrough() throws IOException {
    return tests(SpecWorld.Mode.STRAIGHT);
  }

  @TestFactory
  Stream<DynamicTest> restoredAtEveryAwait() throws IOException {
    return tests(SpecWorld.Mode.RESTORED_AT_AWAITS);
  }

  @TestFactory
  Stream<DynamicTest> restoredAtEveryStatement() throws IOException {
    return tests(SpecWorld.Mode.RESTORED_AT_STATEMENTS);
  }

  @Test
  void theCorpusIsThere() throws IOException {
    assertThat(files()).hasSizeGreaterThan(SMALLEST_CORPUS);
  }

  @Test
  void nearlyAllSnapshotsOfTheCorpusAreSmall() throws IOException {
    List<Integer> sizes = new ArrayList<>();
    for (Path path : files()) {
      SpecCase file = SpecCase.read(ROOT, path);
      if (Script.parse(file.name, file.source) instanceof Script script) {
        SpecWorld world = new SpecWorld(file, script, SpecWorld.Mode.RESTORED_AT_AWAITS);
        world.run();
        sizes.addAll(world.snapshotSizes);
      }
    }
    long small = sizes.stream().filter(size -> size < TYPICAL_SNAPSHOT_BYTES).count();
    assertThat((double) small / sizes.size()).isGreaterThan(0.95);
  }

  private static Stream<DynamicTest> tests(SpecWorld.Mode mode) throws IOException {
    return files().stream()
        .map(path ->
            DynamicTest.dynamicTest(ROOT.relativize(path).toString(), () -> check(path, mode)));
  }

  static List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(ROOT)) {
      return all.filter(path -> path.toString().endsWith(".flow")).sorted().toList();
    }
  }

  static void check(Path path, SpecWorld.Mode mode) {
    check(SpecCase.read(ROOT, path), mode);
  }

  static void check(SpecCase file, SpecWorld.Mode mode) {
    switch (Script.parse(file.name, file.source)) {
      case ScriptErrors errors -> checkErrors(file, errors);
      case Script script -> checkRun(file, script, mode);
    }
  }

  private static void checkErrors(SpecCase file, ScriptErrors found) {
    List<ScriptError> errors = found.errors();
    assertThat(errors).as(found.show()).hasSameSizeAs(file.errors);
    for (int i = 0; i < errors.size(); i++) {
      ScriptError error = errors.get(i);
      check(file.errors.get(i), error.code(), error.message(), error.line(), error.column());
    }
  }

  private static void check(
      SpecCase.Mistake expected, String code, String message, int line, int column) {
    String shown = code + " at " + line + ":" + column + ": " + message;
    assertThat(code).as(shown).isEqualTo(expected.code());
    assertThat(line).as(shown).isEqualTo(expected.line() == 0 ? line : expected.line());
    assertThat(column).as(shown).isEqualTo(expected.column() == 0 ? column : expected.column());
    assertThat(message).contains(expected.fragment());
  }

  private static void checkRun(SpecCase file, Script script, SpecWorld.Mode mode) {
    SpecWorld world = new SpecWorld(file, script, mode);
    Step step = world.run();
    switch (step) {
      case Step.Done done -> {
        assertThat(file.value).as("the value " + done.value()).isPresent();
        assertThat(done.value()).isEqualTo(canonical(file.value.orElseThrow()));
      }
      case Step.Threw threw -> {
        Failure error = threw.error();
        assertThat(file.errors).as(error.toString()).hasSize(1);
        check(file.errors.get(0), error.code(), error.message(), error.line(), error.column());
      }
      case Step.Waiting waiting -> {
        assertThat(file.suspended).as(waiting.toString()).isTrue();
        int line = world.views().get(0).line();
        assertThat(line).isEqualTo(file.suspendedLine == 0 ? line : file.suspendedLine);
      }
      case Step.Paused paused -> throw new AssertionError(paused);
    }
    if (!file.log.isEmpty()) {
      assertThat(world.log).isEqualTo(file.log);
    }
    file.started.ifPresent(names ->
        assertThat(
                "["
                    + String.join(",", world.started.stream().map(JsonWriter::quote).toList())
                    + "]")
            .isEqualTo(canonical(names)));
    file.taskInputs.forEach((name, expected) -> assertCalls(world.inputs.get(name), expected));
    file.taskOptions.forEach((name, expected) -> assertCalls(world.options.get(name), expected));
    file.time.ifPresent(time -> assertThat(world.elapsed()).isEqualTo(time));
  }

  private static void assertCalls(List<String> actual, List<String> expected) {
    for (int i = 0; i < expected.size(); i++) {
      assertThat(actual.get(i)).isEqualTo(canonical(expected.get(i)));
    }
  }

  /** The same JSON as the machine writes it. */
  static String canonical(String json) {
    Script empty = Script.parse("empty", "").orThrow();
    SpecWorld world = new SpecWorld(new SpecCase("empty", ""), empty, SpecWorld.Mode.STRAIGHT);
    Machine machine =
        Machine.start(empty, "null", new RunContext("r", "t", 1), world, Limits.DEFAULT);
    return JsonWriter.write(machine.fromJson(json), machine);
  }
}
