package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.newChild;
import static dev.pawl.testkit.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.blob.Blob;
import dev.pawl.log.Bond;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.testkit.Turn;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A run that says how long it is kept is removed by the purge when that time is over. */
abstract class TimeToLiveContract extends Area {
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration MONTH = Duration.ofDays(30);
  private static final Duration DAY = Duration.ofHours(24);
  private static final Duration LONGEST = Duration.ofDays(365_000);

  private int purge() {
    return store.purge(MONTH, DAY, 100).runs();
  }

  private Turn begin() {
    return store.begin(newRun().withTtl(TTL));
  }

  private Turn ended() {
    Turn turn = begin();
    turn.succeed();
    return turn;
  }

  private void assertGone(RunId id) {
    assertThat(store.store().run(id)).isEmpty();
    assertThat(store.log(id)).isEmpty();
    assertThat(store.mail(id)).isEmpty();
  }

  private void assertKept(RunId id) {
    assertThat(store.store().run(id)).isPresent();
    assertThat(store.log(id)).isNotEmpty();
  }

  @Test
  void theRowAndTheLogSayHowLongItIsKept() {
    Turn turn = begin();
    assertThat(store.run(turn.id()).ttl()).contains(TTL);
    assertThat(store.run(turn.id()).expiry()).isEmpty();

    turn.succeed();
    reopen();

    Run run = store.run(turn.id());
    assertThat(run.ttl()).contains(TTL);
    assertThat(run.expiry()).contains(store.now().plus(TTL));
    assertThat(((Event.Created) store.log(run.id()).getFirst().event()).ttl()).contains(TTL);
    assertThat(store.run(store.start()).ttl()).isEmpty();
  }

  @Test
  void itIsKeptUntilItsTimeIsOverAndRemovedAtThatMillisecond() {
    Turn turn = ended();
    Turn other = store.begin();
    other.succeed();
    store.clock().advance(TTL.minusMillis(1));

    assertThat(purge()).isZero();
    assertKept(turn.id());

    store.clock().advanceMillis(1);
    assertThat(purge()).isEqualTo(1);
    assertGone(turn.id());
    assertKept(other.id());
    assertThat(purge()).isZero();
  }

  @Test
  void whatIsFinerThanAMillisecondIsRoundedUp() {
    Turn turn = store.begin(newRun().withTtl(Duration.ofNanos(1_000_001)));
    turn.succeed();
    assertThat(store.run(turn.id()).ttl()).contains(Duration.ofMillis(2));
    store.clock().advanceMillis(1);
    assertThat(purge()).isZero();
    store.clock().advanceMillis(1);
    assertThat(purge()).isEqualTo(1);
  }

  @Test
  void itGoesHoweverItEnded() {
    begin().fail("BROKEN");
    store.cancel(store.start(newRun().withTtl(TTL)));
    ended();
    store.clock().advance(TTL);

    assertThat(purge()).isEqualTo(3);
  }

  @Test
  void aRunThatHasNotEndedIsNeverRemoved() {
    Turn suspended = begin();
    suspended.suspendFor(Turn.signal("go"));
    Turn retried = begin();
    retried.retryIn(MONTH);
    RunId pending = store.start(newRun().withTtl(TTL));
    Turn running = begin();
    store.clock().advance(MONTH.multipliedBy(2));

    assertThat(purge()).isZero();
    for (RunId id : List.of(suspended.id(), retried.id(), pending, running.id())) {
      assertKept(id);
    }
  }

  @Test
  void oneThatIsReopenedBeginsItsTimeAnewAtItsNextEnd() {
    Turn turn = begin();
    turn.fail("BROKEN");
    store.clock().advance(TTL.multipliedBy(2));
    store.retry(turn.id());
    assertThat(store.run(turn.id()).expiry()).isEmpty();

    assertThat(purge()).isZero();
    store.claimOne().succeed();
    store.clock().advance(TTL.minusMillis(1));
    assertThat(purge()).isZero();
    store.clock().advanceMillis(1);
    assertThat(purge()).isEqualTo(1);
    assertGone(turn.id());
  }

  @Test
  void oneThatIsTakenBackAfterItsTimeGoesOn() {
    Turn turn = ended();
    store.clock().advance(TTL);
    store.rewind(turn.id(), 0);

    assertThat(purge()).isZero();
    assertThat(store.run(turn.id()).status()).isEqualTo(Status.PENDING);
  }

  @Test
  void ofTwoReasonsToRemoveItTheEarlierCounts() {
    Turn expiring = ended();
    store.delete(expiring.id());
    Turn lasting = store.begin(newRun().withTtl(LONGEST));
    lasting.succeed();
    store.delete(lasting.id());
    store.clock().advance(TTL);

    assertThat(purge()).isEqualTo(1);
    assertGone(expiring.id());

    store.clock().advance(MONTH);
    assertThat(purge()).isEqualTo(1);
    assertGone(lasting.id());
  }

  @Test
  void bothReasonsAtOnceRemoveItOnce() {
    Turn turn = ended();
    store.delete(turn.id());
    store.clock().advance(MONTH.multipliedBy(2));

    assertThat(purge()).isEqualTo(1);
    assertGone(turn.id());
  }

