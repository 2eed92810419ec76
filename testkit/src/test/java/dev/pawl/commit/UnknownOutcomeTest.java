package dev.pawl.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.store.Store;
import dev.pawl.store.TypeState;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.FaultyStore;
import dev.pawl.testkit.ManualClock;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A commit whose outcome is unknown is read back, for every kind of command. */
@Timeout(60)
class UnknownOutcomeTest {
  private static final String TYPE = StoreFixture.TYPE;
  private static final String WORKER = "worker-1";
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final MemoryStore memory = new MemoryStore(new ManualClock());
  private final FaultyStore store = new FaultyStore(memory);
  private final GroupCommit commits = new GroupCommit(store);

  @AfterEach
  void close() {
    commits.close();
  }

  /** What happened to the commit that nobody heard of again. */
  enum Fate {
    APPLIED {
      @Override
      void meet(FaultyStore store) {
        store.loseNextAnswer();
      }
    },
    LOST {
      @Override
      void meet(FaultyStore store) {
        store.loseNext();
      }
    },
    LOST_AND_THEN_APPLIED {
      @Override
      void meet(FaultyStore store) {
        store.loseNext().loseNextAnswer();
      }
    };

    abstract void meet(FaultyStore store);

    int commits() {
      return this == APPLIED ? 1 : 2;
    }
  }

  private <T extends Outcome> T commit(Fate fate, Class<T> kind, Command command) {
    int before = store.commits();
    fate.meet(store);
    T outcome = StoreFixture.as(kind, commits.commit(command));
    assertThat(store.commits() - before).isEqualTo(fate.commits());
    return outcome;
  }

  private Command.Claimant claimant(long ticket) {
    return new Command.Claimant(WORKER, LEASE, ticket);
  }

  private Activation begin() {
    return begin(StoreFixture.newRun());
  }

  private Activation begin(NewRun run) {
    Outcome.Started started =
        (Outcome.Started)
            memory.commit(List.of(new Command.Start(run, Optional.of(claimant(1))))).get(0);
    return started.activation().orElseThrow();
  }

  private RunId pending() {
    NewRun run = StoreFixture.newRun();
    memory.commit(List.of(new Command.Start(run)));
    return run.id();
  }

  private static Command.Advance advance(Activation held, Event... events) {
    return new Command.Advance(
        held.run().id(), held.run().epoch(), held.seq() + 1, held.run().wakes(), List.of(events));
  }

  private static Event step(String name) {
    return new Event.StepCompleted(0, name, 0, 1, Json.string("value"), 3);
  }

  private List<Entry> log(RunId id) {
    return memory.log(id, 0, 1000);
  }

  private Run run(RunId id) {
    return memory.run(id).orElseThrow();
  }

  @ParameterizedTest
  @EnumSource
  void aStartIsThereOnce(Fate fate) {
    NewRun wanted = StoreFixture.newRun().withKey("once");
    Outcome.Started started = commit(fate, Outcome.Started.class, new Command.Start(wanted));
    assertThat(started.run()).isEqualTo(run(wanted.id()));
    assertThat(started.activation()).isEmpty();
    assertThat(log(wanted.id())).hasSize(1);
  }

  @Test
  void aStartWhoseKeyIsTakenIsToldSo() {
    NewRun first = StoreFixture.newRun().withKey("once");
    memory.commit(List.of(new Command.Start(first)));
    NewRun second = StoreFixture.newRun().withKey("once");
    store.loseNextAnswer();
    Outcome outcome = commits.commit(new Command.Start(second));
    assertThat(StoreFixture.as(Outcome.AlreadyStarted.class, outcome).run().id())
        .isEqualTo(first.id());
  }

  @ParameterizedTest
  @EnumSource
  void aStartWithAClaimantGivesTheLeasedRun(Fate fate) {
    NewRun wanted = StoreFixture.newRun();
    Outcome.Started started =
        commit(fate, Outcome.Started.class, new Command.Start(wanted, Optional.of(claimant(7))));
    Activation activation = started.activation().orElseThrow();
    assertThat(activation.run()).isEqualTo(run(wanted.id()));
    assertThat(activation.seq()).isEqualTo(2);
    assertCanBeAdvanced(activation);
  }

