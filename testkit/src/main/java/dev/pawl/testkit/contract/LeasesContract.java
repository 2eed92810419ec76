package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.LEASE;
import static dev.pawl.testkit.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.Decide;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.testkit.Turn;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Leases: renewed, lost, expired, given back; and what a lost one costs. */
abstract class LeasesContract extends Area {

  @Test
  void aLeaseHoldsToTheMillisecond() {
    Turn turn = store.begin();

    store.clock().advance(LEASE.minusMillis(1));
    store.assertNothingToClaim();
    store.clock().advanceMillis(1);

    Turn second = store.claimOne("other");
    assertThat(second.id()).isEqualTo(turn.id());
    assertThat(second.epoch()).isGreaterThan(turn.epoch());
    assertThat(second.run().lease()).contains(new Run.Lease("other", store.now().plus(LEASE)));
  }

  @Test
  void aLeaseLastsAsLongAsWasAskedFor() {
    store.start();
    Command.Claimant claimant = new Command.Claimant("me", Duration.ofMillis(17), 1);
    store.claimed(new Command.Claim(claimant, Routes.of(StoreFixture.TYPE), 1));

    store.clock().advanceMillis(16);
    store.assertNothingToClaim();
    store.clock().advanceMillis(1);
    store.claimOne();
  }

  @Test
  void aRenewedLeaseLastsFromTheRenewal() {
    Turn turn = store.begin();
    store.clock().advance(Duration.ofSeconds(20));

    Outcome.Extended extended = store.extend(turn);

    assertThat(extended.lost()).isEmpty();
    assertThat(extended.cancelled()).isEmpty();
    assertThat(store.run(turn.id()).lease().map(Run.Lease::until))
        .contains(store.now().plus(LEASE));
    store.clock().advance(LEASE.minusMillis(1));
    store.assertNothingToClaim();
    store.clock().advanceMillis(1);
    store.claimOne();
  }

  @Test
  void aRenewalLeavesNoTraceInTheLogAndFencesNobody() {
    Turn turn = store.begin();
    store.clock().advanceMillis(10);

    store.extend(turn);

    assertThat(store.kinds(turn.id())).containsExactly("created", "leased");
    assertThat(store.run(turn.id()).epoch()).isEqualTo(turn.epoch());
    turn.checkpoint("mine").succeed();
  }

  @Test
  void manyLeasesAreRenewedTogether() {
    Turn one = store.begin();
    Turn two = store.begin();
    Turn left = store.begin();
    store.clock().advance(Duration.ofSeconds(20));
    store.extend(one, two);
    store.clock().advance(Duration.ofSeconds(20));

    assertThat(store.claimOne().id()).isEqualTo(left.id());
  }

  @Test
  void anExpiredLeaseThatNobodyTookCanBeRenewed() {
    Turn turn = store.begin();
    store.clock().advance(LEASE.plusSeconds(5));

    assertThat(store.extend(turn).lost()).isEmpty();

    store.assertNothingToClaim();
    turn.succeed();
  }

  @Test
  void aLeaseThatAnotherTookIsLost() {
    Turn turn = store.begin();
    store.clock().advance(LEASE);
    Turn owner = store.claimOne("other");
    Run before = store.run(turn.id());
    store.clock().advanceMillis(5);

    assertThat(store.extend(turn).lost()).containsExactly(turn.id());

    assertThat(store.run(turn.id())).isEqualTo(before);
    assertThat(store.extend(owner).lost()).isEmpty();
  }

  @Test
  void theLeaseOfAnEndedRunIsLost() {
    Turn finished = store.begin();
    finished.succeed();
    Turn suspended = store.begin();
    suspended.suspendFor(Turn.signal("go"));
    Turn retried = store.begin();
    retried.retryIn(Duration.ofSeconds(1));

    Outcome.Extended extended = store.extend(finished, suspended, retried);

    assertThat(extended.lost())
        .containsExactlyInAnyOrder(finished.id(), suspended.id(), retried.id());
    assertThat(store.run(finished.id()).lease()).isEmpty();
    assertThat(store.run(suspended.id()).due()).isEmpty();
    assertThat(store.run(retried.id()).due()).contains(store.now().plusSeconds(1));
  }

