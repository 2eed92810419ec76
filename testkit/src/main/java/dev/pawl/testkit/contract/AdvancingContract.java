package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.as;
import static dev.pawl.testkit.StoreFixture.event;
import static dev.pawl.testkit.StoreFixture.newChild;
import static dev.pawl.testkit.StoreFixture.newRun;
import static dev.pawl.testkit.StoreFixture.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.testkit.Turn;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Advancing a run, and who may not. */
abstract class AdvancingContract extends Area {

  @Test
  void aCheckpointIsAppendedWithItsTimeAndEpoch() {
    Turn turn = store.begin();
    store.clock().advanceMillis(7);

    Outcome outcome = turn.write(Turn.step("one"));

    assertThat(as(Outcome.Advanced.class, outcome).at()).isEqualTo(store.now());
    assertThat(store.log(turn.id()).getLast())
        .isEqualTo(new Entry(3, store.now(), turn.epoch(), Turn.step("one")));
  }

  @Test
  void aCheckpointLeavesTheRowUntouched() {
    Turn turn = store.begin();
    Run before = store.run(turn.id());
    store.clock().advanceMillis(7);

    turn.checkpoint("one").checkpoint("two");

    assertThat(store.run(turn.id())).isEqualTo(before);
  }

  @Test
  void severalEventsOfOneAdvanceKeepTheirOrder() {
    Turn turn = store.begin();

    turn.must(Turn.step("a"), new Event.Logged(1, "b"), new Event.TimerFired(2), Turn.step("c"));

    assertThat(store.kinds(turn.id()))
        .containsExactly(
            "created", "leased", "step.completed", "logged", "timer.fired", "step.completed");
  }

  @Test
  void successKeepsTheResult() {
    Turn turn = store.begin();
    store.clock().advanceMillis(5);

    turn.succeed(Json.string("done"));

    Run run = store.run(turn.id());
    assertThat(run.status()).isEqualTo(Status.SUCCEEDED);
    assertThat(run.result()).contains(Json.string("done"));
    assertThat(run.finishedAt()).contains(store.now());
    assertThat(run.updatedAt()).isEqualTo(store.now());
    assertThat(run.lease()).isEmpty();
    assertThat(run.due()).isEmpty();
    assertThat(run.epoch()).isGreaterThan(turn.epoch());
  }

  @Test
  void aResultMayBeNull() {
    Turn turn = store.begin();

    turn.succeed(Json.NULL);

    assertThat(store.run(turn.id()).result()).contains(Json.NULL);
  }

  @Test
  void failureKeepsTheError() {
    Turn turn = store.begin();
    Failure failure = Failure.of("CARD_REFUSED", "no money").withRetryable(true).atAttempt(1);

    turn.must(new Event.Failed(failure));

    Run run = store.run(turn.id());
    assertThat(run.status()).isEqualTo(Status.FAILED);
    assertThat(run.lastError()).contains(failure);
    assertThat(run.result()).isEmpty();
    assertThat(run.finishedAt()).contains(store.now());
  }

  @Test
  void aProgramMayEndItselfAsCancelled() {
    Turn turn = store.begin();

    turn.must(new Event.CancelRequested(0, "enough"), new Event.Cancelled("enough"));

    Run run = store.run(turn.id());
    assertThat(run.status()).isEqualTo(Status.CANCELLED);
    assertThat(run.cancelling()).contains("enough");
  }

  @Test
  void aRetryIsDueAfterItsBackoffAndCountsAnAttempt() {
    Turn turn = store.begin();

    turn.retryIn(Duration.ofSeconds(2));

    Run run = store.run(turn.id());
    assertThat(run.status()).isEqualTo(Status.PENDING);
    assertThat(run.lastError().map(Failure::code)).contains("OOPS");
    assertThat(run.lease()).isEmpty();
    store.clock().advanceMillis(1999);
    store.assertNothingToClaim();
    store.clock().advanceMillis(1);
    Turn second = store.claimOne();
    assertThat(second.run().attempt()).isEqualTo(2);
    assertThat(second.run().resumed()).isFalse();
  }

