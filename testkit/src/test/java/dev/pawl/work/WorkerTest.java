package dev.pawl.work;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.IfExists;
import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.flow.Flow;
import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.ForwardingStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a worker claims, when, and how it carries it out. */
@Timeout(60)
class WorkerTest extends WorkerHouse {
  private static final String TYPE = "work.echo.v1";

  private final Task<String, String> echo =
      Task.of(
          TYPE,
          String.class,
          String.class,
          in -> {
            done.add(in);
            return in;
          });

  // ---- what is claimed ----

  @Test
  void noMoreTurnsRunThanAllowed() {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Semaphore gate = new Semaphore(0);
    Task<String, String> slow =
        Task.of(
            "work.slow.v1",
            String.class,
            String.class,
            in -> {
              most.accumulateAndGet(now.incrementAndGet(), Math::max);
              gate.acquire();
              now.decrementAndGet();
              return in;
            });
    Pawl pawl = engine(slow);
    Worker worker = pawl.work(w -> patient().apply(w).concurrency(3));
    List<RunHandle<String>> runs = pawl.startAll(slow, Collections.nCopies(20, "in"));
    Await.until("three are at work", () -> now.get() == 3);
    assertThat(worker.busy()).isEqualTo(3);
    assertThat(worker.isIdle()).isFalse();
    gate.release(20);
    runs.forEach(run -> assertThat(run.result(SOON)).isEqualTo("in"));
    assertThat(most).hasValue(3);
    Await.until("the worker is idle", worker::isIdle);
  }

  @Test
  void onlyTypesWithAHandlerAreClaimed() {
    Task<Json, Json> prefix =
        Task.json(
            "bill.%",
            (context, in) -> {
              done.add(context.type());
              return in;
            });
    Task<Json, Json> exact =
        Task.json(
            "bill.special.v1",
            (context, in) -> {
              done.add("special");
              return in;
            });
    Pawl pawl = working(echo, prefix, exact);
    RunHandle<Json> other = pawl.start("billing.run.v1", Json.NULL, o -> o);
    pawl.start("bill.run.v1", Json.NULL, o -> o).result(SOON);
    pawl.start("bill.special.v1", Json.NULL, o -> o).result(SOON);
    pawl.start(echo, "echo").result(SOON);
    assertThat(done).containsExactly("bill.run.v1", "special", "echo");
    assertThat(other.run().status()).isEqualTo(Status.PENDING);
    assertThat(other.run().attempt()).isZero();
  }

  @Test
  void aWorkerCanBeNarrowed() {
    Task<Json, Json> all =
        Task.json(
            "%",
            (context, in) -> {
              done.add(context.type());
              return in;
            });
    Pawl pawl = engine(all, echo);
    pawl.work(w -> patient().apply(w).only("b.%", "c.exact.v1"));
    RunHandle<Json> a = pawl.start("a.x.v1", Json.NULL, o -> o);
    RunHandle<String> e = pawl.start(echo, "no");
    pawl.start("b.x.v1", Json.NULL, o -> o).result(SOON);
    pawl.start("c.exact.v1", Json.NULL, o -> o).result(SOON);
    assertThat(done).containsExactly("b.x.v1", "c.exact.v1");
    assertThat(a.run().status()).isEqualTo(Status.PENDING);
    assertThat(e.run().status()).isEqualTo(Status.PENDING);
  }

  @Test
  void lowerPriorityNumbersComeFirstAndEqualOnesInOrder() {
    CountDownLatch go = new CountDownLatch(1);
    Task<String, String> first =
        Task.of(
            "work.first.v1",
            String.class,
            String.class,
            in -> {
              go.await();
              return in;
            });
    Pawl pawl = engine(first, echo);
    pawl.work(w -> patient().apply(w).concurrency(1));
    RunHandle<String> holding = pawl.start(first, "hold");
    awaitStatus(holding, Status.RUNNING);
    List<RunHandle<String>> runs = new ArrayList<>();
    for (int priority : List.of(100, 5, 100, 1, 200, 5)) {
      String name = priority + "/" + runs.size();
      runs.add(pawl.start(echo, name, o -> o.priority(priority)));
    }
    go.countDown();
    runs.forEach(run -> run.result(SOON));
    assertThat(done).containsExactly("1/3", "5/1", "5/5", "100/0", "100/2", "200/4");
  }

