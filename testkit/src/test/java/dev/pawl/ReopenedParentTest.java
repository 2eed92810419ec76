package dev.pawl;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchException;

import dev.pawl.doctor.Doctor;
import dev.pawl.flow.Flow;
import dev.pawl.flow.Promise;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Routes;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.ForwardingStore;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
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

  /** A store whose clock stands still, and in which a child ends just when somebody looks at it. */
  private static final class Moment extends ForwardingStore {
    private final MemoryStore memory;
    private volatile boolean armed;

    Moment(MemoryStore memory) {
      super(memory);
      this.memory = memory;
    }

    @Override
    public Optional<Run> run(RunId id) {
      if (armed && memory.run(id).orElseThrow().parent().isPresent()) {
        armed = false;
        end(id);
      }
      return super.run(id);
    }

    private void end(RunId child) {
      Command.Claimant by = new Command.Claimant("another", ofSeconds(30), 1);
      Routes routes = Routes.of(memory.run(child).orElseThrow().type());
      Outcome.Claimed claimed =
          (Outcome.Claimed) memory.commit(List.of(new Command.Claim(by, routes, 1))).get(0);
      Activation held = claimed.activations().get(0);
      memory.commit(
          List.of(
              new Command.Advance(
                  child,
                  held.run().epoch(),
                  held.seq() + 1,
                  0,
                  List.of(new Event.Succeeded(Json.string("just now"))))));
    }
  }

  @Test
  void anOutcomeFromTheMillisecondOfTheReopeningIsTakenOnce() {
    MemoryStore memory =
        new MemoryStore(InstantSource.fixed(Instant.parse("2030-01-01T00:00:00Z")));
    Moment moment = new Moment(memory);
    Flow<String, String> parent =
        Flow.define(
            "test.parent.v1",
            String.class,
            String.class,
            (ctx, in) -> ctx.child(child, in).await());
    try (Pawl engine = Pawl.open(moment).register(parent)) {
      engine.work(worker -> worker.drain(ofMillis(100)));
      RunHandle<String> run = engine.start(parent, "in");
      Await.until("it waits", () -> run.run().status() == Status.SUSPENDED);
      moment.armed = true;

      engine.retry(run.id());

      assertThat(run.result(SOON)).isEqualTo("just now");
      assertThat(moment.armed).as("it was looked at").isFalse();
    }
    assertThat(Doctor.check(memory, each -> {}).isHealthy()).isTrue();
  }
}