  @Test
  void aCancelRequestedIsKnownFromTheRow() {
    Turn turn = store.begin();

    turn.must(new Event.CancelRequested(0, "enough"));

    assertThat(store.run(turn.id()).cancelling()).contains("enough");
    assertThat(store.run(turn.id()).status()).isEqualTo(Status.RUNNING);
  }

  // ---- fencing ----

  @Test
  void aStaleEpochWritesNothing() {
    Turn zombie = store.begin();
    store.clock().advance(StoreFixture.LEASE);
    Turn owner = store.claimOne("other");
    Run row = store.run(zombie.id());

    Outcome outcome =
        store.commitOne(
            new Command.Advance(
                zombie.id(), zombie.epoch(), owner.nextSeq(), 0, List.of(Turn.step("late"))));

    assertFenced(zombie.id(), outcome);
    assertThat(store.run(zombie.id())).isEqualTo(row);
    assertThat(store.kinds(zombie.id())).containsExactly("created", "leased", "leased");
  }

  @Test
  void anEpochFromTheFutureWritesNothing() {
    Turn turn = store.begin();

    Outcome outcome =
        store.commitOne(
            new Command.Advance(
                turn.id(), turn.epoch() + 1, turn.nextSeq(), 0, List.of(Turn.step("odd"))));

    assertFenced(turn.id(), outcome);
    assertThat(store.kinds(turn.id())).containsExactly("created", "leased");
  }

  @Test
  void aZombieIsFencedOnceAnotherHasClaimed() {
    Turn zombie = store.begin();
    store.clock().advance(StoreFixture.LEASE);
    Turn owner = store.claimOne("other");

    assertFenced(zombie.id(), zombie.write(Turn.step("late")));
    assertFenced(zombie.id(), zombie.write(new Event.Succeeded(Json.NULL)));

    owner.checkpoint("mine").succeed(Json.string("mine"));
    assertThat(store.run(zombie.id()).result()).contains(Json.string("mine"));
  }

  @Test
  void aZombieIsFencedThoughItsSuccessorHasAlreadySuspended() {
    Turn zombie = store.begin();
    store.clock().advance(StoreFixture.LEASE);
    store.claimOne("other").suspendFor(Turn.signal("go"));

    assertFenced(zombie.id(), zombie.write(Turn.step("late")));
    assertThat(store.run(zombie.id()).status()).isEqualTo(Status.SUSPENDED);
  }

  @Test
  void anExpiredLeaseThatNobodyTookMayStillWrite() {
    Turn turn = store.begin();
    store.clock().advance(StoreFixture.LEASE.multipliedBy(10));

    turn.checkpoint("slow").succeed();

    assertThat(store.run(turn.id()).status()).isEqualTo(Status.SUCCEEDED);
  }

  @Test
  void aSeqThatIsTakenWritesNothing() {
    Turn turn = store.begin();
    turn.checkpoint("one");

    Outcome outcome =
        store.commitOne(
            new Command.Advance(turn.id(), turn.epoch(), 3, 0, List.of(Turn.step("again"))));

    assertFenced(turn.id(), outcome);
    assertThat(store.log(turn.id())).hasSize(3);
    assertThat(store.lastEvent(turn.id())).isEqualTo(Turn.step("one"));
  }

  @Test
  void theSameAdvanceTwiceIsWrittenOnce() {
    Turn turn = store.begin();
    Command.Advance command = turn.draft(Turn.step("one"), Turn.step("two")).command();

    assertThat(store.commitOne(command)).isInstanceOf(Outcome.Advanced.class);
    assertFenced(turn.id(), store.commitOne(command));

    assertThat(store.log(turn.id())).hasSize(4);
  }

  @Test
  void anAdvanceThatOverlapsInPartWritesNoneOfIt() {
    Turn turn = store.begin();
    turn.checkpoint("one");

    Outcome outcome =
        store.commitOne(
            new Command.Advance(
                turn.id(), turn.epoch(), 3, 0, List.of(Turn.step("x"), Turn.step("y"))));

    assertFenced(turn.id(), outcome);
    assertThat(store.log(turn.id())).hasSize(3);
  }