  @Test
  void theLeaseOfARewoundRunIsLost() {
    Turn turn = store.begin();
    store.rewind(turn.id(), 0);

    assertThat(store.extend(turn).lost()).containsExactly(turn.id());
    assertThat(store.run(turn.id()).status()).isEqualTo(Status.PENDING);
  }

  @Test
  void theLeaseOfNoRunIsLost() {
    RunId unknown = new RunId(Ids.next());
    Turn turn = store.begin();
    Command.Extend extend =
        new Command.Extend(
            StoreFixture.WORKER, List.of(new Command.Held(unknown, 1), turn.held()), LEASE);

    Outcome.Extended extended = store.expect(Outcome.Extended.class, extend);

    assertThat(extended.lost()).containsExactly(unknown);
  }

  @Test
  void aRenewalTellsWhichRunsWereAskedToCancel() {
    Turn asked = store.begin();
    Turn other = store.begin();
    store.cancel(asked.id());

    Outcome.Extended extended = store.extend(asked, other);

    assertThat(extended.cancelled()).containsExactly(asked.id());
    assertThat(extended.lost()).isEmpty();
  }

  @Test
  void aRunForcedToEndIsLostAndNotCancelled() {
    Turn turn = store.begin();
    store.forceCancel(turn.id());

    Outcome.Extended extended = store.extend(turn);

    assertThat(extended.lost()).containsExactly(turn.id());
    assertThat(extended.cancelled()).isEmpty();
  }

  @Test
  void renewingNothingIsFine() {
    assertThat(store.extend()).isEqualTo(new Outcome.Extended(Set.of(), Set.of()));
  }

  // ---- what a lost lease costs ----

  @Test
  void aLostFirstTurnWithoutProgressCountsAnAttempt() {
    store.begin();
    store.clock().advance(LEASE);

    Turn second = store.claimOne();

    assertThat(second.run().attempt()).isEqualTo(2);
    assertThat(second.run().resumed()).isFalse();
    assertThat(second.run().crashes()).isZero();
  }

  @Test
  void aLostTurnThatHadGotSomewhereIsResumed() {
    Turn first = store.begin();
    first.checkpoint("one");
    store.clock().advance(LEASE);

    Turn second = store.claimOne();

    assertThat(second.run().attempt()).isEqualTo(1);
    assertThat(second.run().resumed()).isTrue();
    assertThat(second.run().crashes()).isZero();
  }

  @Test
  void heartbeatsAreNoProgress() {
    Turn first = store.begin();
    first.must(new Event.Heartbeat(Json.number(50))).must(new Event.Heartbeat(Json.number(60)));
    store.clock().advance(LEASE);

    Turn second = store.claimOne();

    assertThat(second.run().attempt()).isEqualTo(2);
    assertThat(second.run().resumed()).isFalse();
  }

  @Test
  void progressBeforeAHeartbeatIsProgress() {
    Turn first = store.begin();
    first.checkpoint("one").must(new Event.Heartbeat(Json.number(50)));
    store.clock().advance(LEASE);

    assertThat(store.claimOne().run().resumed()).isTrue();
  }

  @Test
  void progressOfAnEarlierTurnIsNoProgressOfThisOne() {
    store.begin().checkpoint("one").suspendUntil(store.now());
    store.claimOne();
    store.clock().advance(LEASE);

    Turn third = store.claimOne();

    assertThat(third.run().resumed()).isTrue();
    assertThat(third.run().crashes()).isEqualTo(1);
  }

  @Test
  void aRunWhoseWorkersDieInEveryAttemptFails() {
    RunId id = store.start(newRun().withMaxAttempts(3));
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(store.claimOne("worker-" + attempt).run().attempt()).isEqualTo(attempt);
      store.clock().advance(LEASE);
    }

    store.assertNothingToClaim();

