package dev.pawl;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchException;

import dev.pawl.doctor.Doctor;
import dev.pawl.flow.Flow;
import dev.pawl.flow.Promise;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Query;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A parent that is taken back still learns how the children it keeps have ended. */
@Timeout(60)
class ReopenedParentTest {
  private static final Duration SOON = ofSeconds(8);

  private final CountDownLatch gate = new CountDownLatch(1);
  private final Task<String, String> child =
      Task.of(
          "test.child.v1",
          String.class,
          String.class,
          in -> {
            if (in.equals("slow")) {
              gate.await();
            }
            return in;
          });
  private final Store store = new MemoryStore(InstantSource.system());
  private final Pawl pawl = Pawl.open(store).register(child);

  @AfterEach
  void close() {
    pawl.close();
  }

  private RunHandle<String> start(Flow.Code<String, String> code, String in) {
    Flow<String, String> parent = Flow.define("test.parent.v1", String.class, String.class, code);
    pawl.register(parent);
    pawl.work(worker -> worker.drain(ofMillis(100)));
    return pawl.start(parent, in);
  }

  @Test
  void anOutcomeThatARewindTookBack() {
    RunHandle<String> run =
        start(
            (ctx, in) -> {
              Promise<String> out = ctx.child(child, in);
              ctx.step("between", () -> {});
              return out.await();
            },
            "quick");
    assertThat(run.result(SOON)).isEqualTo("quick");

    pawl.rewind(run.id(), "between");

    assertThat(run.result(SOON)).isEqualTo("quick");
    assertThat(Doctor.check(store, each -> {}).isHealthy()).isTrue();
  }

  @Test
  void anOutcomeFromTheTimeTheParentHadFailed() {
    AtomicInteger tries = new AtomicInteger();
    RunHandle<String> run =
        start(
            (ctx, in) -> {
              Promise<String> out = ctx.child(child, in);
              ctx.step(
                  "fails at first",
                  Retry.none(),
                  s -> {
                    if (tries.incrementAndGet() == 1) {
                      throw new IllegalStateException("no");
                    }
                  });
              return out.await();
            },
            "slow");
    catchException(() -> run.result(SOON));
    assertThat(run.run().status()).isEqualTo(Status.FAILED);
    RunId out = store.list(Query.all().withParent(run.id())).getFirst().id();
    gate.countDown();
    pawl.handle(out).result(SOON);

    pawl.retry(run.id());

    assertThat(run.result(SOON)).isEqualTo("slow");
    assertThat(Doctor.check(store, each -> {}).isHealthy()).isTrue();
  }
}
