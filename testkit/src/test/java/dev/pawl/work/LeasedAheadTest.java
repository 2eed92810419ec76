package dev.pawl.work;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Store;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.FaultyStore;
import dev.pawl.testkit.MortalStore;
import dev.pawl.time.Chance;
import dev.pawl.time.Platform;
import dev.pawl.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a worker takes on as it is started, with a slot for it or without. */
@Timeout(60)
class LeasedAheadTest extends WorkerHouse {
  private static final String TYPE = "ahead.held.v1";
  private static final int SLOTS = 4;

  private final Paced paced = new Paced();
  private final List<Pawl> opened = new ArrayList<>();
  private final Map<Pawl, Worker> workers = new HashMap<>();
  private final Set<String> begun = ConcurrentHashMap.newKeySet();
  private final Semaphore gate = new Semaphore(0);

  private final Task<String, String> fast =
      Task.of("ahead.fast.v1", String.class, String.class, in -> in);
  private final Task<String, String> slow =
      Task.of(
          "ahead.slow.v1",
          String.class,
          String.class,
          in -> {
            paced.pass(ofSeconds(5));
            return in;
          });

  /** Stays until it is let go. */
  private final Task<String, String> held =
      Task.of(
          TYPE,
          String.class,
          String.class,
          in -> {
            begun.add(in);
            gate.acquire();
            done.add(in);
            return in;
          });

  /** The machine's platform, on which turns take as long as they say. */
  private static final class Paced implements Platform {
    private final Platform system = Platform.system();
    private final AtomicLong nanos = new AtomicLong();
    final AtomicInteger waits = new AtomicInteger();
    volatile boolean patient;

    void pass(Duration time) {
      nanos.addAndGet(time.toNanos());
    }

    @Override
    public Ticker ticker() {
      return nanos::get;
    }

    @Override
    public Chance chance() {
      return system.chance();
    }

    @Override
    public UUID newId() {
      return system.newId();
    }

    @Override
    public Thread startThread(String name, Runnable body) {
      return system.startThread(name, body);
    }

    @Override
    public boolean isOfTheSystem(Thread thread) {
      return system.isOfTheSystem(thread);
    }

    @Override
    public boolean tryAcquire(Semaphore semaphore, int permits, long millis)
        throws InterruptedException {
      waits.incrementAndGet();
      return system.tryAcquire(semaphore, permits, millis);
    }

    @Override
    public boolean await(CountDownLatch latch, long millis) throws InterruptedException {
      return system.await(latch, millis);
    }

    /** Whoever waits in vain sees that time has passed, unless it is to have all the time. */
    @Override
    public boolean await(Condition condition, long millis) throws InterruptedException {
      boolean told = system.await(condition, millis);
      if (!told && !patient) {
        pass(ofMillis(millis));
      }
      return told;
    }

    @Override
    public <T> T get(Future<T> future, long millis)
        throws InterruptedException, ExecutionException, TimeoutException {
      return system.get(future, millis);
    }
  }

  @AfterEach
  void closeOpened() {
    gate.release(1_000_000);
    opened.forEach(Pawl::close);
  }

  /** An engine whose worker has had a turn of a task, so that its pace is known. */
  private Pawl warm(Store store, Task<String, String> task, Duration lease) {
    Pawl pawl = Pawl.open(new MortalStore(store), paced);
    opened.add(pawl);
    pawl.register(fast).register(slow).register(held);
    Worker worker = pawl.work(w -> patient().apply(w).concurrency(SLOTS).lease(lease));
    workers.put(pawl, worker);
    Await.until("the worker has looked", worker::isIdle);
    pawl.start(task, "warm").result(SOON);
    Await.until("the worker is idle", worker::isIdle);
    return pawl;
  }

  private Pawl warm(Task<String, String> task) {
    return warm(memory, task, ofSeconds(30));
  }