    Run run = store.run(id);
    assertThat(run.status()).isEqualTo(Status.FAILED);
    assertThat(run.lastError().map(Failure::code)).contains("WORKER_LOST");
    assertThat(run.lastError().orElseThrow().message()).contains("worker-3");
    assertThat(run.lastError().orElseThrow().attempt()).isEqualTo(3);
    assertThat(run.finishedAt()).contains(store.now());
    assertThat(store.lastEvent(id)).isInstanceOf(Event.Failed.class);
  }

  @Test
  void aRunThatIsLostMakesRoomForAnotherInTheSameClaim() {
    store.begin(newRun().withMaxAttempts(1));
    store.clock().advance(LEASE);
    RunId other = store.start();

    List<Turn> turns = store.claim(1);

    assertThat(turns).extracting(Turn::id).containsExactly(other);
  }

  @Test
  void aFailedAttemptAndALostOneAddUp() {
    store.start(newRun().withMaxAttempts(2));
    store.claimOne().retryIn(Duration.ZERO);
    Turn second = store.claimOne();
    assertThat(second.run().attempt()).isEqualTo(2);
    store.clock().advance(LEASE);

    store.assertNothingToClaim();

    assertThat(store.run(second.id()).lastError().map(Failure::code)).contains("WORKER_LOST");
  }

  @Test
  void aResumedRunThatKillsItsWorkersIsPoisoned() {
    RunId id = store.start();
    store.claimOne().suspendUntil(store.now());
    store.claimOne();
    for (int crash = 1; crash < Decide.MAX_CRASHES; crash++) {
      store.clock().advance(LEASE);
      assertThat(store.claimOne().run().crashes()).isEqualTo(crash);
    }
    store.clock().advance(LEASE);

    store.assertNothingToClaim();

    Run run = store.run(id);
    assertThat(run.status()).isEqualTo(Status.FAILED);
    assertThat(run.lastError().map(Failure::code)).contains("POISONED");
    assertThat(run.attempt()).isEqualTo(1);
  }

  @Test
  void progressForgivesTheCrashesBeforeIt() {
    store.begin().suspendUntil(store.now());
    Turn turn = store.claimOne();
    for (int crash = 1; crash < Decide.MAX_CRASHES; crash++) {
      store.clock().advance(LEASE);
      turn = store.claimOne();
    }
    assertThat(turn.run().crashes()).isEqualTo(Decide.MAX_CRASHES - 1);

    turn.checkpoint("progress");

    store.clock().advance(LEASE);
    assertThat(store.claimOne().run().crashes()).isZero();
    store.clock().advance(LEASE);
    assertThat(store.claimOne().run().crashes()).isEqualTo(1);
  }

  @Test
  void aSuspensionForgivesTheCrashesBeforeIt() {
    store.begin().suspendUntil(store.now());
    store.claimOne();
    store.clock().advance(LEASE);
    Turn turn = store.claimOne();
    assertThat(turn.run().crashes()).isEqualTo(1);

    turn.suspendUntil(store.now());

    assertThat(store.claimOne().run().crashes()).isZero();
  }

  // ---- giving back ----

  @Test
  void aReleasedFirstTurnCountsNoAttempt() {
    Turn turn = store.begin();
    store.clock().advanceMillis(1);

    turn.releaseFor(Duration.ofSeconds(5));

    Run run = store.run(turn.id());
    assertThat(run.status()).isEqualTo(Status.PENDING);
    assertThat(run.attempt()).isZero();
    assertThat(run.lease()).isEmpty();
    store.clock().advanceMillis(4999);
    store.assertNothingToClaim();
    store.clock().advanceMillis(1);
    assertThat(store.claimOne().run().attempt()).isEqualTo(1);
  }

  @Test
  void aReleasedRetryCountsNoAttempt() {
    store.begin().retryIn(Duration.ZERO);
    store.claimOne().releaseFor(Duration.ZERO);

    assertThat(store.claimOne().run().attempt()).isEqualTo(2);
  }

  @Test
  void aReleasedResumedTurnIsResumedAgain() {
    store.begin().suspendUntil(store.now());
    Turn resumed = store.claimOne();

    resumed.releaseFor(Duration.ofSeconds(1));

    assertThat(store.run(resumed.id()).status()).isEqualTo(Status.SUSPENDED);
    assertThat(store.run(resumed.id()).attempt()).isEqualTo(1);
    store.clock().advance(Duration.ofSeconds(1));
    assertThat(store.claimOne().run().resumed()).isTrue();
  }

  @Test
  void aRunMayBeReleasedAnyNumberOfTimes() {
    store.start(newRun().withMaxAttempts(1));
    for (int i = 0; i < 10; i++) {
      store.claimOne().releaseFor(Duration.ZERO);
    }

    assertThat(store.claimOne().run().attempt()).isEqualTo(1);
  }
}