  @Test
  void theLongestTimeThereIsCanBeKept() {
    Turn turn = store.begin(newRun().withTtl(LONGEST));
    turn.succeed();
    store.clock().advance(MONTH);

    assertThat(purge()).isZero();
    assertThat(store.run(turn.id()).ttl()).contains(LONGEST);
  }

  @Test
  void aChildGoesByItsOwnTimeAndItsParentHasTheOutcome() {
    Turn parent = store.begin();
    NewRun child = newChild(parent.id(), Bond.AWAITED).withTtl(TTL);
    parent.draft(Turn.waiting(Turn.child(child.id()))).starting(child).must();
    store.claimOnly(child.id()).succeed();
    store.clock().advance(TTL);

    assertThat(purge()).isEqualTo(1);

    assertGone(child.id());
    assertThat(store.claimOnly(parent.id()).mail()).hasSize(1);
  }

  @Test
  void aChildOutlivesItsParentsTime() {
    Turn parent = begin();
    NewRun child = newChild(parent.id(), Bond.ABANDONED);
    parent.draft(new Event.Logged(0, "bye")).starting(child).must().succeed();
    store.clock().advance(TTL);

    assertThat(purge()).isEqualTo(1);

    store.claimOnly(child.id()).succeed();
    assertThat(store.run(child.id()).status()).isEqualTo(Status.SUCCEEDED);
  }

  @Test
  void itsKeyIsFreeAgain() {
    store.begin(newRun().withKey("k").withTtl(TTL)).succeed();
    store.expect(Outcome.AlreadyStarted.class, new Command.Start(newRun().withKey("k")));
    store.clock().advance(TTL);
    assertThat(purge()).isEqualTo(1);

    RunId second = store.start(newRun().withKey("k"));

    assertThat(store.store().runByKey("k").map(Run::id)).contains(second);
  }

  @Test
  void itsBlobsGoWithIt() throws IOException {
    Turn turn = begin();
    Blob blob = store.store().blobs().write(turn.id(), out -> out.write(new byte[] {1, 2, 3}));
    turn.succeed();
    store.clock().advance(DAY.plusMillis(1));
    assertThat(store.store().blobs().collect(store.now().minus(DAY))).isZero();
    assertThat(purge()).isEqualTo(1);

    assertThat(store.store().blobs().collect(store.now().minus(DAY)))
        .as("how many went with %s", blob)
        .isEqualTo(1);
  }

  @Test
  void aPurgeRemovesNoMoreThanItWasAllowedOfBothKindsTogether() {
    Turn late = store.begin(newRun().withTtl(TTL.plusMillis(1)));
    late.succeed();
    Turn early = ended();
    for (int i = 0; i < 3; i++) {
      Turn deleted = store.begin();
      deleted.succeed();
      store.delete(deleted.id());
    }
    store.clock().advance(TTL.plusMillis(1));

    assertThat(store.purge(Duration.ZERO, DAY, 2).runs()).isEqualTo(2);
    assertKept(early.id());
    assertThat(store.purge(Duration.ZERO, DAY, 2).runs()).isEqualTo(2);
    assertGone(early.id());
    assertKept(late.id());
    assertThat(store.purge(Duration.ZERO, DAY, 2).runs()).isEqualTo(1);
    assertGone(late.id());
    assertThat(store.purge(Duration.ZERO, DAY, 2).runs()).isZero();
  }

  @Test
  void whoStillHoldsItWhenItIsPurgedInTheSameBatchIsToldThatItIsMissing() {
    Turn turn = store.begin(newRun().withKey("k").withTtl(TTL));
    Command late = turn.draft(new Event.Logged(1, "late")).command();
    turn.succeed();
    store.clock().advance(TTL);

    List<Outcome> outcomes = store.commit(new Command.Purge(MONTH, DAY, 10), late);

    assertThat(outcomes).containsExactly(new Outcome.Purged(1, 0), new Outcome.Missing(turn.id()));
    assertGone(turn.id());
  }

  @Test
  void itMayEndAndBePurgedInOneBatchWithoutHavingBeenSeen() {
    Command end = begin().draft(new Event.Cancelled("enough")).command();
    NewRun brief = newRun().withTtl(Duration.ofMillis(1));

    List<Outcome> outcomes =
        store.commit(
            end,
            new Command.Start(brief, Optional.empty()),
            new Command.Cancel(brief.id(), "enough", false),
            new Command.Purge(MONTH, DAY, 10));
    assertThat(outcomes.getLast()).isEqualTo(new Outcome.Purged(0, 0));

    store.clock().advanceMillis(1);
    outcomes =
        store.commit(new Command.Purge(MONTH, DAY, 10), new Command.Start(brief, Optional.empty()));
    assertThat(outcomes.getFirst()).isEqualTo(new Outcome.Purged(1, 0));
    assertThat(outcomes.getLast()).isInstanceOf(Outcome.Started.class);
    assertThat(store.kinds(brief.id())).containsExactly("created");
  }
}
