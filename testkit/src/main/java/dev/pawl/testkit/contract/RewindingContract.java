package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.as;
import static dev.pawl.testkit.StoreFixture.newChild;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.testkit.Turn;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What operators do to runs that have ended, and to others. */
abstract class RewindingContract extends Area {

  @Test
  void aFailedRunCanBeRetried() {
    Turn turn = store.begin();
    turn.fail("BROKEN");
    store.clock().advanceMillis(8);

    Command.Rewind retry = new Command.Rewind(turn.id(), Ids.next(), "retry", 0, "again");
    Run run = store.expect(Outcome.Reopened.class, retry).run();

    assertThat(run).isEqualTo(store.run(turn.id()));
    assertThat(run.status()).isEqualTo(Status.PENDING);
    assertThat(run.due()).contains(store.now());
    assertThat(run.attempt()).isZero();
    assertThat(run.finishedAt()).isEmpty();
    assertThat(run.lastError().map(Failure::code)).contains("BROKEN");
    assertThat(store.lastEvent(turn.id()))
        .isEqualTo(new Event.Rewound("retry", 0, store.now(), "again", Optional.of(retry.order())));
  }

  @Test
  void aRetriedRunHasAllItsAttemptsAgain() {
    RunId id = store.start(StoreFixture.newRun().withMaxAttempts(1));
    store.claimOne().fail("BROKEN");
    store.retry(id);

    Turn turn = store.claimOne();

    assertThat(turn.run().attempt()).isEqualTo(1);
    turn.succeed();
    assertThat(store.kinds(id))
        .containsExactly("created", "leased", "failed", "rewound", "leased", "succeeded");
  }