  @ParameterizedTest
  @EnumSource
  void aForkWithAClaimantGivesTheLeasedRun(Fate fate) {
    NewRun wanted =
        StoreFixture.newRun()
            .withOrigin(new NewRun.Origin(pending(), 0, List.of(step("a"), step("b"))));
    Outcome.Started started =
        commit(fate, Outcome.Started.class, new Command.Start(wanted, Optional.of(claimant(7))));
    Activation activation = started.activation().orElseThrow();
    assertThat(activation.seq()).isEqualTo(4);
    assertCanBeAdvanced(activation);
  }

  private void assertCanBeAdvanced(Activation held) {
    assertThat(memory.commit(List.of(advance(held, step("next")))).get(0))
        .isInstanceOf(Outcome.Advanced.class);
  }

  @Test
  void aStartWithAClaimantThatWasNotDueIsNotTakenForLeased() {
    NewRun wanted = StoreFixture.newRun().withDelay(Duration.ofHours(1));
    Outcome.Started started =
        commit(
            Fate.APPLIED,
            Outcome.Started.class,
            new Command.Start(wanted, Optional.of(claimant(7))));
    assertThat(started.activation()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aClaimGivesTheRunsItLeased(Fate fate) {
    List<RunId> wanted = List.of(pending(), pending(), pending());
    memory.commit(
        List.of(new Command.Send(wanted.get(1), Ids.next(), "hello", Json.string("you"))));
    begin();
    Outcome.Claimed claimed =
        commit(fate, Outcome.Claimed.class, new Command.Claim(claimant(2), Routes.of(TYPE), 10));
    assertThat(claimed.activations())
        .extracting(a -> a.run().id())
        .containsExactlyInAnyOrderElementsOf(wanted);
    for (Activation activation : claimed.activations()) {
      assertThat(activation.run().epoch()).isEqualTo(1);
      assertThat(activation.mail()).hasSize(activation.run().id().equals(wanted.get(1)) ? 1 : 0);
      assertCanBeAdvanced(activation);
    }
  }

  @Test
  void aClaimThatFoundNothingIsMadeAgain() {
    RunId wanted = pending();
    store.loseNext();
    Outcome.Claimed claimed =
        StoreFixture.as(
            Outcome.Claimed.class,
            commits.commit(new Command.Claim(claimant(2), Routes.of(TYPE), 10)));
    assertThat(claimed.activations()).extracting(a -> a.run().id()).containsExactly(wanted);
  }

  @ParameterizedTest
  @EnumSource
  void anAdvanceIsThereOnce(Fate fate) {
    Activation held = begin();
    NewRun child = StoreFixture.newChild(held.run().id(), Bond.AWAITED);
    RunId other = pending();
    Command.Advance advance =
        new Command.Advance(
            held.run().id(),
            held.run().epoch(),
            held.seq() + 1,
            held.run().wakes(),
            List.of(step("a"), step("b")),
            List.of(),
            List.of(child),
            List.of(StoreFixture.signal(other, "hello", Json.NULL)),
            List.of(StoreFixture.event("topic", Json.NULL)));
    commit(fate, Outcome.Advanced.class, advance);
    assertThat(log(held.run().id()))
        .extracting(Entry::event)
        .endsWith(step("a"), step("b"))
        .hasSize(4);
    assertThat(memory.run(child.id())).isPresent();
    assertThat(memory.mail(other)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void theEndOfARunIsThereOnce(Fate fate) {
    Activation held = begin();
    commit(fate, Outcome.Advanced.class, advance(held, new Event.Succeeded(Json.string("done"))));
    assertThat(run(held.run().id()).status()).isEqualTo(Status.SUCCEEDED);
    assertThat(log(held.run().id())).hasSize(3);
  }

  @Test
  void anAdvanceThatSomebodyElseWasBeforeIsFenced() {
    Activation held = begin();
    memory.commit(List.of(advance(held, step("mine"))));
    store.loseNext();
    assertThat(commits.commit(advance(held, step("stale")))).isInstanceOf(Outcome.Fenced.class);
    assertThat(log(held.run().id())).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource
  void aSignalIsInTheMailboxOnce(Fate fate) {
    RunId to = pending();
    commit(fate, Outcome.Sent.class, StoreFixture.signal(to, "go", Json.string("x")));
    assertThat(memory.mail(to)).hasSize(1);
    assertThat(run(to).wakes()).isEqualTo(1);
  }

  @Test
  void aSignalThatWasConsumedMeanwhileIsNotSentAgain() {
    Activation held = begin();
    Command.Send send = StoreFixture.signal(held.run().id(), "go", Json.string("x"));
    Store meanwhile = new Meanwhile(store, () -> consume(held));
    try (GroupCommit others = new GroupCommit(meanwhile)) {
      store.loseNextAnswer();
      assertThat(others.commit(send)).isInstanceOf(Outcome.Sent.class);
    }
    assertThat(memory.mail(held.run().id())).isEmpty();
    assertThat(log(held.run().id())).hasSize(3);
  }

  private void consume(Activation held) {
    RunId id = held.run().id();
    for (Mail mail : memory.mail(id)) {
      if (mail instanceof Mail.Signal got) {
        Event event = new Event.SignalReceived(0, got.name(), got.message(), got.value());
        memory.commit(
            List.of(
                new Command.Advance(
                    id,
                    held.run().epoch(),
                    held.seq() + 1,
                    0,
                    List.of(event),
                    List.of(got.id()),
                    List.of(),
                    List.of(),
                    List.of())));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEventIsEmittedOnce(Fate fate) {
    Command.Emit emit = StoreFixture.event("news", Json.string("x"));
    Outcome.Emitted emitted = commit(fate, Outcome.Emitted.class, emit);
    assertThat(memory.emitted(emit.message()).orElseThrow().id()).isEqualTo(emitted.position());
    Outcome.Emitted next =
        (Outcome.Emitted) commits.commit(StoreFixture.event("news", Json.string("y")));
    assertThat(next.position()).isEqualTo(emitted.position() + 1);
  }

  @ParameterizedTest
  @EnumSource
  void aCancelOfAPendingRunEndsItOnce(Fate fate) {
    RunId id = pending();
    Outcome.CancelTaken taken =
        commit(fate, Outcome.CancelTaken.class, new Command.Cancel(id, "enough", false));
    assertThat(taken.run().status()).isEqualTo(Status.CANCELLED);
    assertThat(log(id)).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void aCancelOfARunningRunIsInItsMailboxOnce(Fate fate) {
    Activation held = begin();
    commit(fate, Outcome.CancelTaken.class, new Command.Cancel(held.run().id(), "enough", false));
    assertThat(memory.mail(held.run().id())).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void aRewindHappensOnce(Fate fate) {
    Activation held = begin();
    memory.commit(List.of(advance(held, step("a"), new Event.Succeeded(Json.NULL))));
    Outcome.Reopened reopened =
        commit(
            fate,
            Outcome.Reopened.class,
            new Command.Rewind(held.run().id(), Ids.next(), "rewind", 1, "again"));
    assertThat(reopened.run().status()).isEqualTo(Status.PENDING);
    assertThat(
            log(held.run().id()).stream().map(Entry::event).filter(Event.Rewound.class::isInstance))
        .hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"APPLIED", "LOST"})
  void whatDoesNoHarmTwiceIsSimplyRepeated(Fate fate) {
    Activation held = begin();
    fate.meet(store);
    Outcome extended =
        commits.commit(
            new Command.Extend(
                WORKER, List.of(new Command.Held(held.run().id(), held.run().epoch())), LEASE));
    assertThat(StoreFixture.as(Outcome.Extended.class, extended).lost()).isEmpty();
    fate.meet(store);
    assertThat(commits.commit(new Command.Configure(TypeState.paused(TYPE))))
        .isInstanceOf(Outcome.Done.class);
    assertThat(memory.types()).hasSize(1);
    memory.commit(List.of(advance(held, new Event.Succeeded(Json.NULL))));
    fate.meet(store);
    assertThat(commits.commit(new Command.Delete(held.run().id())))
        .isInstanceOf(Outcome.Done.class);
    fate.meet(store);
    assertThat(commits.commit(new Command.Purge(Duration.ZERO, Duration.ZERO, 10)))
        .isInstanceOf(Outcome.Purged.class);
  }

  @Test
  void everyCommandOfALostBatchIsCarriedOutOnceAndInOrder() {
    Activation held = begin();
    FaultyStore.Gate gate = store.blockNext();
    commits.submit(new Command.Start(StoreFixture.newRun()));
    gate.awaitArrival();
    store.loseNext();
    CompletableFuture<Outcome> one = commits.submit(advance(held, step("one")));
    Activation later = new Activation(held.run(), held.seq() + 1, held.mail(), held.now());
    CompletableFuture<Outcome> two = commits.submit(advance(later, step("two")));
    CompletableFuture<Outcome> three =
        commits.submit(StoreFixture.signal(held.run().id(), "s", Json.NULL));
    gate.open();
    assertThat(one.join()).isInstanceOf(Outcome.Advanced.class);
    assertThat(two.join()).isInstanceOf(Outcome.Advanced.class);
    assertThat(three.join()).isInstanceOf(Outcome.Sent.class);
    assertThat(log(held.run().id())).extracting(Entry::event).endsWith(step("one"), step("two"));
  }

  @Nested
  class WhenTheReadBackFails {
    private final AtomicInteger reads = new AtomicInteger();

    private GroupCommit reading(int failures, RuntimeException thrown) {
      return new GroupCommit(
          new Meanwhile(
              store,
              () -> {
                if (reads.incrementAndGet() <= failures) {
                  throw thrown;
                }
              }));
    }

    private static PawlException unavailable() {
      return new PawlException(ErrorCode.STORE_UNAVAILABLE, "no reading today");
    }

    @Test
    void itIsTriedAFewTimes() {
      try (GroupCommit others = reading(3, unavailable())) {
        store.loseNextAnswer();
        assertThat(others.commit(new Command.Start(StoreFixture.newRun())))
            .isInstanceOf(Outcome.Started.class);
        assertThat(store.commits()).isEqualTo(1);
      }
    }

    @Test
    void theCallerIsToldThatNobodyKnows() {
      NewRun wanted = StoreFixture.newRun();
      try (GroupCommit others = reading(Integer.MAX_VALUE, unavailable())) {
        store.loseNextAnswer();
        assertThatThrownBy(() -> others.commit(new Command.Start(wanted)))
            .hasMessageContaining("Start")
            .hasMessageContaining("no reading today")
            .isInstanceOfSatisfying(
                PawlException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_OUTCOME));
        assertThat(store.commits()).as("never repeated blindly").isEqualTo(1);
        assertThat(memory.run(wanted.id())).isPresent();
      }
    }

    @Test
    void aReadThatThrowsAnythingDoesNotStopTheCommits() {
      try (GroupCommit others = reading(5, new IllegalStateException("odd"))) {
        store.loseNext();
        assertThatThrownBy(() -> others.commit(new Command.Start(StoreFixture.newRun())))
            .isInstanceOf(PawlException.class);
        assertThat(others.commit(new Command.Start(StoreFixture.newRun())))
            .isInstanceOf(Outcome.Started.class);
      }
    }
  }

  @Test
  void aRepeatedCommandThatFailsIsAFailureLikeAnyOther() {
    store.loseNext().failNext();
    assertThatThrownBy(() -> commits.commit(new Command.Start(StoreFixture.newRun())))
        .isInstanceOfSatisfying(
            PawlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
  }
}
