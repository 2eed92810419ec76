package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.ForwardingStore;
import dev.pawl.work.Task;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
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

  /** ... and who finds it live is told of its end, also if that comes before he waits for it. */
  @Test
  void whoHasJustSeenTheRunLiveLooksOnceMore() {
    try (MemoryStore memory = new MemoryStore(InstantSource.system())) {
      AtomicInteger looks = new AtomicInteger();
      Store counting =
          new ForwardingStore(memory) {
            @Override
            public Optional<Run> run(RunId id) {
              looks.incrementAndGet();
              return super.run(id);
            }
          };
      try (Pawl here = Pawl.open(new Unclosable(counting));
          Pawl elsewhere = Pawl.open(new Unclosable(memory))) {
        CountDownLatch gate = new CountDownLatch(1);
        Task<String, String> gated =
            Task.of(
                "early.gated.v1",
                String.class,
                String.class,
                in -> {
                  gate.await();
                  return in;
                });
        elsewhere.register(gated).work();
        RunId id = elsewhere.start(gated, "done").id();

        RunHandle<Json> run = here.handle(id);
        gate.countDown();
        Await.until("it has ended", () -> memory.run(id).orElseThrow().status().isTerminal());

        assertThat(run.result()).isEqualTo(Json.string("done"));
        assertThat(looks).hasValue(2);
      }
    }
  }
}