  @Test
  void aCancelledRunCanBeRetriedAndIsNoLongerCancelling() {
    Turn turn = store.begin();
    turn.must(new Event.CancelRequested(0, "enough"), new Event.Cancelled("enough"));

    Run run = store.retry(turn.id());

    assertThat(run.status()).isEqualTo(Status.PENDING);
    assertThat(run.cancelling()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"PENDING", "RUNNING", "SUCCEEDED"})
  void aRunThatIsNotStuckCannotBeRetried(Status status) {
    RunId id = runThatIs(status);
    Run before = store.run(id);

    Outcome.Refused refused =
        store.expect(
            Outcome.Refused.class, new Command.Rewind(id, Ids.next(), "retry", 0, "again"));

    assertThat(refused.run()).isEqualTo(before);
    assertThat(refused.why()).contains(status.word());
    assertThat(store.run(id)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void aRunInAnyStateCanBeRewound(Status status) {
    RunId id = runThatIs(status);
    long epoch = store.run(id).epoch();

    Run run = store.rewind(id, 1);

    assertThat(run.status()).isEqualTo(Status.PENDING);
    assertThat(run.epoch()).isGreaterThan(epoch);
    assertThat(run.lease()).isEmpty();
    assertThat(run.result()).isEmpty();
    assertThat(store.claimOne().run().attempt()).isEqualTo(1);
  }

  @Test
  void aRewindKeepsTheLogAndSaysHowMuchOfItCounts() {
    Turn turn = store.begin();
    turn.checkpoint("one").checkpoint("two").succeed();

    Command.Rewind rewind = new Command.Rewind(turn.id(), Ids.next(), "rewind", 3, "back");
    store.expect(Outcome.Reopened.class, rewind);

    assertThat(store.kinds(turn.id()))
        .containsExactly(
            "created", "leased", "step.completed", "step.completed", "succeeded", "rewound");
    assertThat(store.lastEvent(turn.id())).isEqualTo(rewind.event(store.now()));
  }

  @Test
  void oneOrderReopensOnce() {
    Turn turn = store.begin();
    turn.fail("BROKEN");
    Command.Rewind retry = new Command.Rewind(turn.id(), Ids.next(), "retry", 0, "\"order\":");
    List<Outcome> both = store.commit(retry, retry);
    Run failedAgain = failAgain();

    Outcome late = store.commitOne(retry);

    assertThat(both.get(1)).isEqualTo(both.get(0));
    assertThat(late).isEqualTo(new Outcome.Reopened(failedAgain));
    assertThat(store.run(turn.id())).isEqualTo(failedAgain);
    store.retry(turn.id());
    assertThat(store.run(turn.id()).status()).isEqualTo(Status.PENDING);
  }

  private Run failAgain() {
    Turn turn = store.claimOne();
    turn.fail("AGAIN");
    return store.run(turn.id());
  }

  @Test
  void aRewoundRunningRunFencesItsWorker() {
    Turn zombie = store.begin();
    store.rewind(zombie.id(), 0);

    as(Outcome.Fenced.class, zombie.write(new Event.Succeeded(Json.NULL)));

    Turn owner = store.claimOne();
    as(Outcome.Fenced.class, zombie.write(Turn.step("late")));
    owner.succeed();
  }

  @Test
  void aRewoundRunWaitsForNothing() {
    Turn turn = store.begin();
    turn.suspendFor(Turn.topic("news", 0), Turn.signal("go"));
    store.rewind(turn.id(), 0);

    assertThat(store.emit("news").woken()).isZero();
    assertThat(store.run(turn.id()).wakeAfter()).isZero();
    assertThat(store.claimOne().mail()).isEmpty();
  }

  @Test
  void aRewoundRunKeepsItsMail() {
    Turn turn = store.begin();
    store.send(turn.id(), "go");

    store.rewind(turn.id(), 0);

    assertThat(store.claimOne().signals()).containsExactly("go");
  }

  @Test
  void aSignalIsAcceptedAgainAfterARetry() {
    Turn turn = store.begin();
    turn.fail("BROKEN");
    store.retry(turn.id());

    store.send(turn.id(), "go");

    assertThat(store.claimOne().signals()).containsExactly("go");
  }

  @Test
  void aRetriedChildReportsAgain() {
    Turn parent = store.begin();
    NewRun child = newChild(parent.id(), Bond.AWAITED);
    parent.draft(Turn.waiting(Turn.child(child.id()))).starting(child).must();
    store.claim(1, child.type()).getFirst().fail("BROKEN");
    store.retry(child.id());

    store.claim(1, child.type()).getFirst().succeed();

    assertThat(store.mail(parent.id())).hasSize(2);
  }

  @Test
  void aRewoundRunGoesBeforeFirstStarts() {
    RunId fresh = store.start();
    store.clock().advanceMillis(1);
    Turn turn = store.begin();
    turn.fail("BROKEN");
    store.retry(turn.id());

    assertThat(store.claim(2)).extracting(Turn::id).containsExactly(turn.id(), fresh);
  }

  @Test
  void aRunMayBeRewoundAgainAndAgain() {
    Turn turn = store.begin();
    turn.succeed();
    for (int i = 0; i < 5; i++) {
      store.rewind(turn.id(), 0);
      store.claimOne().succeed(Json.number(i));
    }

    assertThat(store.run(turn.id()).result()).contains(Json.number(4));
  }

  @Test
  void twoRewindsInARowAreFine() {
    RunId id = store.start();

    store.rewind(id, 0);
    store.rewind(id, 0);

    store.claimOne().succeed();
    assertThat(store.run(id).status()).isEqualTo(Status.SUCCEEDED);
  }

  @Test
  void aRewindOfNoRunIsMissing() {
    RunId unknown = new RunId(Ids.next());

    assertThat(store.commitOne(new Command.Rewind(unknown, Ids.next(), "rewind", 0, "back")))
        .isEqualTo(new Outcome.Missing(unknown));
  }

  @Test
  void aDeletedRunCannotBeReopened() {
    Turn turn = store.begin();
    turn.fail("BROKEN");
    store.delete(turn.id());

    store.expect(
        Outcome.Refused.class, new Command.Rewind(turn.id(), Ids.next(), "retry", 0, "again"));
    store.expect(
        Outcome.Refused.class, new Command.Rewind(turn.id(), Ids.next(), "rewind", 0, "back"));

    assertThat(store.run(turn.id()).status()).isEqualTo(Status.FAILED);
  }

  @Test
  void aRetryKeepsTheIdempotencyKey() {
    RunId id = store.start(StoreFixture.newRun().withKey("k"));
    store.claimOne().fail("BROKEN");

    store.retry(id);

    assertThat(store.store().runByKey("k").map(Run::id)).contains(id);
  }

  private RunId runThatIs(Status status) {
    if (status == Status.PENDING) {
      return store.start();
    }
    Turn turn = store.begin();
    switch (status) {
      case PENDING, RUNNING -> turn.checkpoint("one");
      case SUSPENDED -> turn.suspendFor(Turn.signal("go"));
      case SUCCEEDED -> turn.succeed(Json.TRUE);
      case FAILED -> turn.fail("BROKEN");
      case CANCELLED -> store.forceCancel(turn.id());
    }
    store.clock().advance(Duration.ofMillis(1));
    return turn.id();
  }
}
