package dev.pawl;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.error.PawlException;
import dev.pawl.flow.Flow;
import dev.pawl.flow.FlowContext;
import dev.pawl.flow.Promise;
import dev.pawl.flow.Settled;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import dev.pawl.store.Query;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.work.CancelledException;
import dev.pawl.work.FailedException;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import dev.pawl.work.TimedOutException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What flows do, seen through the door, on the memory store. */
@Timeout(30)
class FlowTest {
  private static final Duration SOON = ofSeconds(10);

  record Order(String id, BigDecimal total) {}

  private final MemoryStore store = new MemoryStore(InstantSource.system());
  private final List<String> done = Collections.synchronizedList(new ArrayList<>());
  private Pawl pawl = Pawl.open(store);

  @AfterEach
  void close() {
    pawl.close();
  }

  private <O> Flow<String, O> flow(Class<O> output, Flow.Code<String, O> code) {
    Flow<String, O> flow = Flow.define("test.flow.v1", String.class, output, code);
    pawl.register(flow);
    return flow;
  }

  private <O> RunHandle<O> run(Flow<String, O> flow) {
    pawl.work(w -> w.lease(ofMillis(300)).drain(ofMillis(100)));
    return pawl.start(flow, "in");
  }

  @Test
  void aFlowReturnsWhatItsStepsGive() {
    Flow<String, Order> flow =
        flow(
            Order.class,
            (ctx, in) -> {
              String id = ctx.step("id", String.class, () -> in + "-1");
              BigDecimal total = ctx.step("total", BigDecimal.class, () -> new BigDecimal("12.30"));
              return new Order(id, total);
            });
    assertThat(run(flow).result(SOON)).isEqualTo(new Order("in-1", new BigDecimal("12.30")));
  }