  @Test
  void aPausedTypeWaitsAndIsTakenUpWhenItIsResumed() {
    Pawl pawl = working(echo);
    pawl.pause(TYPE);
    RunHandle<String> one = pawl.start(echo, "one");
    RunHandle<String> two = pawl.startAll(echo, List.of("two")).get(0);
    letPass(ofMillis(50));
    assertThat(one.run().status()).isEqualTo(Status.PENDING);
    assertThat(one.run().attempt()).isZero();
    pawl.resume(TYPE);
    assertThat(one.result(SOON)).isEqualTo("one");
    assertThat(two.result(SOON)).isEqualTo("two");
  }

  // ---- when ----

  @Test
  void whatIsStartedHereIsCarriedOutAtOnce() {
    Pawl pawl = working(echo);
    for (int i = 0; i < 20; i++) {
      assertThat(pawl.start(echo, "a" + i).result(SOON)).isEqualTo("a" + i);
    }
    for (RunHandle<String> run : pawl.startAll(echo, List.of("x", "y", "z"))) {
      assertThat(run.result(SOON)).isNotEmpty();
    }
  }

  @Test
  void whatIsStartedElsewhereOnTheStoreIsCarriedOutAtOnce() {
    Pawl worker = working(echo);
    Pawl producer = engine();
    RunHandle<String> run = producer.start(echo, "from elsewhere");
    assertThat(run.result(SOON)).isEqualTo("from elsewhere");
    assertThat(worker.handle(run.id()).result(SOON)).isEqualTo(Json.string("from elsewhere"));
  }

  @Test
  void whatWasStartedBeforeTheWorkerIsCarriedOut() {
    Pawl pawl = engine(echo);
    List<RunHandle<String>> runs = pawl.startAll(echo, Collections.nCopies(300, "early"));
    pawl.work(w -> patient().apply(w).concurrency(10));
    runs.forEach(run -> assertThat(run.result(SOON)).isEqualTo("early"));
  }

  @Test
  void aStartWithADelayIsCarriedOutWhenItIsDueAndNotBefore() {
    Pawl pawl = working(echo);
    RunHandle<String> run = pawl.start(echo, "later", o -> o.delay(ofMillis(150)));
    RunHandle<String> at =
        pawl.start(echo, "at", o -> o.at(memory.now().plusMillis(100).plusNanos(1)));
    assertThat(run.result(SOON)).isEqualTo("later");
    assertThat(at.result(SOON)).isEqualTo("at");
    for (RunHandle<String> each : List.of(run, at)) {
      Event.Created created = events(each, Event.Created.class).get(0);
      Entry leased = log(each.id()).get(1);
      assertThat(leased.event()).isInstanceOf(Event.Leased.class);
      assertThat(leased.at()).isAfterOrEqualTo(created.runAt());
    }
  }

  @Test
  void timersFireWithoutAPoll() {
    Flow<String, String> flow =
        Flow.define(
            "work.sleeper.v1",
            String.class,
            String.class,
            (ctx, in) -> {
              ctx.sleep(ofMillis(60));
              ctx.sleep(ofMillis(5));
              return "awake";
            });
    Pawl pawl = working(flow);
    assertThat(pawl.start(flow, "in").result(SOON)).isEqualTo("awake");
  }

  @Test
  void anEarlierTimerShortensTheWaitForALaterOne() {
    Pawl pawl = working(echo);
    RunHandle<String> late = pawl.start(echo, "late", o -> o.delay(ofHours(1)));
    letPass(ofMillis(20));
    assertThat(pawl.start(echo, "early", o -> o.delay(ofMillis(50))).result(SOON))
        .isEqualTo("early");
    assertThat(late.run().status()).isEqualTo(Status.PENDING);
  }

  @Test
  void aSlotThatComesFreeIsUsedForWhatWaits() {
    CountDownLatch go = new CountDownLatch(1);
    Task<String, String> blocking =
        Task.of(
            "work.blocking.v1",
            String.class,
            String.class,
            in -> {
              go.await();
              return in;
            });
    Pawl pawl = engine(echo, blocking);
    pawl.work(w -> w.concurrency(1).poll(ofMillis(20)).drain(ofMillis(100)));
    RunHandle<String> first = pawl.start(blocking, "first");
    RunHandle<String> second = pawl.start(echo, "second");
    letPass(ofMillis(200));
    go.countDown();
    assertThat(first.result(SOON)).isEqualTo("first");
    assertThat(second.result(SOON)).isEqualTo("second");
  }

  // ---- starting under a lease ----

