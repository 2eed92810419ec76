package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.work.Task;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who asks for a result after the run has ended gets it, however short the wait may be. */
@Timeout(60)
class EarlyResultTest {
  private static final Task<String, String> ECHO =
      Task.of("early.echo.v1", String.class, String.class, in -> in);

  @Test
  void noWaitTimesOutOnARunThatHasEnded() {
    try (MemoryStore memory = new MemoryStore(InstantSource.system());
        Pawl pawl = Pawl.open(memory)) {
      pawl.register(ECHO);
      pawl.work();
      for (int i = 0; i < 20; i++) {
        String word = "n" + i;
        RunHandle<String> run = pawl.start(ECHO, word);
        Await.until("it has ended", () -> memory.run(run.id()).orElseThrow().status().isTerminal());

        assertThat(run.result(Duration.ZERO)).isEqualTo(word);
      }
    }
  }
}