  @Test
  void aStepRunsOnceAndItsResultIsOnRecord() {
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) -> {
              for (int i = 0; i < 3; i++) {
                int round = i;
                ctx.step("again", () -> done.add("again" + round));
              }
              ctx.sleep(ofMillis(20));
              return "ok";
            });
    RunHandle<String> run = run(flow);
    assertThat(run.result(SOON)).isEqualTo("ok");
    assertThat(done).containsExactly("again0", "again1", "again2");
    assertThat(
            pawl.log(run.id()).stream()
                .map(entry -> entry.event())
                .filter(Event.StepCompleted.class::isInstance))
        .hasSize(3);
  }

  @Test
  void aFailingStepIsRetriedByItsPolicyAndThenFailsTheRun() {
    AtomicInteger calls = new AtomicInteger();
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) ->
                ctx.step(
                    "flaky",
                    String.class,
                    Retry.fixed(3, ofMillis(5)),
                    s -> {
                      calls.incrementAndGet();
                      throw new IllegalStateException(
                          "attempt " + s.attempt() + " " + s.idempotencyKey());
                    }));
    RunHandle<String> run = run(flow);
    assertThatThrownBy(() -> run.result(SOON))
        .isInstanceOfSatisfying(
            FailedException.class,
            e -> {
              assertThat(e.failure().message())
                  .isEqualTo("attempt 3 test.flow.v1/" + run.id() + "/flaky#0");
              assertThat(e.failure().source().name()).isEqualTo("flaky");
              assertThat(e.failure().attempt()).isEqualTo(3);
            });
    assertThat(calls).hasValue(3);
    assertThat(pawl.get(run.id()).attempt()).isEqualTo(1);
  }

  @Test
  void aRecordedFailureCanBeCaught() {
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) -> {
              try {
                return ctx.step(
                    "no",
                    String.class,
                    Retry.none(),
                    s -> {
                      throw new IllegalArgumentException("no");
                    });
              } catch (FailedException e) {
                return "caught " + e.failure().message();
              }
            });
    assertThat(run(flow).result(SOON)).isEqualTo("caught no");
  }

  @Test
  void aLongBackoffSuspendsTheRun() {
    AtomicInteger calls = new AtomicInteger();
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) ->
                ctx.step(
                    "slow",
                    String.class,
                    Retry.fixed(2, ofMillis(1500)),
                    s -> {
                      if (calls.incrementAndGet() == 1) {
                        throw new IllegalStateException("later");
                      }
                      return "ok";
                    }));
    RunHandle<String> run = run(flow);
    assertThat(run.result(SOON)).isEqualTo("ok");
    assertThat(pawl.log(run.id()).stream().map(entry -> entry.event()))
        .anyMatch(Event.Suspended.class::isInstance);
  }

  @Test
  void aSignalSentBeforeTheWaitIsKept() {
    CountDownLatch sent = new CountDownLatch(1);
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) -> {
              ctx.step("hold", () -> sent.await());
              String first = ctx.awaitSignal("go", String.class);
              String second = ctx.awaitSignal("go", String.class);
              return first + second;
            });
    RunHandle<String> run = run(flow);
    run.signal("go", "a");
    sent.countDown();
    run.signal("other", "x");
    run.signal("go", "b");
    assertThat(run.result(SOON)).isEqualTo("ab");
  }

  @Test
  void aWaitThatLostARaceDoesNotEatTheNextSignal() {
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) -> {
              String early = ctx.pollSignal("go", String.class, ofMillis(10)).orElse("none");
              ctx.emit("late." + ctx.run(), null);
              return early + ctx.awaitSignal("go", String.class);
            });
    RunHandle<String> run = run(flow);
    Await.until("it waits again", () -> isSuspendedAfterAStep(run));
    run.signal("go", "!");
    assertThat(run.result(SOON)).isEqualTo("none!");
  }

  private void awaitSuspendedOn(RunHandle<?> run, String name) {
    Await.until(
        "it waits for " + name,
        () ->
            pawl.log(run.id()).stream()
                .anyMatch(entry ->
                    entry.event() instanceof Event.Suspended suspended
                        && suspended.toString().contains("name=" + name)));
  }

  private boolean isSuspendedAfterAStep(RunHandle<?> run) {
    List<Event> log = pawl.log(run.id()).stream().map(Entry::event).toList();
    return log.getLast() instanceof Event.Suspended
        && log.stream().anyMatch(Event.StepCompleted.class::isInstance);
  }

  @Test
  void anEventEmittedAfterTheStartAndBeforeTheWaitIsSeen() {
    CountDownLatch emitted = new CountDownLatch(1);
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) -> {
              ctx.step("hold", () -> emitted.await());
              return ctx.awaitEvent("news", String.class) + ctx.awaitEvent("news", String.class);
            });
    pawl.emit("news", "too early");
    RunHandle<String> run = run(flow);
    pawl.emit("news", "1");
    emitted.countDown();
    pawl.emit("news", "2");
    assertThat(run.result(SOON)).isEqualTo("12");
  }

  @Test
  void aWaitWithALimitTimesOut() {
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) -> {
              try {
                return ctx.awaitEvent("never", String.class, ofMillis(30));
              } catch (TimedOutException e) {
                return e.failure().code();
              }
            });
    assertThat(run(flow).result(SOON)).isEqualTo("TIMEOUT");
  }

  @Test
  void childrenAreRunsOfTheirOwn() {
    Task<Integer, Integer> square =
        Task.of("test.square.v1", Integer.class, Integer.class, n -> n * n);
    pawl.register(square);
    Flow<String, Integer> flow =
        flow(
            Integer.class,
            (ctx, in) -> {
              List<Promise<Integer>> squares = new ArrayList<>();
              for (int i = 1; i <= 50; i++) {
                squares.add(ctx.child(square, i));
              }
              return ctx.<Integer>all(squares).await().stream().mapToInt(Integer::intValue).sum();
            });
    RunHandle<Integer> run = run(flow);
    assertThat(run.result(SOON)).isEqualTo(42925);
    assertThat(pawl.list(Query.all().withParent(run.id()).withLimit(100))).hasSize(50);
    assertThat(
            pawl.log(run.id()).stream()
                .filter(entry -> entry.event() instanceof Event.Leased)
                .count())
        .isLessThanOrEqualTo(5);
  }

  @Test
  void combinationsDecideByTheLog() {
    Task<String, String> echo = Task.of("test.echo.v1", String.class, String.class, s -> s);
    Task<String, String> fail =
        Task.of(
            "test.fail.v1",
            String.class,
            String.class,
            s -> {
              throw FailedException.permanent("NOPE", s);
            });
    pawl.register(echo).register(fail);
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) -> {
              String any =
                  ctx.<String>any(List.of(ctx.child(fail, "x"), ctx.child(echo, "any"))).await();
              List<Settled<String>> settled =
                  ctx.<String>allSettled(List.of(ctx.child(fail, "y"), ctx.child(echo, "z")))
                      .await();
              String raced =
                  String.valueOf(
                      ctx.race(List.of(ctx.timer(ofSeconds(3600)), ctx.child(echo, "race")))
                          .await());
              String failed;
              try {
                ctx.all(List.of(ctx.timer(ofSeconds(3600)), ctx.child(fail, "all"))).await();
                failed = "?";
              } catch (FailedException e) {
                failed = e.failure().code();
              }
              return any
                  + ","
                  + (settled.get(0) instanceof Settled.Rejected)
                  + ","
                  + raced
                  + ","
                  + failed;
            });
    assertThat(run(flow).result(SOON)).isEqualTo("any,true,race,NOPE");
  }

  @Test
  void parallelStepsRunSideBySideAndMapIsBounded() {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch both = new CountDownLatch(2);
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) -> {
              Promise<String> a = ctx.stepAsync("a", String.class, () -> meet(both, "a"));
              Promise<String> b = ctx.stepAsync("b", String.class, () -> meet(both, "b"));
              List<Object> all = new ArrayList<>(ctx.<String>all(List.of(a, b)).await());
              all.addAll(
                  ctx.map(
                      "m",
                      List.of(1, 2, 3, 4, 5, 6, 7, 8),
                      3,
                      Integer.class,
                      i -> {
                        most.accumulateAndGet(now.incrementAndGet(), Math::max);
                        Thread.yield();
                        now.decrementAndGet();
                        return i * 10;
                      }));
              return all.toString();
            });
    assertThat(run(flow).result(SOON)).isEqualTo("[a, b, 10, 20, 30, 40, 50, 60, 70, 80]");
    assertThat(most.get()).isLessThanOrEqualTo(3);
  }

  private static String meet(CountDownLatch both, String name) throws InterruptedException {
    both.countDown();
    both.await();
    return name;
  }

  @Test
  void compensationsRunInReverseWhenTheFlowFails() {
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) -> {
              ctx.step("one", () -> done.add("one"));
              ctx.onFailure("undo one", () -> done.add("undo one"));
              ctx.step("two", () -> done.add("two"));
              ctx.onFailure("undo two", () -> done.add("undo two"));
              throw FailedException.permanent("BROKEN", "at three");
            });
    RunHandle<String> run = run(flow);
    assertThatThrownBy(() -> run.result(SOON)).hasMessageContaining("at three");
    assertThat(done).containsExactly("one", "two", "undo two", "undo one");
  }

  @Test
  void aCancelledFlowCleansUpAndEndsCancelled() {
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) -> {
              ctx.onFailure("undo", () -> done.add("undo"));
              try {
                ctx.awaitSignal("never", String.class);
                return "?";
              } finally {
                ctx.step("finally", () -> done.add("finally"));
              }
            });
    RunHandle<String> run = run(flow);
    awaitSuspendedOn(run, "never");
    run.cancel("changed my mind");
    assertThatThrownBy(() -> run.result(SOON))
        .isInstanceOf(CancelledException.class)
        .hasMessageContaining("changed my mind");
    assertThat(done).containsExactly("finally", "undo");
    assertThat(pawl.get(run.id()).status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void aRunningStepIsInterruptedByACancellation() {
    CountDownLatch started = new CountDownLatch(1);
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) -> {
              ctx.step(
                  "forever",
                  () -> {
                    started.countDown();
                    new CountDownLatch(1).await();
                  });
              return "?";
            });
    RunHandle<String> run = run(flow);
    await(started);
    run.cancel("stop");
    assertThatThrownBy(() -> run.result(SOON)).isInstanceOf(CancelledException.class);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void recordedChanceIsTheSameAfterAReplay() {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger tries = new AtomicInteger();
    Flow<String, String> flow =
        Flow.define(
                "test.chance.v1",
                String.class,
                String.class,
                (ctx, in) -> {
                  seen.add(ctx.now() + " " + ctx.random() + " " + ctx.uuid());
                  ctx.log("hello");
                  if (tries.incrementAndGet() < 3) {
                    throw new IllegalStateException("again");
                  }
                  return "ok";
                })
            .retry(Retry.fixed(5, ofMillis(1)));
    pawl.register(flow);
    pawl.work(w -> w.drain(ofMillis(100)));
    assertThat(pawl.start(flow, "in").result(SOON)).isEqualTo("ok");
    assertThat(seen).hasSize(3);
    assertThat(seen.stream().distinct()).hasSize(1);
  }

  @Test
  void aTypeThatDoesNotSurviveJsonFailsInDevelopment() {
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) -> {
              ctx.step("bad", Thread.class, Thread::currentThread);
              return "?";
            });
    assertThatThrownBy(() -> run(flow).result(SOON))
        .isInstanceOfSatisfying(
            FailedException.class, e -> assertThat(e.failure().code()).isEqualTo("BAD_VALUE"));
  }

  @Test
  void theContextIsRefusedInsideAStep() {
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) ->
                ctx.step(
                    "outer",
                    String.class,
                    Retry.none(),
                    s -> ctx.step("inner", String.class, () -> "x")));
    assertThatThrownBy(() -> run(flow).result(SOON))
        .hasMessageContaining("use its StepContext only");
  }

  @Test
  void aFlowThatDivergesIsParkedForAnOperatorAndGoesOnWithTheRightCode() {
    List<String> names = Collections.synchronizedList(new ArrayList<>(List.of("first")));
    Flow.Code<String, String> code =
        (ctx, in) -> {
          ctx.step(names.get(0), () -> {});
          return ctx.awaitSignal("go", String.class);
        };
    RunHandle<String> run = run(flow(String.class, code));
    awaitSuspendedOn(run, "go");
    pawl.pause("test.flow.v1");
    Pawl other = Pawl.open(new Unclosable(store));
    other.register(Flow.define("test.flow.v1", String.class, String.class, code));
    names.set(0, "renamed");
    run.signal("go", "x");
    forgetParkedFlows();
    other.work(w -> w.drain(ofMillis(100)));
    other.resume("test.flow.v1");
    awaitWait(run, "DIVERGED");
    assertThat(waits(run)).contains("step 'first'").contains("step 'renamed'");
    names.set(0, "first");
    other.retry(run.id());
    assertThat(other.handle(run.id()).result(SOON).text()).isEqualTo("\"x\"");
    other.close();
  }

  /** Stops this engine's worker, so that only another one can go on with its runs. */
  private void forgetParkedFlows() {
    pawl.close();
    pawl = Pawl.open(new Unclosable(store));
  }

  private String waits(RunHandle<?> run) {
    return pawl.log(run.id()).stream()
        .filter(entry -> entry.event() instanceof Event.Suspended)
        .reduce((a, b) -> b)
        .map(Object::toString)
        .orElse("");
  }

  private void awaitWait(RunHandle<?> run, String text) {
    long until = System.nanoTime() + SOON.toNanos();
    while (!waits(run).contains(text)) {
      if (System.nanoTime() > until) {
        throw new AssertionError("never waited for " + text + ": " + pawl.log(run.id()));
      }
      Thread.onSpinWait();
    }
  }

  @Test
  void aRewindDoesAStepAndAllBehindItAgain() {
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) -> {
              ctx.step("a", () -> done.add("a"));
              ctx.step("b", () -> done.add("b"));
              ctx.step("c", () -> done.add("c"));
              return "ok";
            });
    RunHandle<String> run = run(flow);
    run.result(SOON);
    Run reopened = pawl.rewind(run.id(), "b");
    assertThat(reopened.status()).isEqualTo(Status.PENDING);
    assertThat(run.result(SOON)).isEqualTo("ok");
    assertThat(done).containsExactly("a", "b", "c", "b", "c");
    assertThatThrownBy(() -> pawl.rewind(run.id(), "nope"))
        .isInstanceOf(PawlException.class)
        .hasMessageContaining("nope");
  }

  @Test
  void aForkStartsWithTheHistoryUpToAStep() {
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) -> {
              ctx.step("a", () -> done.add("a"));
              return ctx.step("b", String.class, () -> "b" + done.size());
            });
    RunHandle<String> run = run(flow);
    assertThat(run.result(SOON)).isEqualTo("b1");
    done.add("x");
    var fork = pawl.fork(run.id(), "b");
    assertThat(fork.result(SOON).text()).isEqualTo("\"b2\"");
    assertThat(done).containsExactly("a", "x");
    assertThat(fork.run().forkedFrom()).contains(run.id());
  }

  @Test
  void aRetryTakesAFailedRunUpWhereItFailed() {
    List<String> fail = Collections.synchronizedList(new ArrayList<>(List.of("yes")));
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) -> {
              ctx.step("a", () -> done.add("a"));
              ctx.step(
                  "b",
                  Retry.none(),
                  s -> {
                    if (!fail.isEmpty()) {
                      throw new IllegalStateException("b is broken");
                    }
                    done.add("b");
                  });
              return "ok";
            });
    RunHandle<String> run = run(flow);
    assertThatThrownBy(() -> run.result(SOON)).hasMessageContaining("b is broken");
    fail.clear();
    pawl.retry(run.id());
    assertThat(run.result(SOON)).isEqualTo("ok");
    assertThat(done).containsExactly("a", "b");
  }

  @Test
  void aRunThatTakesLongerThanItMayEndsInATimeout() {
    Flow<String, String> flow =
        flow(String.class, (ctx, in) -> ctx.awaitSignal("never", String.class));
    pawl.work(w -> w.drain(ofMillis(100)));
    RunHandle<String> run = pawl.start(flow, "in", o -> o.maxDuration(ofMillis(50)));
    assertThatThrownBy(() -> run.result(SOON)).isInstanceOf(TimedOutException.class);
  }

  @Test
  void flowsFinishOverManyStepsAndSuspensions() {
    Flow<String, Integer> flow =
        flow(
            Integer.class,
            (ctx, in) -> {
              int sum = 0;
              for (int i = 0; i < 20; i++) {
                int n = i;
                sum += ctx.step("s", Integer.class, () -> n);
                ctx.sleep(ofMillis(1));
              }
              return sum;
            });
    pawl.work(w -> w.concurrency(16).drain(ofMillis(100)));
    List<RunHandle<Integer>> runs = pawl.startAll(flow, Collections.nCopies(50, "in"));
    for (RunHandle<Integer> run : runs) {
      assertThat(run.result(SOON)).isEqualTo(190);
    }
  }

  @Test
  void aContextMayNotLeaveItsThread() {
    Flow<String, String> flow =
        flow(
            String.class,
            (ctx, in) -> ctx.stepAsync("other", String.class, () -> leak(ctx)).await());
    assertThatThrownBy(() -> run(flow).result(SOON))
        .hasMessageContaining("belongs to the flow's own thread");
  }

  private static String leak(FlowContext ctx) {
    ctx.sleep(ofMillis(1));
    return "?";
  }
}
