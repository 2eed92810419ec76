package dev.pawl.work;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.flow.Flow;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.FaultyStore;
import dev.pawl.testkit.MortalStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a worker stops: it finishes what it can and gives back the rest. */
@Timeout(60)
class DrainTest extends WorkerHouse {
  private static final String TYPE = "drain.task.v1";
  private static final Duration LEASE = ofMillis(900);

  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final AtomicInteger bodies = new AtomicInteger();

  /** The first time it waits to be let go; later it ends at once. */
  private final Task<String, Integer> waiting =
      Task.define(
          TYPE,
          String.class,
          Integer.class,
          (context, in) -> {
            if (bodies.incrementAndGet() == 1) {
              started.countDown();
              go.await();
            }
            return context.attempt();
          });

  /** Closes the engine on another thread; returns when that waits for the turns to end. */
  private static Thread closing(Pawl pawl) {
    Thread thread = Thread.ofPlatform().start(pawl::close);
    Await.until(
        "the worker drains",
        () ->
            thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING);
    return thread;
  }

  @Test
  void aTaskMayFinishWhileTheWorkerDrains() throws InterruptedException {
    Pawl pawl = engine(waiting);
    pawl.work(w -> w.poll(NO_POLL).drain(ofSeconds(30)));
    RunHandle<Integer> run = pawl.start(waiting, "in");
    Await.open("it has started", started);
    Thread closing = closing(pawl);
    assertThat(run(run.id()).status()).isEqualTo(Status.RUNNING);
    go.countDown();
    closing.join();
    assertThat(run(run.id()).status()).isEqualTo(Status.SUCCEEDED);
    assertThat(bodies).hasValue(1);
    check(run);
  }

  @Test
  void nothingIsClaimedWhileTheWorkerDrains() throws InterruptedException {
    Pawl pawl = engine(waiting);
    pawl.work(w -> w.poll(ofMillis(10)).drain(ofSeconds(30)));
    pawl.start(waiting, "in");
    Await.open("it has started", started);
    Thread closing = closing(pawl);
    RunHandle<Integer> late = engine().start(waiting, "late");
    letPass(ofMillis(100));
    assertThat(run(late.id()).status()).isEqualTo(Status.PENDING);
    go.countDown();
    closing.join();
    assertThat(run(late.id()).status()).isEqualTo(Status.PENDING);
  }

  @Test
  void aTaskThatDoesNotFinishIsGivenBackUnharmed() {
    Pawl first = engine(waiting);
    first.work(w -> w.poll(NO_POLL).drain(ofMillis(50)));
    RunHandle<Integer> run = first.start(waiting, "in", o -> o.maxAttempts(1));
    Await.open("it has started", started);
    first.close();
    Run released = run(run.id());
    assertThat(released.status()).isEqualTo(Status.PENDING);
    assertThat(released.attempt()).as("the attempt does not count").isZero();
    assertThat(released.lease()).isEmpty();
    assertThat(events(run, Event.Released.class).get(0).reason()).contains("shutting down");
    check(run);
    Pawl second = working(waiting);
    assertThat(second.handle(run.id()).result(SOON)).isEqualTo(Json.number(1));
    check(run);
  }

  @Test
  void aTaskThatIsGivenBackIsInterruptedAndCannotWriteAnyMore() {
    AtomicBoolean interrupted = new AtomicBoolean();
    AtomicBoolean refused = new AtomicBoolean();
    Task<String, String> task =
        Task.define(
            TYPE,
            String.class,
            String.class,
            (context, in) -> {
              started.countDown();
              try {
                go.await();
              } catch (InterruptedException e) {
                interrupted.set(true);
              }
              try {
                context.heartbeat("still here");
              } catch (PawlException e) {
                refused.set(e.code() == ErrorCode.FENCED);
              }
              return "?";
            });
    Pawl pawl = engine(task);
    pawl.work(w -> w.poll(NO_POLL).drain(ZERO));
    RunHandle<String> run = pawl.start(task, "in");
    Await.open("it has started", started);
    pawl.close();
    Await.until("it was interrupted", interrupted::get);
    Await.until("it was refused", refused::get);
    assertThat(run(run.id()).status()).isEqualTo(Status.PENDING);
    check(run);
  }