  @Test
  void startsUnderContentionAllHappenOnce() throws Exception {
    Pawl pawl = engine(echo);
    Worker worker = pawl.work(w -> patient().apply(w).concurrency(4));
    List<RunHandle<String>> runs = Collections.synchronizedList(new ArrayList<>());
    List<Thread> producers = new ArrayList<>();
    for (int p = 0; p < 8; p++) {
      int number = p;
      producers.add(
          Thread.ofVirtual()
              .start(() -> {
                for (int i = 0; i < 50; i++) {
                  runs.add(pawl.start(echo, number + "/" + i));
                }
              }));
    }
    for (Thread producer : producers) {
      producer.join();
    }
    for (RunHandle<String> run : runs) {
      run.result(SOON);
      assertThat(run.run().epoch()).as("claimed once, ended once").isEqualTo(2);
    }
    assertThat(done).hasSize(400).doesNotHaveDuplicates();
    Await.until("the worker is idle", worker::isIdle);
    assertThat(worker.busy()).isZero();
  }

  @Test
  void startsWithOneKeyUnderContentionGiveOneRun() throws Exception {
    Pawl pawl = engine(echo);
    Worker worker = pawl.work(patient());
    List<RunId> ids = Collections.synchronizedList(new ArrayList<>());
    List<Thread> producers = new ArrayList<>();
    for (int p = 0; p < 16; p++) {
      producers.add(
          Thread.ofVirtual().start(() -> ids.add(pawl.start(echo, "x", o -> o.key("k")).id())));
    }
    for (Thread producer : producers) {
      producer.join();
    }
    assertThat(ids).hasSize(16).containsOnly(ids.get(0));
    assertThat(pawl.handle(ids.get(0)).result(SOON)).isEqualTo(Json.string("x"));
    assertThat(done).hasSize(1);
    Await.until("the room is given back", () -> worker.busy() == 0);
  }

  @Test
  void localStartsDoNotStarveWhatWaits() throws Exception {
    AtomicBoolean served = new AtomicBoolean();
    AtomicInteger overtaking = new AtomicInteger();
    Task<String, String> local = Task.of("work.local.v1", String.class, String.class, in -> in);
    Task<String, String> patientTask =
        Task.of(
            "work.patient.v1",
            String.class,
            String.class,
            in -> {
              served.set(true);
              return in;
            });
    Pawl pawl = engine(local, patientTask);
    pawl.work(w -> patient().apply(w).concurrency(1));
    CountDownLatch busy = new CountDownLatch(200);
    List<Thread> producers = new ArrayList<>();
    AtomicBoolean stop = new AtomicBoolean();
    for (int p = 0; p < 4; p++) {
      producers.add(
          Thread.ofVirtual()
              .start(() -> {
                while (!stop.get()) {
                  pawl.start(local, "x").result(SOON);
                  busy.countDown();
                  overtaking.incrementAndGet();
                }
              }));
    }
    Await.open("the producers are at it", busy);
    Pawl elsewhere = engine();
    RunHandle<String> waiting = elsewhere.start(patientTask, "y", o -> o.priority(1));
    int before = overtaking.get();
    waiting.result(SOON);
    assertThat(overtaking.get() - before).isLessThan(500);
    stop.set(true);
    for (Thread producer : producers) {
      producer.join();
    }
  }

  // ---- keys ----

