package dev.pawl.flow;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.json.Json;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.Routes;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.MortalStore;
import dev.pawl.time.Ids;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads of suspended flows: kept while there is room, and dropped without a trace. */
@Timeout(120)
class ParkedFlowsTest {
  private static final Duration SOON = ofSeconds(30);
  private static final int CACHE = 16_384;
  private static final int BEYOND = 300;

  private final MemoryStore memory = new MemoryStore(InstantSource.system());
  private final List<Pawl> engines = new ArrayList<>();
  private final AtomicInteger entries = new AtomicInteger();
  private final AtomicInteger leftByException = new AtomicInteger();
  private final List<Remembered> memories = Collections.synchronizedList(new ArrayList<>());

  /** What a thread has in hand as long as it is kept. */
  private record Remembered(int input, WeakReference<byte[]> local) {
    boolean isAlive() {
      return local.get() != null;
    }
  }

  private final Flow<Integer, Integer> flow =
      Flow.define(
          "parked.flow.v1",
          Integer.class,
          Integer.class,
          (ctx, in) -> {
            entries.incrementAndGet();
            byte[] local = new byte[1000];
            memories.add(new Remembered(in, new WeakReference<>(local)));
            int sum = 0;
            boolean returned = false;
            try {
              for (int i = 0; i < 3; i++) {
                sum += ctx.awaitSignal("go", Integer.class);
              }
              returned = true;
              return sum + in + local.length;
            } finally {
              if (!returned) {
                leftByException.incrementAndGet();
              }
            }
          });

  @AfterEach
  void close() {
    engines.forEach(Pawl::close);
    memory.close();
  }

  private Pawl working() {
    return working(ofDays(1));
  }

  private Pawl working(Duration poll) {
    Pawl pawl = Pawl.open(new MortalStore(memory));
    engines.add(pawl);
    pawl.register(flow);
    pawl.work(w -> w.poll(poll).drain(ofMillis(100)));
    return pawl;
  }

  private void awaitSuspended(RunHandle<?> run) {
    Await.until(
        "the run is suspended and nobody has to look at it",
        () -> {
          var now = memory.run(run.id()).orElseThrow();
          return now.status() == Status.SUSPENDED && now.due().isEmpty();
        });
  }

  @Test
  void aFlowGoesOnWhereItStoodIfNothingForeignHappened() {
    Pawl pawl = working();
    RunHandle<Integer> run = pawl.start(flow, 0);
    for (int i = 0; i < 3; i++) {
      awaitSuspended(run);
      run.signal("other", "x");
      run.signal("go", 1);
    }
    assertThat(run.result(SOON)).isEqualTo(1003);
    assertThat(entries).hasValue(1);
    assertThat(leftByException).hasValue(0);
  }

  @Test
  void aFlowIsReplayedIfAnotherWorkerHadIt() {
    Pawl pawl = working(ofMillis(20));
    RunHandle<Integer> run = pawl.start(flow, 0);
    awaitSuspended(run);
    run.signal("go", 1);
    awaitSuspended(run);
    assertThat(entries).hasValue(1);
    long epoch = memory.run(run.id()).orElseThrow().epoch();
    signalAndTakeAway(run);
    Await.until(
        "its own worker has it again",
        () -> memory.run(run.id()).orElseThrow().epoch() >= epoch + 2);
    awaitSuspended(run);
    assertThat(entries).as("its thread stood where the log has gone on").hasValue(2);
    run.signal("go", 1);
    assertThat(run.result(SOON)).isEqualTo(1003);
    assertThat(entries).hasValue(2);
    assertThat(leftByException).hasValue(0);
  }

  /** Wakes the run and has another worker take it, who dies. */
  private void signalAndTakeAway(RunHandle<?> run) {
    memory.commit(
        List.of(
            new Command.Send(run.id(), Ids.next(), "go", Json.number(1)),
            new Command.Claim(
                new Command.Claimant("other", ofMillis(1), 1), Routes.of(flow.type()), 1)));
  }

  @Test
  void aRunMovesBetweenWorkersAtEverySuspension() {
    Pawl one = working();
    Pawl two = working();
    RunHandle<Integer> run = one.start(flow, 0);
    for (int i = 0; i < 3; i++) {
      awaitSuspended(run);
      (i % 2 == 0 ? two : one).signal(run.id(), "go", 1);
    }
    assertThat(run.result(SOON)).isEqualTo(1003);
    assertThat(entries.get()).isBetween(1, 4);
  }

  @Test
  void threadsBeyondTheCacheAreCollectedAndTheirFlowsReplayed() {
    Pawl pawl = working();
    List<RunHandle<Integer>> runs =
        pawl.startAll(flow, IntStream.range(0, CACHE + BEYOND).boxed().toList());
    runs.forEach(this::awaitSuspended);
    assertThat(entries).hasValue(CACHE + BEYOND);
    Await.until(
        "the threads that were pushed out are collected",
        () -> {
          System.gc();
          return alive() <= CACHE;
        });
    assertThat(alive()).as("those in the cache are kept").isGreaterThanOrEqualTo(CACHE - 10);
    List<Integer> dropped =
        memories.stream().filter(one -> !one.isAlive()).map(Remembered::input).toList();
    for (int i = 0; i < 3; i++) {
      for (int which : dropped) {
        pawl.signal(runs.get(which).id(), "go", 1);
      }
    }
    for (int which : dropped) {
      assertThat(runs.get(which).result(SOON)).isEqualTo(1003 + which);
    }
    assertThat(entries.get()).isGreaterThanOrEqualTo(CACHE + BEYOND + dropped.size());
    assertThat(leftByException).as("nothing is thrown through a dropped flow").hasValue(0);
  }

  private long alive() {
    return memories.stream().filter(Remembered::isAlive).count();
  }

  @Test
  void theThreadsOfAClosedEngineAreCollected() {
    Pawl pawl = working();
    List<RunId> runs = startAndSuspend(pawl, 50);
    engines.remove(pawl);
    pawl.close();
    pawl = working();
    Await.until(
        "the threads are collected",
        () -> {
          System.gc();
          return alive() == 0;
        });
    assertThat(leftByException).hasValue(0);
    pawl.signal(runs.get(0), "go", 5);
    awaitSuspended(pawl.handle(runs.get(0)));
    assertThat(entries).hasValue(51);
  }

  /** Starts runs and keeps only their ids: a handle refers to its engine. */
  private List<RunId> startAndSuspend(Pawl pawl, int count) {
    List<RunHandle<Integer>> runs = pawl.startAll(flow, Collections.nCopies(count, 0));
    runs.forEach(this::awaitSuspended);
    return runs.stream().map(RunHandle::id).toList();
  }
}
