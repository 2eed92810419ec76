package dev.pawl.script.lang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.doctor.Doctor;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** What waits for something in the corpus gives the same on the real engine, from start to end. */
@Timeout(300)
class SpecOnEngineTest {
  private static final Path ROOT = Path.of("..", "spec");

  @TestFactory
  Stream<DynamicTest> onTheEngine() throws IOException {
    List<SpecCase> files =
        SpecTest.files().stream()
            .map(path -> SpecCase.read(ROOT, path))
            .filter(SpecOnEngineTest::waits)
            .toList();
    assertThat(files).hasSizeGreaterThan(150);
    return files.stream().map(file -> DynamicTest.dynamicTest(file.name, () -> check(file)));
  }

  /** Whether it has something to do with the engine. */
  private static boolean waits(SpecCase file) {
    return file.source.contains("await")
        && !file.source.contains("queue:")
        && Script.parse(file.name, file.source) instanceof Script;
  }

  private static void check(SpecCase file) {
    try (SpecEngine engine = new SpecEngine(file)) {
      Run run = engine.run();
      checkEnd(file, run);
      checkCalls(file, engine);
      if (file.time.isPresent()) {
        long millis = run.finishedAt().orElseThrow().toEpochMilli() - file.startMillis;
        assertThat(millis).isEqualTo(file.time.get());
      }
      List<Object> violations = new ArrayList<>();
      Doctor.check(engine.store(), violations::add);
      assertThat(violations).isEmpty();
    }
  }

  private static void checkEnd(SpecCase file, Run run) {
    if (file.value.isPresent()) {
      assertThat(run.status()).as(run.toString()).isEqualTo(Status.SUCCEEDED);
      assertThat(SpecTest.canonical(run.result().orElseThrow().text()))
          .isEqualTo(SpecTest.canonical(file.value.get()));
    } else if (file.suspended) {
      assertThat(run.status()).as(run.toString()).isEqualTo(Status.SUSPENDED);
    } else {
      assertThat(run.status()).as(run.toString()).isEqualTo(Status.FAILED);
      SpecCase.Mistake expected = file.errors.getFirst();
      assertThat(run.lastError().orElseThrow().code()).isEqualTo(expected.code());
      assertThat(run.lastError().orElseThrow().message()).contains(expected.fragment());
    }
  }

  private static void checkCalls(SpecCase file, SpecEngine engine) {
    if (!file.log.isEmpty()) {
      assertThat(
              engine.events().stream()
                  .filter(Event.Logged.class::isInstance)
                  .map(event -> ((Event.Logged) event).message()))
          .isEqualTo(file.log);
    }
    List<Run> children = engine.children();
    file.started.ifPresent(names ->
        assertThat(
                "["
                    + String.join(
                        ",", children.stream().map(c -> JsonWriter.quote(c.type())).toList())
                    + "]")
            .isEqualTo(SpecTest.canonical(names)));
    for (Map.Entry<String, List<String>> inputs : file.taskInputs.entrySet()) {
      List<String> given =
          children.stream()
              .filter(child -> child.type().equals(inputs.getKey()))
              .map(child -> child.payload().text())
              .toList();
      for (int i = 0; i < inputs.getValue().size(); i++) {
        assertThat(SpecTest.canonical(given.get(i)))
            .isEqualTo(SpecTest.canonical(inputs.getValue().get(i)));
      }
    }
  }
}
