package dev.pawl.examples;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.log.Event;
import dev.pawl.log.Status;
import dev.pawl.store.Count;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class FanOutTest {
  private static final List<String> TEXTS =
      List.of(" One two ", "three", "four five six", "seven eight", "nine");

  @Test
  void everyTextIsCleanedByAStepAndCountedByAChild(@TempDir Path directory) {
    try (Pawl pawl = Pawl.open("sqlite:" + directory.resolve("texts.db"))) {
      pawl.register(FanOut.TOTAL).register(FanOut.COUNT).work();
      RunHandle<Integer> run = pawl.start(FanOut.TOTAL, TEXTS);
      assertThat(run.result(ofSeconds(10))).isEqualTo(9);
      assertThat(pawl.counts())
          .contains(new Count("text.count.v1", Status.SUCCEEDED, TEXTS.size()));
      assertThat(pawl.log(run.id()))
          .filteredOn(entry -> entry.event() instanceof Event.StepCompleted)
          .hasSameSizeAs(TEXTS);
    }
  }
}