  @Test
  void aSecondStartWithAKeyAttachesUnlessToldOtherwise() {
    Pawl pawl = working(echo);
    RunHandle<String> first = pawl.start(echo, "first", o -> o.key("k"));
    RunHandle<String> second = pawl.start(echo, "second", o -> o.key("k"));
    assertThat(first.isNew()).isTrue();
    assertThat(second.isNew()).isFalse();
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(second.result(SOON)).isEqualTo("first");
    assertThatThrownBy(() -> pawl.start(echo, "third", o -> o.key("k").ifExists(IfExists.REJECT)))
        .isInstanceOfSatisfying(
            PawlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT))
        .hasMessageContaining("k")
        .hasMessageContaining(first.id().toString());
    assertThat(
            pawl.start(echo, "fourth", o -> o.key("k").ifExists(IfExists.RETRY_IF_FAILED))
                .result(SOON))
        .as("it has not failed, so it is left alone")
        .isEqualTo("first");
  }

  @Test
  void aFailedRunIsRetriedByASecondStartThatSaysSo() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    Task<String, String> twice =
        Task.of(
                "work.twice.v1",
                String.class,
                String.class,
                in -> {
                  if (tries.incrementAndGet() == 1) {
                    throw new IllegalStateException("first time");
                  }
                  return in;
                })
            .retry(Retry.none());
    Pawl pawl = working(twice);
    RunHandle<String> first = pawl.start(twice, "in", o -> o.key("k"));
    assertThatThrownBy(() -> first.result(SOON)).hasMessageContaining("first time");
    List<Thread> producers = new ArrayList<>();
    List<RunHandle<String>> again = Collections.synchronizedList(new ArrayList<>());
    List<Throwable> problems = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 8; i++) {
      producers.add(
          Thread.ofPlatform()
              .uncaughtExceptionHandler((thread, e) -> problems.add(e))
              .start(() ->
                  again.add(
                      pawl.start(
                          twice, "in", o -> o.key("k").ifExists(IfExists.RETRY_IF_FAILED)))));
    }
    for (Thread producer : producers) {
      producer.join();
    }
    assertThat(problems).isEmpty();
    assertThat(again).hasSize(8).allMatch(run -> !run.isNew() && run.id().equals(first.id()));
    assertThat(first.result(SOON)).isEqualTo("in");
    assertThat(tries).hasValue(2);
  }

  // ---- results ----

  @Test
  void aResultCanBeAwaitedByManyAndFromOtherEngines() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    Task<String, String> waiting =
        Task.of(
            "work.waiting.v1",
            String.class,
            String.class,
            in -> {
              go.await();
              return in;
            });
    Pawl pawl = working(waiting);
    RunHandle<String> run = pawl.start(waiting, "in");
    List<Object> results = Collections.synchronizedList(new ArrayList<>());
    List<Thread> waiters = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Pawl from = i % 2 == 0 ? pawl : engine();
      waiters.add(
          Thread.ofVirtual()
              .start(
                  () -> results.add(Objects.requireNonNull(from.handle(run.id()).result(SOON)))));
    }
    assertThatThrownBy(() -> run.result(ofMillis(10))).isInstanceOf(TimedOutException.class);
    go.countDown();
    for (Thread waiter : waiters) {
      waiter.join();
    }
    assertThat(results).hasSize(10).containsOnly(Json.string("in"));
    assertThat(engine().handle(run.id()).result(ofSeconds(1))).isEqualTo(Json.string("in"));
  }

  @Test
  void theEndOfARunThatWasForcedToEndIsNoticed() {
    CountDownLatch started = new CountDownLatch(1);
    Task<String, String> stubborn =
        Task.of(
            "work.stubborn.v1",
            String.class,
            String.class,
            in -> {
              started.countDown();
              new CountDownLatch(1).await();
              return in;
            });
    Pawl pawl = working(stubborn);
    RunHandle<String> run = pawl.start(stubborn, "in");
    Await.open("it has started", started);
    pawl.cancel(run.id(), "now", true);
    assertThatThrownBy(() -> run.result(SOON))
        .isInstanceOf(CancelledException.class)
        .hasMessageContaining("now");
    check(run);
  }

  // ---- a store in trouble ----

  @Test
  void aWorkerOutlivesAnythingItsStoreThrows() {
    AtomicInteger claims = new AtomicInteger();
    ForwardingStore odd =
        new ForwardingStore(memory) {
          @Override
          public List<Outcome> commit(List<Command> commands) {
            if (commands.stream().anyMatch(Command.Claim.class::isInstance)
                && claims.incrementAndGet() == 1) {
              throw new StackOverflowError("odd");
            }
            return super.commit(commands);
          }
        };
    Pawl pawl = engine(odd, echo);
    RunHandle<String> run = pawl.startAll(echo, List.of("in")).get(0);
    pawl.work(w -> w.poll(ofMillis(20)).drain(ofMillis(100)));
    assertThat(run.result(SOON)).isEqualTo("in");
  }

  @Test
  void aRunIsDueAtOnceForAnotherWorkerWhenItIsReleased() {
    CountDownLatch started = new CountDownLatch(1);
    AtomicInteger attempts = new AtomicInteger();
    Task<String, Integer> task =
        Task.define(
            "work.moving.v1",
            String.class,
            Integer.class,
            (context, in) -> {
              attempts.incrementAndGet();
              if (started.getCount() > 0) {
                started.countDown();
                new CountDownLatch(1).await();
              }
              return context.attempt();
            });
    Pawl first = working(task);
    RunHandle<Integer> run = first.start(task, "in");
    Await.open("it has started", started);
    working(task);
    Instant before = memory.now();
    first.close();
    assertThat(engine().handle(run.id()).result(SOON)).isEqualTo(Json.number(1));
    Event.Released released = events(run, Event.Released.class).get(0);
    assertThat(released.runAt()).isAfterOrEqualTo(before);
    assertThat(attempts).hasValue(2);
    check(run);
  }
}