  @Test
  void aGapWritesNothing() {
    Turn turn = store.begin();

    Outcome outcome =
        store.commitOne(
            new Command.Advance(
                turn.id(), turn.epoch(), turn.nextSeq() + 1, 0, List.of(Turn.step("far"))));

    assertFenced(turn.id(), outcome);
    assertThat(store.log(turn.id())).hasSize(2);
  }

  @Test
  void nothingIsWrittenAfterTheEnd() {
    Turn turn = store.begin();
    turn.succeed(Json.string("first"));

    assertFenced(turn.id(), turn.write(Turn.step("late")));
    assertFenced(turn.id(), turn.write(new Event.Succeeded(Json.string("second"))));
    assertFenced(turn.id(), turn.write(Turn.failed("LATE")));

    assertThat(store.run(turn.id()).result()).contains(Json.string("first"));
    assertThat(store.kinds(turn.id())).containsExactly("created", "leased", "succeeded");
  }

  @Test
  void nothingIsWrittenAfterARewind() {
    Turn turn = store.begin();
    turn.checkpoint("one");
    store.rewind(turn.id(), 0);

    assertFenced(turn.id(), turn.write(Turn.step("late")));
    assertFenced(
        turn.id(),
        store.commitOne(
            new Command.Advance(
                turn.id(), turn.epoch(), turn.nextSeq() + 1, 0, List.of(Turn.step("late")))));

    assertThat(store.lastEvent(turn.id())).isInstanceOf(Event.Rewound.class);
  }

  @Test
  void whoHasSuspendedARunHoldsItNoMore() {
    Turn turn = store.begin();
    turn.suspendFor(Turn.signal("go"));

    assertFenced(turn.id(), turn.write(Turn.step("late")));
    assertFenced(turn.id(), turn.write(new Event.Succeeded(Json.NULL)));

    assertThat(store.kinds(turn.id())).containsExactly("created", "leased", "suspended");
  }

  @Test
  void whoHasGivenARunBackHoldsItNoMore() {
    Turn released = store.begin();
    released.releaseFor(Duration.ofSeconds(1));
    Turn retried = store.begin();
    retried.retryIn(Duration.ofSeconds(1));

    assertFenced(released.id(), released.write(Turn.step("late")));
    assertFenced(retried.id(), retried.write(new Event.Succeeded(Json.NULL)));

    assertThat(store.run(released.id()).status()).isEqualTo(Status.PENDING);
    assertThat(store.run(retried.id()).status()).isEqualTo(Status.PENDING);
  }

  @Test
  void aRunThatWasNeverClaimedCannotBeAdvanced() {
    RunId id = store.start();

    assertFenced(id, store.commitOne(new Command.Advance(id, 0, 2, 0, List.of(Turn.step("odd")))));

    assertThat(store.kinds(id)).containsExactly("created");
  }

  @Test
  void anAdvanceOfNoRunIsMissing() {
    RunId unknown = new RunId(Ids.next());

    Outcome outcome =
        store.commitOne(new Command.Advance(unknown, 1, 2, 0, List.of(Turn.step("odd"))));

    assertThat(outcome).isEqualTo(new Outcome.Missing(unknown));
    assertThat(store.log(unknown)).isEmpty();
  }

  // ---- all or nothing ----

  @Test
  void anAdvanceTakesEffectWhole() {
    RunId friend = store.start("friend.v1");
    RunId id = store.start("me.v1");
    store.send(id, "hello", Json.string("hi"));
    Turn turn = store.claim(1, "me.v1").getFirst();
    NewRun child = newChild(id, Bond.AWAITED);
    Command.Emit emit = event("news", Json.FALSE);
    Mail hello = turn.mail().getFirst();

    turn.draft(Turn.step("one"))
        .consuming(hello)
        .starting(child)
        .sending(signal(friend, "ping", Json.TRUE))
        .emitting(emit)
        .must();

    assertThat(store.mail(id)).isEmpty();
    assertThat(store.run(child.id()).status()).isEqualTo(Status.PENDING);
    assertThat(store.run(child.id()).parent()).contains(id);
    assertThat(store.mail(friend)).hasSize(1);
    assertThat(store.store().emitted(emit.message())).isPresent();
  }

