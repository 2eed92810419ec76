package dev.pawl.store.sql;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.flow.Flow;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.store.sql.postgres.PostgresOptions;
import dev.pawl.store.sql.postgres.PostgresStore;
import dev.pawl.store.sql.sqlite.SqliteOptions;
import dev.pawl.store.sql.sqlite.SqliteStore;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.Invariants;
import dev.pawl.testkit.ManualClock;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.work.Task;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the engine does above every store alike. */
@Timeout(120)
class EngineOnEveryStoreTest {
  private static final Duration SOON = ofSeconds(30);

  @TempDir Path directory;
  private final ManualClock clock = new ManualClock();

  enum Kind {
    MEMORY,
    SQLITE,
    POSTGRES
  }

  private Store open(Kind kind) {
    return switch (kind) {
      case MEMORY -> new MemoryStore(clock);
      case SQLITE ->
          SqliteStore.open(directory.resolve("store.db"), SqliteOptions.defaults().clock(clock));
      case POSTGRES ->
          PostgresStore.open(
              PostgresServer.shared().database(), PostgresOptions.defaults().clock(clock));
    };
  }

  private static void work(Pawl pawl) {
    pawl.work(w -> w.poll(ofMillis(5)).drain(ofMillis(50)).lease(ofHours(100)));
  }

  private static Run awaitStatus(Pawl pawl, RunId id, Status status) {
    Await.until(id + " is " + status, () -> pawl.get(id).status() == status);
    return pawl.get(id);
  }

  private static String error(Run run) {
    return run.lastError().orElseThrow().code();
  }

  // ---- the time of a run that is reopened ----

  @ParameterizedTest
  @EnumSource
  void aTaskThatRanOutOfTimeHasTheSameTimeAgainWhenItIsRetried(Kind kind) {
    Task<String, String> task = Task.of("late.task.v1", String.class, String.class, in -> in + "!");
    try (Pawl pawl = Pawl.open(open(kind)).register(task)) {
      RunHandle<String> run =
          pawl.start(task, "x", o -> o.delay(ofHours(2)).maxDuration(ofHours(1)));
      clock.advance(ofHours(2));
      work(pawl);
      assertThat(error(awaitStatus(pawl, run.id(), Status.FAILED))).isEqualTo("TIMEOUT");

      pawl.retry(run.id());

      assertThat(awaitStatus(pawl, run.id(), Status.SUCCEEDED).result().orElseThrow().text())
          .isEqualTo("\"x!\"");
      Invariants.check(pawl.store());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFlowThatRanOutOfTimeHasTheSameTimeAgainWhenItIsRetried(Kind kind) {
    AtomicInteger steps = new AtomicInteger();
    Flow<String, String> flow =
        Flow.define(
            "late.flow.v1",
            String.class,
            String.class,
            (ctx, in) -> {
              ctx.step("one", steps::incrementAndGet);
              return in + ctx.awaitSignal("go", String.class);
            });
    try (Pawl pawl = Pawl.open(open(kind)).register(flow)) {
      work(pawl);
      RunHandle<String> run = pawl.start(flow, "x", o -> o.maxDuration(ofHours(1)));
      awaitStatus(pawl, run.id(), Status.SUSPENDED);
      for (int retry = 0; retry < 2; retry++) {
        clock.advance(ofHours(3));
        assertThat(error(awaitStatus(pawl, run.id(), Status.FAILED))).isEqualTo("TIMEOUT");
        pawl.retry(run.id());
        Run waiting = awaitStatus(pawl, run.id(), Status.SUSPENDED);
        assertThat(waiting.due()).contains(clock.instant().plus(ofHours(1)));
      }
      run.signal("go", "!");
      assertThat(run.result(SOON)).isEqualTo("x!");
      assertThat(steps).hasValue(1);
      Invariants.check(pawl.store());
    }
  }

  // ---- steps that nobody awaits ----

  @ParameterizedTest
  @EnumSource
  void theBodyOfAStepThatNobodyAwaitsIsInterruptedWhenTheFlowEnds(Kind kind) {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Flow<String, String> flow =
        Flow.define(
            "careless.flow.v1",
            String.class,
            String.class,
            (ctx, in) -> {
              ctx.stepAsync(
                  "forgotten",
                  String.class,
                  () -> {
                    begun.countDown();
                    try {
                      new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                      interrupted.countDown();
                    }
                    return "late";
                  });
              ctx.step("wait", () -> Await.open("the other has begun", begun));
              return "done";
            });
    try (Pawl pawl = Pawl.open(open(kind)).register(flow)) {
      work(pawl);
      assertThat(pawl.start(flow, "x").result(SOON)).isEqualTo("done");
      Await.open("the body was interrupted", interrupted);
      Invariants.check(pawl.store());
    }
  }
}
