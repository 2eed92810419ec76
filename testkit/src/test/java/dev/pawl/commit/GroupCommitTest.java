package dev.pawl.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.FaultyStore;
import dev.pawl.testkit.ManualClock;
import dev.pawl.testkit.StoreFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How commands share commits, and what becomes of them when a commit goes wrong. */
@Timeout(60)
class GroupCommitTest {
  private static final int QUEUE_LIMIT = 8192;

  private final MemoryStore memory = new MemoryStore(new ManualClock());
  private final FaultyStore store = new FaultyStore(memory);
  private final GroupCommit commits = new GroupCommit(store);

  @AfterEach
  void close() {
    commits.close();
  }

  private static Command.Start start() {
    return new Command.Start(StoreFixture.newRun());
  }

  private static RunId id(Command.Start start) {
    return start.run().id();
  }

  private static Outcome get(CompletableFuture<Outcome> outcome) throws Exception {
    return outcome.get(30, TimeUnit.SECONDS);
  }

  private static ErrorCode code(CompletableFuture<Outcome> outcome) throws Exception {
    try {
      return ErrorCode.valueOf("none: " + get(outcome));
    } catch (ExecutionException e) {
      return ((PawlException) e.getCause()).code();
    }
  }

  @Test
  void aLonelyCommandIsCommittedAloneAndAtOnce() {
    for (int i = 1; i <= 3; i++) {
      assertThat(commits.commit(start())).isInstanceOf(Outcome.Started.class);
      assertThat(store.commits()).isEqualTo(i);
      assertThat(commits.totals()).isEqualTo(new GroupCommit.Totals(i, i));
    }
  }