  @Test
  void aFencedAdvanceHasNoEffectAtAll() {
    RunId friend = store.start("friend.v1");
    RunId id = store.start("me.v1");
    store.send(id, "hello");
    Turn zombie = store.claim(1, "me.v1").getFirst();
    store.clock().advance(StoreFixture.LEASE);
    store.claim(1, "me.v1");
    NewRun child = newChild(id, Bond.AWAITED);
    Command.Emit emit = event("news", Json.FALSE);

    Outcome outcome =
        zombie
            .draft(Turn.step("late"))
            .consuming(zombie.mail())
            .starting(child)
            .sending(signal(friend, "ping", Json.TRUE))
            .emitting(emit)
            .commit();

    assertFenced(id, outcome);
    assertThat(store.mail(id)).hasSize(1);
    assertThat(store.store().run(child.id())).isEmpty();
    assertThat(store.mail(friend)).isEmpty();
    assertThat(store.run(friend).wakes()).isZero();
    assertThat(store.store().emitted(emit.message())).isEmpty();
  }

  @Test
  void onlyWhatWasConsumedLeavesTheMailbox() {
    RunId id = store.start();
    store.send(id, "a");
    store.send(id, "b");
    store.send(id, "c");
    Turn turn = store.claimOne();

    turn.draft(Turn.step("one")).consuming(turn.mail().get(1)).must();

    assertThat(store.mail(id)).containsExactly(turn.mail().get(0), turn.mail().get(2));
  }

  @Test
  void aMessageToNobodyDoesNotStopAnAdvance() {
    Turn ended = store.begin();
    ended.succeed();
    Turn turn = store.begin();

    turn.draft(Turn.step("one"))
        .sending(
            signal(new RunId(Ids.next()), "ping", Json.NULL), signal(ended.id(), "ping", Json.NULL))
        .must();

    assertThat(store.mail(ended.id())).isEmpty();
    assertThat(store.log(turn.id())).hasSize(3);
  }

