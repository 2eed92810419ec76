package dev.pawl.flow;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.json.JsonCodec;
import dev.pawl.json.JsonType;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Status;
import dev.pawl.log.Wait;
import dev.pawl.store.Command;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.FaultyStore;
import dev.pawl.testkit.Invariants;
import dev.pawl.testkit.MortalStore;
import dev.pawl.work.CancelledException;
import dev.pawl.work.FailedException;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import dev.pawl.work.TimedOutException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Flows to which everything happens at the wrong moment. */
@Timeout(60)
class FlowTroubleTest {
  private static final Duration SOON = ofSeconds(30);
  private static final Duration LEASE = ofMillis(300);
  private static final String TYPE = "trouble.flow.v1";

  private final MemoryStore memory = new MemoryStore(InstantSource.system());
  private final List<Pawl> engines = new ArrayList<>();
  private final List<String> done = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    engines.forEach(Pawl::close);
    memory.close();
  }

  private Pawl engine(Store store, Flow.Code<String, String> code) {
    Pawl pawl = Pawl.open(new MortalStore(store));
    engines.add(pawl);
    pawl.register(
        Flow.define(TYPE, String.class, String.class, code).retry(Retry.fixed(2, ofMillis(1))));
    return pawl;
  }

  private Pawl working(Store store, Flow.Code<String, String> code) {
    Pawl pawl = engine(store, code);
    pawl.work(w -> w.lease(LEASE).poll(ofMillis(50)).drain(ofMillis(100)));
    return pawl;
  }

  private static RunHandle<String> start(Pawl pawl) {
    return pawl.start(Flow.define(TYPE, String.class, String.class, (ctx, in) -> "?"), "in");
  }

  private static void await(BooleanSupplier condition, String what) {
    Await.until(what, condition);
  }

  private static void await(CountDownLatch latch) {
    Await.open("the body has begun", latch);
  }

  private void awaitStatus(RunHandle<?> run, Status status) {
    await(() -> memory.run(run.id()).orElseThrow().status() == status, "run is " + status);
  }

  private List<Event> events(RunHandle<?> run) {
    return memory.log(run.id(), 0, 10_000).stream().map(Entry::event).toList();
  }

  private <E extends Event> List<E> events(RunHandle<?> run, Class<E> kind) {
    return events(run).stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  // ---- cancel and undo ----

  @Test
  void aCancelWhileWorkIsBeingUndoneDoesNotDisturbIt() {
    CountDownLatch undoing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Pawl pawl =
        working(
            memory,
            (ctx, in) -> {
              ctx.onFailure("undo", () -> done.add("undo"));
              ctx.onFailure(
                  "undo slowly",
                  () -> {
                    undoing.countDown();
                    go.await();
                    done.add("undo slowly");
                  });
              throw FailedException.permanent("BROKEN", "broken");
            });
    RunHandle<String> run = start(pawl);
    await(undoing);
    run.cancel("too late");
    awaitHeartbeats(2);
    go.countDown();
    assertThatThrownBy(() -> run.result(SOON))
        .isInstanceOfSatisfying(
            FailedException.class, e -> assertThat(e.failure().code()).isEqualTo("BROKEN"));
    assertThat(done).containsExactly("undo slowly", "undo");
    assertThat(events(run, Event.Suspended.class)).hasSizeLessThan(3);
    Invariants.check(memory, run.id());
  }

  /** Lets the worker renew its leases a few times, by watching the store's clock. */
  private void awaitHeartbeats(int times) {
    Instant until = memory.now().plus(LEASE.dividedBy(3).multipliedBy(times + 1L));
    await(() -> memory.now().isAfter(until), "time passes");
  }

  @Test
  void aCancelWhileAnUndoWaitsToBeTriedAgainDoesNotDisturbIt() {
    AtomicInteger tries = new AtomicInteger();
    Pawl pawl =
        working(
            memory,
            (ctx, in) -> {
              ctx.onFailure(
                  "undo",
                  () -> {
                    if (tries.incrementAndGet() == 1) {
                      throw new IllegalStateException("not now");
                    }
                    done.add("undo");
                  });
              throw FailedException.permanent("BROKEN", "broken");
            });
    RunHandle<String> run = start(pawl);
    await(() -> tries.get() == 1, "undo is tried");
    run.cancel("too late");
    assertThatThrownBy(() -> run.result(SOON)).hasMessageContaining("broken");
    assertThat(done).containsExactly("undo");
    assertThat(events(run, Event.Leased.class)).hasSizeLessThan(5);
  }

  @Test
  void aCancelledRunThatIsReplayedUndoesWhatItHasDone() {
    Flow.Code<String, String> code =
        (ctx, in) -> {
          ctx.step("reserve", () -> done.add("reserve"));
          ctx.onFailure("release", () -> done.add("release"));
          ctx.step("pay", () -> done.add("pay"));
          ctx.onFailure("refund", () -> done.add("refund"));
          return ctx.awaitSignal("never", String.class);
        };
    Pawl first = working(memory, code);
    RunHandle<String> run = start(first);
    awaitStatus(run, Status.SUSPENDED);
    first.close();
    Pawl second = engine(memory, code);
    second.cancel(run.id(), "enough");
    second.work();
    assertThatThrownBy(() -> second.handle(run.id()).result(SOON))
        .isInstanceOf(CancelledException.class);
    assertThat(done).containsExactly("reserve", "pay", "refund", "release");
  }

  @Test
  void aDeadlineThatPassedBeforeAReplayStrikesWhereTheRunWaited() {
    Flow.Code<String, String> code =
        (ctx, in) -> {
          ctx.step("reserve", () -> done.add("reserve"));
          ctx.onFailure("release", () -> done.add("release"));
          return ctx.awaitSignal("never", String.class);
        };
    Pawl first = working(memory, code);
    RunHandle<String> run =
        first.start(
            Flow.define(TYPE, String.class, String.class, code),
            "in",
            o -> o.maxDuration(ofMillis(400)));
    awaitStatus(run, Status.SUSPENDED);
    first.close();
    Pawl second = working(memory, code);
    assertThatThrownBy(() -> second.handle(run.id()).result(SOON))
        .isInstanceOf(TimedOutException.class);
    assertThat(done).containsExactly("reserve", "release");
  }

  @Test
  void aStepThatACancelCutShortCanStillBeAwaitedWhileCleaningUp() {
    CountDownLatch started = new CountDownLatch(1);
    AtomicInteger bodies = new AtomicInteger();
    Pawl pawl =
        working(
            memory,
            (ctx, in) -> {
              Promise<String> slow =
                  ctx.stepAsync(
                      "slow",
                      String.class,
                      () -> {
                        if (bodies.incrementAndGet() == 1) {
                          started.countDown();
                          new CountDownLatch(1).await();
                        }
                        return "at last";
                      });
              try {
                return slow.await();
              } catch (CancelledException e) {
                done.add("cleaned up " + slow.await());
                throw e;
              }
            });
    RunHandle<String> run = start(pawl);
    await(started);
    run.cancel("stop");
    assertThatThrownBy(() -> run.result(SOON)).isInstanceOf(CancelledException.class);
    assertThat(done).containsExactly("cleaned up at last");
    assertThat(events(run, Event.StepFailed.class)).isEmpty();
  }

  @Test
  void aStepThatACancelCutShortIsNotRunAgainUnasked() {
    CountDownLatch started = new CountDownLatch(1);
    AtomicInteger bodies = new AtomicInteger();
    Pawl pawl =
        working(
            memory,
            (ctx, in) -> {
              Promise<String> slow =
                  ctx.stepAsync(
                      "slow",
                      JsonType.of(String.class),
                      Retry.fixed(10, ofMillis(1)),
                      s -> {
                        bodies.incrementAndGet();
                        started.countDown();
                        new CountDownLatch(1).await();
                        return "?";
                      });
              try {
                return slow.await();
              } catch (CancelledException e) {
                ctx.sleep(ofMillis(100));
                ctx.step("tidy", () -> done.add("tidy"));
                throw e;
              }
            });
    RunHandle<String> run = start(pawl);
    await(started);
    run.cancel("stop");
    assertThatThrownBy(() -> run.result(SOON)).isInstanceOf(CancelledException.class);
    assertThat(done).containsExactly("tidy");
    assertThat(bodies).hasValue(1);
  }

  @Test
  void anInterruptDoesNotLeakIntoTheNextStep() {
    CountDownLatch started = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    Pawl pawl =
        working(
            memory,
            (ctx, in) -> {
              try {
                ctx.step(
                    "deaf",
                    () -> {
                      started.countDown();
                      await(() -> Thread.currentThread().isInterrupted(), "interrupted");
                    });
                ctx.step("next", () -> done.add("next"));
                return "?";
              } finally {
                ctx.step("tidy", () -> interrupted.set(Thread.currentThread().isInterrupted()));
              }
            });
    RunHandle<String> run = start(pawl);
    await(started);
    run.cancel("stop");
    assertThatThrownBy(() -> run.result(SOON)).isInstanceOf(CancelledException.class);
    assertThat(interrupted).isFalse();
    assertThat(done).isEmpty();
  }

  @Test
  void aStepThatInterruptsItselfHarmsOnlyItself() {
    AtomicBoolean interrupted = new AtomicBoolean(true);
    Pawl pawl =
        working(
            memory,
            (ctx, in) -> {
              ctx.step("a", () -> Thread.currentThread().interrupt());
              ctx.sleep(ofMillis(5));
              ctx.step("b", () -> interrupted.set(Thread.currentThread().isInterrupted()));
              return "ok";
            });
    assertThat(start(pawl).result(SOON)).isEqualTo("ok");
    assertThat(interrupted).isFalse();
  }

  @Test
  void cancelsRacingWithSuspensionsAllArrive() {
    Pawl pawl =
        working(
            memory,
            (ctx, in) -> {
              for (int i = 0; ; i++) {
                ctx.pollSignal("s", String.class, ofMillis(1));
                if (i > 100_000) {
                  return "?";
                }
              }
            });
    List<RunHandle<String>> runs = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      runs.add(start(pawl));
    }
    for (RunHandle<String> run : runs) {
      run.cancel("stop");
    }
    for (RunHandle<String> run : runs) {
      assertThatThrownBy(() -> run.result(SOON)).isInstanceOf(CancelledException.class);
      Invariants.check(memory, run.id());
    }
  }

  // ---- code that changes, throws, leaks ----

  @Test
  void anUndoThatNoLongerFitsTheRecordIsParkedForAnOperator() {
    AtomicReference<String> name = new AtomicReference<>("undo");
    CountDownLatch undone = new CountDownLatch(1);
    Flow.Code<String, String> code =
        (ctx, in) -> {
          ctx.onFailure(
              "wait",
              () -> {
                undone.countDown();
                new CountDownLatch(1).await();
              });
          ctx.onFailure(name.get(), () -> done.add(name.get()));
          throw FailedException.permanent("BROKEN", "broken");
        };
    MortalStore mortal = new MortalStore(memory);
    RunHandle<String> run = start(working(mortal, code));
    await(undone);
    mortal.die();
    name.set("renamed");
    working(memory, code);
    await(
        () ->
            events(run, Event.Suspended.class).stream()
                .flatMap(suspended -> suspended.waits().stream())
                .anyMatch(wait -> wait instanceof Wait.Operator op && op.why().contains("renamed")),
        "parked for an operator");
    assertThat(done).containsExactly("undo");
    mortal.bury();
  }

  @Test
  void anErrorInAStepIsAFailureLikeAnyOther() {
    Pawl pawl =
        working(
            memory,
            (ctx, in) ->
                ctx.step(
                    "bad",
                    String.class,
                    Retry.fixed(2, ofMillis(1)),
                    s -> {
                      done.add("try " + s.attempt());
                      throw new StackOverflowError("deep");
                    }));
    RunHandle<String> run = start(pawl);
    assertThatThrownBy(() -> run.result(SOON))
        .isInstanceOfSatisfying(
            FailedException.class,
            e -> assertThat(e.failure().type()).isEqualTo("java.lang.StackOverflowError"));
    assertThat(done).containsExactly("try 1", "try 2");
  }

  @Test
  void anErrorInTheCodeIsRetriedAndThenFailsTheRun() {
    AtomicInteger entries = new AtomicInteger();
    Pawl pawl =
        working(
            memory,
            (ctx, in) -> {
              entries.incrementAndGet();
              throw new AssertionError("never mind");
            });
    RunHandle<String> run = start(pawl);
    assertThatThrownBy(() -> run.result(SOON)).hasMessageContaining("never mind");
    assertThat(entries).hasValue(3);
  }

  @Test
  void aContextIsOfNoUseAfterTheFlowHasEnded() {
    AtomicReference<FlowContext> leaked = new AtomicReference<>();
    AtomicReference<Promise<Void>> promise = new AtomicReference<>();
    Pawl pawl =
        working(
            memory,
            (ctx, in) -> {
              leaked.set(ctx);
              promise.set(ctx.timer(ofHours(1)));
              return "ok";
            });
    assertThat(start(pawl).result(SOON)).isEqualTo("ok");
    assertThatThrownBy(() -> leaked.get().step("late", () -> done.add("late")))
        .hasMessageContaining("flow's own thread");
    assertThatThrownBy(() -> leaked.get().sleep(ofMillis(1)))
        .hasMessageContaining("flow's own thread");
    assertThatThrownBy(() -> promise.get().await()).hasMessageContaining("flow's own thread");
    assertThat(done).isEmpty();
  }

  @Test
  void noMoreItemsThanAllowedAreTriedAgainAtTheSameTime() {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger calls = new AtomicInteger();
    Duration longestBackoff = ofMillis(2100);
    AtomicReference<Instant> allDue = new AtomicReference<>();
    Pawl pawl =
        working(
            memory,
            (ctx, in) ->
                ctx.map(
                        "m",
                        List.of(1, 2, 3, 4, 5, 6),
                        2,
                        Integer.class,
                        n -> {
                          if (calls.incrementAndGet() <= 6) {
                            allDue.set(memory.now().plus(longestBackoff));
                            throw new IllegalStateException("first time");
                          }
                          most.accumulateAndGet(now.incrementAndGet(), Math::max);
                          await(() -> memory.now().isAfter(allDue.get()), "all are due");
                          now.decrementAndGet();
                          return n;
                        })
                    .toString());
    assertThat(start(pawl).result(SOON)).isEqualTo("[1, 2, 3, 4, 5, 6]");
    assertThat(most.get()).isLessThanOrEqualTo(2);
  }

  // ---- time ----

  @Test
  void aTimerNeverFiresEarlyByTheStoresClock() {
    Pawl pawl =
        working(
            memory,
            (ctx, in) -> {
              for (int i = 0; i < 20; i++) {
                ctx.sleep(ofNanos(1_300_001));
              }
              return "ok";
            });
    RunHandle<String> run = start(pawl);
    assertThat(run.result(SOON)).isEqualTo("ok");
    List<Entry> log = memory.log(run.id(), 0, 1000);
    int fired = 0;
    Instant due = Instant.MIN;
    for (Entry entry : log) {
      if (entry.event() instanceof Event.Suspended suspended) {
        due = suspended.until().orElseThrow();
        assertThat(due.getNano() % 1_000_000).as("whole milliseconds").isZero();
      } else if (entry.event() instanceof Event.TimerFired) {
        assertThat(entry.at()).isAfterOrEqualTo(due);
        fired++;
      }
    }
    assertThat(fired).isEqualTo(20);
    assertThat(events(run, Event.Suspended.class))
        .as("it suspends once for each at most")
        .hasSizeLessThanOrEqualTo(20);
  }

  @Test
  void aTimerDoesNotFireEarlyBecauseTheClaimTookLong() {
    FaultyStore slow = new FaultyStore(memory);
    AtomicReference<Instant> woken = new AtomicReference<>();
    Pawl pawl =
        engine(
            slow,
            (ctx, in) -> {
              Promise<Void> timer = ctx.timer(ofMillis(1500));
              ctx.<Object>race(List.of(timer, ctx.signal("go", String.class))).await();
              timer.await();
              woken.set(memory.now());
              return "ok";
            });
    pawl.work(w -> w.poll(ofDays(1)).drain(ofMillis(100)));
    RunHandle<String> run = start(pawl);
    awaitStatus(run, Status.SUSPENDED);
    Instant due = events(run, Event.Suspended.class).get(0).until().orElseThrow();
    FaultyStore.Gate claim = slow.pass(1).blockNext();
    pawl.signal(run.id(), "go", "!");
    claim.awaitArrival();
    await(() -> memory.now().plusMillis(600).isAfter(due), "most of the time has passed");
    claim.open();
    assertThat(run.result(SOON)).isEqualTo("ok");
    assertThat(woken.get()).isAfterOrEqualTo(due);
  }

  @Test
  void aStartIsNotDueBeforeItsTime() {
    Pawl pawl = engine(memory, (ctx, in) -> "ok");
    Instant odd = memory.now().plusSeconds(60).plusNanos(1);
    Flow<String, String> flow = Flow.define(TYPE, String.class, String.class, (ctx, in) -> "ok");
    Instant due = pawl.start(flow, "in", o -> o.at(odd)).run().due().orElseThrow();
    assertThat(due).isEqualTo(odd.plusNanos(999_999));
  }

  @Test
  void aLimitOfSuspensionsDoesNotStrikeAfterTheSuspensionHasEnded() {
    Flow.Code<String, String> code =
        (ctx, in) -> {
          String got = ctx.awaitSignal("go", String.class);
          ctx.step(
              "long",
              () -> {
                Instant until = memory.now().plusMillis(600);
                await(() -> memory.now().isAfter(until), "longer than a suspension may last");
              });
          return got + ctx.step("after", String.class, () -> "ok");
        };
    Pawl pawl = Pawl.open(new MortalStore(memory));
    engines.add(pawl);
    Flow<String, String> flow =
        Flow.define(TYPE, String.class, String.class, code).maxSuspend(ofMillis(500));
    pawl.register(flow);
    pawl.work(w -> w.drain(ofMillis(100)));
    RunHandle<String> run = pawl.start(flow, "in");
    awaitStatus(run, Status.SUSPENDED);
    run.signal("go", "!");
    assertThat(run.result(SOON)).isEqualTo("!ok");
  }

  @Test
  void aSuspensionThatLastsTooLongEndsInATimeout() {
    Pawl pawl = Pawl.open(new MortalStore(memory));
    engines.add(pawl);
    Flow<String, String> flow =
        Flow.define(
                TYPE,
                String.class,
                String.class,
                (ctx, in) -> {
                  try {
                    return ctx.awaitSignal("never", String.class);
                  } catch (TimedOutException e) {
                    return e.failure().code() + ctx.step("after", String.class, () -> "!");
                  }
                })
            .maxSuspend(ofMillis(50));
    pawl.register(flow);
    pawl.work(w -> w.poll(ofDays(1)).drain(ofMillis(100)));
    assertThat(pawl.start(flow, "in").result(SOON)).isEqualTo("TIMEOUT!");
  }

  // ---- a store in trouble ----

  @Test
  void aStoreThatFailsIsNotAFailureOfTheFlow() {
    FaultyStore faulty = new FaultyStore(memory);
    faulty.poison(command -> command instanceof Command.Advance write && write.epoch() == 1);
    Pawl pawl =
        working(
            faulty,
            (ctx, in) -> {
              try {
                ctx.step("one", () -> done.add("one"));
                ctx.step("two", () -> done.add("two"));
                return "ok";
              } catch (RuntimeException e) {
                done.add("thrown through the flow: " + e);
                throw e;
              }
            });
    RunHandle<String> run = start(pawl);
    assertThat(run.result(SOON)).isEqualTo("ok");
    assertThat(done).containsExactly("one", "one", "two");
    Invariants.check(memory, run.id());
  }

  @Test
  void unknownOutcomesChangeNothing() {
    FaultyStore faulty = new FaultyStore(memory);
    Task<String, String> echo = Task.of("trouble.echo.v1", String.class, String.class, s -> s);
    Pawl pawl =
        engine(
            faulty,
            (ctx, in) -> {
              String all = "";
              for (int i = 0; i < 5; i++) {
                all += ctx.step("s", String.class, () -> "s");
                all += ctx.call(echo, "c");
                ctx.sleep(ofMillis(1));
                all += ctx.pollSignal("none", String.class, ofMillis(1)).orElse("-");
              }
              return all;
            });
    pawl.register(echo);
    for (int i = 0; i < 200; i++) {
      switch (i % 5) {
        case 1 -> faulty.loseNext();
        case 3 -> faulty.loseNextAnswer();
        default -> faulty.pass(1);
      }
    }
    pawl.work(w -> w.poll(ofMillis(50)).drain(ofMillis(100)));
    RunHandle<String> run = start(pawl);
    assertThat(run.result(SOON)).isEqualTo("sc-sc-sc-sc-sc-");
    assertThat(events(run, Event.Leased.class).stream().mapToInt(Event.Leased::attempt).max())
        .hasValue(1);
    Invariants.check(memory, run.id());
  }

  // ---- operators ----

  @Test
  void aSuspendedRunWhoseThreadIsParkedCanBeRewound() {
    Pawl pawl =
        working(
            memory,
            (ctx, in) -> {
              ctx.step("a", () -> done.add("a"));
              ctx.step("b", () -> done.add("b"));
              return ctx.awaitSignal("go", String.class);
            });
    RunHandle<String> run = start(pawl);
    awaitStatus(run, Status.SUSPENDED);
    pawl.rewind(run.id(), "b");
    await(() -> done.size() == 3, "b is done again");
    awaitStatus(run, Status.SUSPENDED);
    run.signal("go", "ok");
    assertThat(run.result(SOON)).isEqualTo("ok");
    assertThat(done).containsExactly("a", "b", "b");
    Invariants.check(memory, run.id());
  }

  @Test
  void aRunningRunCanBeRewoundUnderItsWorker() {
    CountDownLatch inB = new CountDownLatch(1);
    AtomicInteger bs = new AtomicInteger();
    Pawl pawl =
        working(
            memory,
            (ctx, in) -> {
              ctx.step("a", () -> done.add("a"));
              ctx.step(
                  "b",
                  () -> {
                    if (bs.incrementAndGet() == 1) {
                      inB.countDown();
                      new CountDownLatch(1).await();
                    }
                    done.add("b");
                  });
              return "ok";
            });
    RunHandle<String> run = start(pawl);
    await(inB);
    pawl.rewind(run.id(), "a");
    assertThat(run.result(SOON)).isEqualTo("ok");
    assertThat(done).containsExactly("a", "a", "b");
    Invariants.check(memory, run.id());
  }

  @Test
  void aRetryAfterTheWorkWasUndoneStartsOver() {
    AtomicBoolean broken = new AtomicBoolean(true);
    Pawl pawl =
        working(
            memory,
            (ctx, in) -> {
              ctx.step("do", () -> done.add("do"));
              ctx.onFailure("undo", () -> done.add("undo"));
              ctx.step(
                  "maybe",
                  Retry.none(),
                  s -> {
                    if (broken.get()) {
                      throw new IllegalStateException("broken");
                    }
                  });
              return "ok";
            });
    RunHandle<String> run = start(pawl);
    assertThatThrownBy(() -> run.result(SOON)).hasMessageContaining("broken");
    broken.set(false);
    pawl.retry(run.id());
    assertThat(run.result(SOON)).isEqualTo("ok");
    assertThat(done).containsExactly("do", "undo", "do");
  }

  @Test
  void aForkRemembersChildrenSignalsAndChance() {
    Task<String, String> echo =
        Task.of(
            "trouble.echo.v1",
            String.class,
            String.class,
            s -> {
              done.add("echo");
              return s;
            });
    Pawl pawl =
        engine(
            memory,
            (ctx, in) -> {
              String id = ctx.uuid().toString();
              String child = ctx.call(echo, "child");
              String signal = ctx.awaitSignal("go", String.class);
              String last = ctx.step("last", String.class, () -> "last" + done.size());
              return id + "," + child + "," + signal + "," + last;
            });
    pawl.register(echo);
    pawl.work(w -> w.lease(LEASE).drain(ofMillis(100)));
    RunHandle<String> run = start(pawl);
    run.signal("go", "signal");
    String result = run.result(SOON);
    done.add("more");
    String forked = JsonCodec.decode(pawl.fork(run.id(), "last").result(SOON), String.class);
    assertThat(result).endsWith(",child,signal,last1");
    assertThat(forked).isEqualTo(result.replace("last1", "last2"));
    assertThat(done).containsExactly("echo", "more");
  }
}