  private Worker worker(Pawl pawl) {
    return Objects.requireNonNull(workers.get(pawl));
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> "n" + i).toList();
  }

  private long count(List<? extends RunHandle<?>> runs, Status status) {
    return runs.stream().filter(run -> run(run.id()).status() == status).count();
  }

  private void awaitBegun(int count) {
    Await.until(count + " have begun", () -> begun.size() == count);
  }

  // ---- what is leased ----

  @Test
  void afterFastTurnsMoreIsLeasedThanThereAreSlots() {
    Pawl pawl = warm(fast);
    List<RunHandle<String>> runs = pawl.startAll(held, names(100));
    awaitBegun(SLOTS);
    assertThat(count(runs, Status.RUNNING)).isEqualTo(100);
    gate.release(100);
    runs.forEach(run -> run.result(SOON));
    assertThat(done).containsExactlyInAnyOrderElementsOf(names(100));
    for (RunHandle<String> run : runs) {
      assertThat(events(run, Event.Leased.class)).hasSize(1);
      check(run);
    }
  }

  @Test
  void afterSlowTurnsNothingIsLeasedWithoutASlot() {
    Pawl pawl = warm(slow);
    List<RunHandle<String>> runs = pawl.startAll(held, names(20));
    awaitBegun(SLOTS);
    assertThat(count(runs, Status.RUNNING)).isEqualTo(SLOTS);
    assertThat(count(runs, Status.PENDING)).isEqualTo(20 - SLOTS);
  }

  @Test
  void nothingIsLeasedWithoutASlotBeforeAnyTurnHasEnded() {
    Pawl pawl = Pawl.open(new MortalStore(memory), paced);
    opened.add(pawl);
    pawl.register(held);
    Worker worker = pawl.work(w -> patient().apply(w).concurrency(SLOTS));
    Await.until("the worker has looked", worker::isIdle);
    List<RunHandle<String>> runs = pawl.startAll(held, names(20));
    awaitBegun(SLOTS);
    assertThat(count(runs, Status.PENDING)).isEqualTo(20 - SLOTS);
  }

  @Test
  void aRunWithOneAttemptIsNotLeasedWithoutASlot() {
    Pawl pawl = warm(fast);
    List<RunHandle<String>> runs =
        pawl.startAll(held, names(20), (in, options) -> options.maxAttempts(1));
    awaitBegun(SLOTS);
    assertThat(count(runs, Status.RUNNING)).isEqualTo(SLOTS);
    assertThat(count(runs, Status.PENDING)).isEqualTo(20 - SLOTS);
  }

  @Test
  void whatIsDueLaterIsNotLeased() {
    Pawl pawl = warm(fast);
    List<RunHandle<String>> runs =
        pawl.startAll(held, names(20), (in, options) -> options.delay(Duration.ofHours(1)));
    assertThat(count(runs, Status.PENDING)).isEqualTo(20);
  }

  @Test
  void onlyTypesThatAreHandledHereAreLeased() {
    Pawl pawl = warm(fast);
    Worker worker = worker(pawl);
    RunId stranger = new RunId(paced.newId());
    worker.start(NewRun.of(stranger, "ahead.unknown.v1", Json.NULL)).join();
    assertThat(run(stranger).status()).isEqualTo(Status.PENDING);
    assertThat(worker.isIdle()).isTrue();
    worker.stopClaiming();
    RunHandle<String> late = pawl.start(fast, "late");
    assertThat(run(late.id()).status()).isEqualTo(Status.PENDING);
  }

  // ---- in order, and with nothing lost ----

  @Test
  void handlesAreInTheOrderOfTheirInputsAndARepeatedKeyTakesNoRoom() {
    Pawl pawl = warm(fast);
    List<String> names = names(3000);
    List<RunHandle<String>> runs =
        pawl.startAll(fast, names, (in, options) -> options.key(in.substring(0, in.length() - 1)));
    for (int i = 0; i < runs.size(); i++) {
      String key = names.get(i).substring(0, names.get(i).length() - 1);
      assertThat(run(runs.get(i).id()).key()).contains(key);
    }
    assertThat(runs.stream().filter(RunHandle::isNew).count())
        .isEqualTo(names.stream().map(in -> in.substring(0, in.length() - 1)).distinct().count());
    runs.forEach(run -> run.result(SOON));
    Await.until("the room is given back", worker(pawl)::isIdle);
  }

  @Test
  void aStartThatFailsGivesItsRoomBackAndFailsAlone() {
    FaultyStore faulty = new FaultyStore(memory);
    Pawl pawl = warm(faulty, fast, ofSeconds(30));
    faulty.poison(command ->
        command instanceof Command.Start start && start.run().payload().text().contains("n700\""));
    assertThatThrownBy(() -> pawl.startAll(fast, names(1500), (in, o) -> o.key(in)))
        .isInstanceOf(PawlException.class)
        .hasMessageContaining("chokes");
    Await.until("the room is given back", worker(pawl)::isIdle);
    for (String name : names(1500)) {
      assertThat(memory.runByKey(name).isPresent()).isEqualTo(!name.equals("n700"));
    }
  }

  @Test
  void optionsThatThrowLeaveNothingBehind() {
    Pawl pawl = warm(fast);
    assertThatThrownBy(() ->
            pawl.startAll(
                fast,
                names(1500),
                (in, options) -> {
                  if (in.equals("n1400")) {
                    throw new IllegalStateException("odd");
                  }
                  return options.key(in);
                }))
        .hasMessage("odd");
    Await.until(
        "what was handed in is done",
        () ->
            memory.runByKey("n1399").filter(run -> run.status() == Status.SUCCEEDED).isPresent()
                && worker(pawl).isIdle());
  }

  @Test
  void aBulkThatFindsNoRoomForAMomentIsLeasedAgainAfterIt() {
    FaultyStore watched = new FaultyStore(memory);
    Pawl pawl = warm(watched, fast, ofSeconds(30));
    paced.patient = true;
    List<RunHandle<String>> runs = pawl.startAll(fast, names(20_000));
    paced.patient = false;
    Await.until("all are done", () -> count(runs, Status.SUCCEEDED) == 20_000);
    long leased =
        watched.batches().stream()
            .flatMap(List::stream)
            .filter(
                command -> command instanceof Command.Start start && start.claimant().isPresent())
            .count();
    assertThat(leased).isGreaterThan(10_000);
  }

  // ---- who waits in the store ----

  /** Slots and places ahead are taken, runs wait in the store, and the claimer for a slot. */
  private List<RunHandle<String>> full(Pawl pawl, String... inStore) {
    List<RunHandle<String>> first = pawl.startAll(held, names(50));
    awaitBegun(SLOTS);
    int waits = paced.waits.get();
    List<RunHandle<String>> runs = new ArrayList<>(first);
    for (String name : inStore) {
      runs.add(engine().start(held, name, o -> o.priority(1)));
    }
    Await.until("the claimer waits for a slot", () -> paced.waits.get() > waits);
    return runs;
  }

  @Test
  void whatWaitsInTheStoreIsOvertakenByNobodyWhoWaitsHere() {
    Pawl pawl = warm(fast);
    List<RunHandle<String>> runs = full(pawl, "urgent");
    gate.release(1);
    awaitBegun(SLOTS + 1);
    assertThat(begun).contains("urgent");
    gate.release(50);
    runs.forEach(run -> run.result(SOON));
  }

  @Test
  void noneIsLeasedOnceItIsKnownThatMoreWaitsInTheStore() {
    Pawl pawl = warm(fast);
    List<RunHandle<String>> runs = full(pawl, "urgent", "too");
    Worker worker = worker(pawl);
    assertThat(run(another(worker)).lease()).as("it may be nothing").isPresent();
    gate.release(1);
    awaitBegun(SLOTS + 1);
    AtomicInteger probes = new AtomicInteger();
    Await.until(
        "the claimer waits for more slots",
        () -> probes.incrementAndGet() > 1000 || run(another(worker)).lease().isEmpty());
    assertThat(probes).hasValueLessThan(1000);
    runs.addAll(pawl.startAll(held, names(50).stream().map(name -> "later " + name).toList()));
    gate.release(200);
    runs.forEach(run -> run.result(SOON));
    assertThat(done.indexOf("too")).isLessThanOrEqualTo(50 + 2 * SLOTS);
    assertThat(done.subList(0, 50 - SLOTS)).noneMatch(name -> name.startsWith("later"));
  }

  /** Starts one more, to see whether it is leased. */
  private RunId another(Worker worker) {
    RunId id = new RunId(paced.newId());
    worker.start(NewRun.of(id, "ahead.fast.v1", Json.string("x"))).join();
    return id;
  }

  // ---- while they wait ----

  @Test
  void whoWaitsIsGivenBackWhenTheWorkerStopsClaiming() {
    Pawl pawl = warm(fast);
    List<RunHandle<String>> runs = pawl.startAll(held, names(50));
    awaitBegun(SLOTS);
    worker(pawl).stopClaiming();
    Await.until("they are back", () -> count(runs, Status.PENDING) == 50 - SLOTS);
    assertThat(count(runs, Status.RUNNING)).as("they go on").isEqualTo(SLOTS);
    for (RunHandle<String> run : runs) {
      if (run(run.id()).status() == Status.PENDING) {
        assertThat(run(run.id()).attempt()).isZero();
        assertThat(events(run, Event.Released.class).get(0).reason()).contains("shutting down");
      }
      check(run);
    }
    working(held);
    gate.release(50);
    runs.forEach(run -> assertThat(engine().handle(run.id()).result(SOON)).isNotNull());
    assertThat(done).hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  void whoWaitsIsGivenBackByAWorkerThatClosesWithoutDraining() {
    Pawl pawl = warm(fast);
    List<RunHandle<String>> runs = pawl.startAll(held, names(50));
    awaitBegun(SLOTS);
    pawl.close();
    for (RunHandle<String> run : runs) {
      Run left = run(run.id());
      assertThat(left.status()).isEqualTo(Status.PENDING);
      assertThat(left.attempt()).isZero();
      check(run);
    }
  }

  @Test
  void whoWaitsForTooLongIsGivenBackToBeDoneElsewhere() {
    Pawl pawl = warm(fast);
    List<RunHandle<String>> runs = pawl.startAll(held, names(50));
    awaitBegun(SLOTS);
    paced.pass(ofSeconds(2));
    Await.until("they are back", () -> count(runs, Status.PENDING) == 50 - SLOTS);
    assertThat(begun).hasSize(SLOTS);
    List<RunHandle<String>> more = pawl.startAll(held, names(5));
    assertThat(count(more, Status.PENDING)).as("nothing is known of turns now").isEqualTo(5);
  }

  @Test
  void theLeasesOfThoseWhoWaitAreRenewed() {
    Duration lease = ofMillis(900);
    Pawl pawl = warm(memory, fast, lease);
    List<RunHandle<String>> runs = pawl.startAll(held, names(20));
    awaitBegun(SLOTS);
    Pawl other = engine(held);
    other.work(w -> w.poll(ofMillis(20)).drain(ofMillis(100)));
    letPass(lease.multipliedBy(2));
    assertThat(begun).hasSize(SLOTS);
    gate.release(20);
    runs.forEach(run -> run.result(SOON));
    runs.forEach(run -> assertThat(events(run, Event.Leased.class)).hasSize(1));
  }

  /** All slots are taken by others. Those who come together need not begin in order. */
  private int oneThatWaits(int count) {
    assertThat(begun).hasSize(SLOTS);
    return IntStream.range(0, count).filter(i -> !begun.contains("n" + i)).max().orElseThrow();
  }

  /** Waits until what a heartbeat learned from now on was told: then the one after it begins. */
  private static void awaitHeartbeat(FaultyStore store) {
    long before = heartbeats(store);
    Await.until("two heartbeats have begun", () -> heartbeats(store) >= before + 2);
  }

  private static long heartbeats(FaultyStore store) {
    return store.batches().stream()
        .flatMap(List::stream)
        .filter(Command.Extend.class::isInstance)
        .count();
  }

  @Test
  void whoIsCancelledWhileItWaitsNeverBegins() {
    FaultyStore watched = new FaultyStore(memory);
    Pawl pawl = warm(watched, fast, ofMillis(300));
    List<RunHandle<String>> runs = pawl.startAll(held, names(20));
    awaitBegun(SLOTS);
    int last = oneThatWaits(20);
    RunHandle<String> waiting = runs.get(last);
    pawl.cancel(waiting.id(), "not needed");
    awaitHeartbeat(watched);
    assertThat(events(waiting, Event.Leased.class)).as("it is still waiting here").hasSize(1);
    gate.release(20);
    assertThatThrownBy(() -> waiting.result(SOON)).isInstanceOf(CancelledException.class);
    assertThat(begun).doesNotContain("n" + last);
    check(waiting);
  }

  @Test
  void whoLosesItsLeaseWhileItWaitsNeverBegins() {
    FaultyStore watched = new FaultyStore(memory);
    Pawl pawl = warm(watched, fast, ofMillis(300));
    List<RunHandle<String>> runs = pawl.startAll(held, names(20));
    awaitBegun(SLOTS);
    int last = oneThatWaits(20);
    RunHandle<String> waiting = runs.get(last);
    pawl.cancel(waiting.id(), "at once", true);
    awaitHeartbeat(watched);
    gate.release(20);
    Await.until("the worker is idle", worker(pawl)::isIdle);
    assertThat(begun).doesNotContain("n" + last);
    check(waiting);
  }
}