  @Test
  void aChildWhoseKeyIsTakenSpoilsItsAdvanceAndNothingElse() {
    RunId holder = store.start(newRun("other.v1").withKey("k"));
    Turn turn = store.begin();
    Turn neighbour = store.begin();
    NewRun first = newChild(turn.id(), Bond.AWAITED);
    NewRun second = newChild(turn.id(), Bond.AWAITED).withKey("k");

    List<Outcome> outcomes =
        store.commit(
            turn.draft(Turn.step("one")).starting(first, second).command(),
            neighbour.draft(Turn.step("two")).planned());

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Broken.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Advanced.class);
    assertThat(store.log(turn.id())).hasSize(2);
    assertThat(store.store().run(first.id())).isEmpty();
    assertThat(store.store().run(second.id())).isEmpty();
    assertThat(store.store().runByKey("k").map(Run::id)).contains(holder);
  }

  @Test
  void aChildWhoseIdIsTakenSpoilsItsAdvanceAndNothingElse() {
    RunId holder = store.start(newRun("other.v1"));
    Turn turn = store.begin();
    NewRun child = NewRun.of(holder, "child.v1", Json.NULL);

    Outcome outcome = turn.draft(Turn.step("one")).starting(child).commit();

    assertThat(outcome).isInstanceOf(Outcome.Broken.class);
    assertThat(store.run(holder).type()).isEqualTo("other.v1");
    assertThat(store.log(turn.id())).hasSize(2);
  }

  @Test
  void anEventThatCannotFollowSpoilsItsAdvanceAndNothingElse() {
    Turn turn = store.begin();
    Turn neighbour = store.begin();
    Event impossible = store.log(turn.id()).getFirst().event();

    List<Outcome> outcomes =
        store.commit(
            neighbour.draft(Turn.step("before")).planned(),
            turn.draft(Turn.step("one"), impossible).command(),
            neighbour.draft(Turn.step("after")).planned());

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Advanced.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Broken.class);
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Advanced.class);
    assertThat(store.log(turn.id())).hasSize(2);
  }

  // ---- within one batch ----

  @Test
  void severalAdvancesOfOneRunInOneBatchFollowEachOther() {
    Turn turn = store.begin();

    List<Outcome> outcomes =
        store.commit(
            turn.draft(Turn.step("one")).planned(),
            turn.draft(Turn.step("two"), Turn.step("three")).planned(),
            turn.draft(new Event.Succeeded(Json.TRUE)).planned());

    assertThat(outcomes).hasOnlyElementsOfType(Outcome.Advanced.class);
    assertThat(store.kinds(turn.id()))
        .containsExactly(
            "created", "leased", "step.completed", "step.completed", "step.completed", "succeeded");
    assertThat(store.run(turn.id()).status()).isEqualTo(Status.SUCCEEDED);
  }

  @Test
  void ofTwoAdvancesForOneSeqInOneBatchTheFirstWins() {
    Turn turn = store.begin();

    List<Outcome> outcomes =
        store.commit(
            turn.draft(Turn.step("first")).command(), turn.draft(Turn.step("second")).command());

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Advanced.class);
    assertFenced(turn.id(), outcomes.get(1));
    assertThat(store.log(turn.id())).hasSize(3);
    assertThat(store.lastEvent(turn.id())).isEqualTo(Turn.step("first"));
  }

  @Test
  void ofTwoEndsInOneBatchTheFirstWins() {
    Turn turn = store.begin();

    List<Outcome> outcomes =
        store.commit(
            turn.draft(Turn.failed("FIRST")).command(),
            turn.draft(new Event.Succeeded(Json.NULL)).command(),
            turn.draft(new Event.Succeeded(Json.NULL)).planned());

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Advanced.class);
    assertFenced(turn.id(), outcomes.get(1));
    assertFenced(turn.id(), outcomes.get(2));
    assertThat(store.run(turn.id()).status()).isEqualTo(Status.FAILED);
  }

  @Test
  void aFencedAdvanceDoesNotSpoilItsNeighbours() {
    Turn zombie = store.begin();
    store.clock().advance(StoreFixture.LEASE);
    store.claimOne("other");
    Turn left = store.begin();
    Turn right = store.begin();
    NewRun fresh = newRun();

    List<Outcome> outcomes =
        store.commit(
            left.draft(Turn.step("left")).planned(),
            zombie.draft(Turn.step("late")).command(),
            right.draft(new Event.Succeeded(Json.NULL)).planned(),
            new Command.Start(fresh));

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Advanced.class);
    assertFenced(zombie.id(), outcomes.get(1));
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Advanced.class);
    assertThat(outcomes.get(3)).isInstanceOf(Outcome.Started.class);
    assertThat(store.log(left.id())).hasSize(3);
    assertThat(store.run(right.id()).status()).isEqualTo(Status.SUCCEEDED);
    assertThat(store.run(fresh.id()).status()).isEqualTo(Status.PENDING);
  }

  @Test
  void theLogIsReadInPagesFromAnyPlace() {
    Turn turn = store.begin();
    for (int i = 0; i < 8; i++) {
      turn.checkpoint("step-" + i);
    }

    assertThat(store.store().log(turn.id(), 0, 3))
        .extracting(Entry::seq)
        .containsExactly(1L, 2L, 3L);
    assertThat(store.store().log(turn.id(), 8, 100))
        .extracting(Entry::seq)
        .containsExactly(9L, 10L);
    assertThat(store.store().log(turn.id(), 10, 100)).isEmpty();
  }

  private static void assertFenced(RunId run, Outcome outcome) {
    assertThat(as(Outcome.Fenced.class, outcome).run()).isEqualTo(run);
    assertThat(as(Outcome.Fenced.class, outcome).why()).isNotBlank();
  }
}