  @Test
  void whatComesWhileACommitIsUnderWaySharesTheNextInItsOrder() throws Exception {
    FaultyStore.Gate gate = store.blockNext();
    CompletableFuture<Outcome> first = commits.submit(start());
    gate.awaitArrival();
    List<Command.Start> wanted = new ArrayList<>();
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      Command.Start start = start();
      wanted.add(start);
      outcomes.add(commits.submit(start));
    }
    assertThat(first).isNotDone();
    gate.open();
    get(first);
    for (int i = 0; i < wanted.size(); i++) {
      Outcome.Started started = StoreFixture.as(Outcome.Started.class, get(outcomes.get(i)));
      assertThat(started.run().id()).isEqualTo(id(wanted.get(i)));
    }
    assertThat(store.batches()).hasSize(2);
    assertThat(store.batches().get(1)).isEqualTo(wanted);
    assertThat(commits.totals()).isEqualTo(new GroupCommit.Totals(501, 2));
  }

  @Test
  void virtualThreadsThatGiveNothingUpKeepNoOtherThreadFromItsOutcomes() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    FaultyStore.Gate gate = store.blockNext();
    CompletableFuture<Outcome> first = commits.submit(start());
    gate.awaitArrival();
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      outcomes.add(commits.submit(start()));
    }
    List<Thread> selfish = selfish(over);
    try {
      gate.open();
      get(first);
      for (CompletableFuture<Outcome> outcome : outcomes) {
        assertThat(get(outcome)).isInstanceOf(Outcome.Started.class);
      }
      commits.close();
    } finally {
      over.set(true);
    }
    for (Thread thread : selfish) {
      thread.join();
    }
  }

  /** More threads than can run at once, each of which computes until it is told to stop. */
  private static List<Thread> selfish(AtomicBoolean over) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
      threads.add(
          Thread.startVirtualThread(() -> {
            while (!over.get()) {
              Thread.onSpinWait();
            }
          }));
    }
    return threads;
  }

  @Test
  void whoHandsInMoreThanTheQueueTakesWaits() throws Exception {
    FaultyStore.Gate gate = store.blockNext();
    CompletableFuture<Outcome> first = commits.submit(start());
    gate.awaitArrival();
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>(List.of(first));
    for (int i = 0; i < QUEUE_LIMIT; i++) {
      outcomes.add(commits.submit(start()));
    }
    AtomicReference<CompletableFuture<Outcome>> late = new AtomicReference<>();
    Thread producer = Thread.ofPlatform().start(() -> late.set(commits.submit(start())));
    awaitState(producer, Thread.State.WAITING);
    assertThat(late).hasValue(null);
    gate.open();
    producer.join();
    outcomes.add(late.get());
    for (CompletableFuture<Outcome> outcome : outcomes) {
      assertThat(get(outcome)).isInstanceOf(Outcome.Started.class);
    }
  }

  /** The state shows that the thread has got to where it blocks: there is no event to wait for. */
  private static void awaitState(Thread thread, Thread.State state) {
    while (thread.getState() != state) {
      Thread.onSpinWait();
    }
  }

  @Test
  void onlyThePoisonedCommandOfABatchFails() throws Exception {
    Command.Start poisoned = start();
    store.poison(command -> command.equals(poisoned));
    FaultyStore.Gate gate = store.blockNext();
    commits.submit(start());
    gate.awaitArrival();
    List<CompletableFuture<Outcome>> healthy = new ArrayList<>();
    healthy.add(commits.submit(start()));
    healthy.add(commits.submit(start()));
    CompletableFuture<Outcome> sick = commits.submit(poisoned);
    healthy.add(commits.submit(start()));
    gate.open();
    assertThat(code(sick)).isEqualTo(ErrorCode.INTERNAL);
    for (CompletableFuture<Outcome> outcome : healthy) {
      assertThat(get(outcome)).isInstanceOf(Outcome.Started.class);
    }
    assertThat(memory.run(id(poisoned))).isEmpty();
    assertThat(commits.commit(start())).isInstanceOf(Outcome.Started.class);
  }

  @Test
  void aStoreThatThrowsAnythingDoesNotStopTheCommits() {
    Command.Start odd = start();
    store.poison(command -> command.equals(odd), new IllegalStateException("odd"));
    assertThatThrownBy(() -> commits.commit(odd))
        .isInstanceOf(PawlException.class)
        .hasMessageContaining("odd");
    assertThat(commits.commit(start())).isInstanceOf(Outcome.Started.class);
  }

  @Test
  void aFailedCommitOfOneIsNotRepeated() {
    store.failNext();
    Command.Start start = start();
    assertThatThrownBy(() -> commits.commit(start))
        .isInstanceOfSatisfying(
            PawlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
    assertThat(store.commits()).isEqualTo(1);
    assertThat(memory.run(id(start))).isEmpty();
  }

  @Test
  void aBatchThatFailedBecauseOfTheStoreIsTriedOneByOne() throws Exception {
    FaultyStore.Gate gate = store.blockNext();
    commits.submit(start());
    gate.awaitArrival();
    store.failNext().pass(1).failNext();
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      outcomes.add(commits.submit(start()));
    }
    gate.open();
    assertThat(get(outcomes.get(0))).isInstanceOf(Outcome.Started.class);
    assertThat(code(outcomes.get(1))).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
    assertThat(get(outcomes.get(2))).isInstanceOf(Outcome.Started.class);
  }

  @Test
  void closingCommitsWhatWasHandedInBeforeAndRefusesTheRest() throws Exception {
    FaultyStore.Gate gate = store.blockNext();
    CompletableFuture<Outcome> underWay = commits.submit(start());
    gate.awaitArrival();
    CompletableFuture<Outcome> queued = commits.submit(start());
    Thread closing = Thread.ofPlatform().start(commits::close);
    awaitState(closing, Thread.State.WAITING);
    CompletableFuture<Outcome> late = commits.submit(start());
    gate.open();
    closing.join();
    assertThat(get(underWay)).isInstanceOf(Outcome.Started.class);
    assertThat(get(queued)).isInstanceOf(Outcome.Started.class);
    assertThat(code(late)).isEqualTo(ErrorCode.CLOSED);
    assertThatThrownBy(() -> commits.commit(start()))
        .isInstanceOfSatisfying(
            PawlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    assertThat(store.commands()).isEqualTo(2);
  }

  @Test
  void everythingHandedInWhileClosingIsEitherCommittedOrRefused() throws Exception {
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
    CountDownLatch some = new CountDownLatch(100);
    Thread producer =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; i < 3000; i++) {
                outcomes.add(commits.submit(start()));
                some.countDown();
              }
            });
    some.await();
    commits.close();
    producer.join();
    long done = 0;
    for (CompletableFuture<Outcome> outcome : outcomes) {
      try {
        get(outcome);
        done++;
      } catch (ExecutionException e) {
        assertThat(e.getCause()).hasMessageContaining("closed");
      } catch (TimeoutException e) {
        throw new AssertionError("a command was forgotten", e);
      }
    }
    assertThat(done).isBetween(1L, 3000L).isEqualTo(store.commands());
  }

  @Test
  void anInterruptedCallerStillGetsItsOutcome() throws Exception {
    FaultyStore.Gate gate = store.blockNext();
    AtomicReference<Outcome> outcome = new AtomicReference<>();
    AtomicBoolean stillInterrupted = new AtomicBoolean();
    Thread caller =
        Thread.ofPlatform()
            .start(() -> {
              outcome.set(commits.commit(start()));
              stillInterrupted.set(Thread.currentThread().isInterrupted());
            });
    gate.awaitArrival();
    caller.interrupt();
    gate.open();
    caller.join();
    assertThat(outcome.get()).isInstanceOf(Outcome.Started.class);
    assertThat(stillInterrupted).isTrue();
  }

  @Test
  void aCallerInterruptedBeforeItAsksStillGetsItsOutcome() {
    Thread.currentThread().interrupt();
    Outcome outcome = commits.commit(start());
    assertThat(Thread.interrupted()).isTrue();
    assertThat(outcome).isInstanceOf(Outcome.Started.class);
  }

  @Test
  void aBrokenCommandIsAnExceptionForItsCallerAlone() {
    assertThatThrownBy(() ->
            commits.commit(
                new Command.Transact(StoreFixture.newRun().id(), 1, 1, resource -> null)))
        .isInstanceOfSatisfying(
            PawlException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED);
              assertThat(e.getStackTrace())
                  .as("the caller finds itself in the stack")
                  .anyMatch(frame -> frame.getClassName().equals(GroupCommitTest.class.getName()));
            });
  }

  @Test
  void aKeyThatIsTakenIsAnOutcome() {
    Command.Start first = new Command.Start(StoreFixture.newRun().withKey("k"));
    commits.commit(first);
    Outcome second =
        commits.commit(new Command.Start(StoreFixture.newRun().withKey("k"), Optional.empty()));
    assertThat(StoreFixture.as(Outcome.AlreadyStarted.class, second).run().id())
        .isEqualTo(id(first));
  }
}