  @Test
  void leasesAreRenewedWhileTheWorkerDrains() throws InterruptedException {
    Pawl first = engine(waiting);
    first.work(w -> w.poll(NO_POLL).lease(LEASE).drain(ofSeconds(30)));
    RunHandle<Integer> run = first.start(waiting, "in");
    Await.open("it has started", started);
    Pawl second = engine(waiting);
    second.work(w -> w.poll(ofMillis(20)).drain(ofMillis(100)));
    Thread closing = closing(first);
    letPass(LEASE.multipliedBy(2));
    go.countDown();
    closing.join();
    assertThat(run(run.id()).status()).isEqualTo(Status.SUCCEEDED);
    assertThat(events(run, Event.Leased.class)).hasSize(1);
    assertThat(bodies).hasValue(1);
  }

  @Test
  void aFlowThatIsGivenBackInAStepGoesOnElsewhere() {
    Flow<String, String> flow =
        Flow.define(
            "drain.flow.v1",
            String.class,
            String.class,
            (ctx, in) -> {
              ctx.step("one", () -> done.add("one"));
              ctx.stepAsync("side", String.class, () -> "side").await();
              ctx.step(
                  "two",
                  () -> {
                    if (bodies.incrementAndGet() == 1) {
                      started.countDown();
                      go.await();
                    }
                    done.add("two");
                  });
              return "attempt " + ctx.attempt();
            });
    Pawl first = engine(flow);
    first.work(w -> w.poll(NO_POLL).drain(ZERO));
    RunHandle<String> run = first.start(flow, "in");
    Await.open("it has started", started);
    first.close();
    assertThat(run(run.id()).lease()).isEmpty();
    Pawl second = working(flow);
    assertThat(second.handle(run.id()).result(SOON)).isEqualTo(Json.string("attempt 1"));
    assertThat(done).containsExactly("one", "two");
    assertThat(events(run, Event.StepFailed.class)).isEmpty();
    check(run);
  }

  @Test
  void whatAClaimBringsWhileTheWorkerStopsIsGivenBack() throws InterruptedException {
    FaultyStore slow = new FaultyStore(memory);
    Pawl pawl = engine(slow, waiting);
    RunHandle<Integer> run = pawl.startAll(waiting, List.of("in")).get(0);
    FaultyStore.Gate claim = slow.blockNext();
    pawl.work(w -> w.poll(NO_POLL).drain(ZERO));
    claim.awaitArrival();
    Thread closing = closing(pawl);
    claim.open();
    closing.join();
    Run left = run(run.id());
    assertThat(left.status()).isEqualTo(Status.PENDING);
    assertThat(left.lease()).isEmpty();
    assertThat(left.attempt()).isZero();
    check(run);
  }

  @Test
  void manyBusySlotsAreAllGivenBack() {
    Task<String, String> blocking =
        Task.of(
            "drain.block.v1",
            String.class,
            String.class,
            in -> {
              bodies.incrementAndGet();
              go.await();
              return in;
            });
    Pawl pawl = engine(blocking);
    pawl.work(w -> w.poll(NO_POLL).drain(ZERO).concurrency(50));
    List<RunHandle<String>> runs = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      runs.add(pawl.start(blocking, "in"));
    }
    Await.until("all slots are busy", () -> bodies.get() == 50);
    pawl.close();
    for (RunHandle<String> run : runs) {
      assertThat(run(run.id()).status()).isEqualTo(Status.PENDING);
      assertThat(run(run.id()).attempt()).isZero();
      check(run);
    }
  }

  @Test
  void aClosedEngineSaysSo() {
    Pawl pawl = working(waiting);
    pawl.close();
    pawl.close();
    assertThatThrownBy(() -> pawl.start(waiting, "in"))
        .isInstanceOfSatisfying(
            PawlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    assertThatThrownBy(pawl::work)
        .isInstanceOfSatisfying(
            PawlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
  }

  @Test
  void whoWaitsForAResultIsToldThatTheEngineIsClosed() throws Exception {
    Pawl pawl = Pawl.open(new MortalStore(memory));
    RunHandle<Integer> run = pawl.start(waiting, "in");
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread waiter =
        Thread.ofPlatform()
            .start(() -> thrown.complete(catchThrowable(() -> run.result(ofDays(1)))));
    while (waiter.getState() != Thread.State.WAITING && waiter.isAlive()) {
      Thread.onSpinWait();
    }
    pawl.close();
    assertThat(thrown.get())
        .isInstanceOfSatisfying(
            PawlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    assertThat(run(run.id()).status()).isEqualTo(Status.PENDING);
  }
}
