package dev.pawl.testkit.contract;

import static dev.pawl.testkit.Turn.orAt;
import static dev.pawl.testkit.Turn.signal;
import static dev.pawl.testkit.Turn.topic;
import static dev.pawl.testkit.Turn.until;
import static dev.pawl.testkit.Turn.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Mail;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.testkit.Turn;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** Suspending, and every way and race to be woken. */
abstract class SuspendingContract extends Area {
  private static final int RACES = 300;

  @Test
  void aSuspendedRunHoldsNothingAndWaits() {
    Turn turn = store.begin();
    store.clock().advanceMillis(3);

    turn.suspendFor(signal("go"));

    Run run = store.run(turn.id());
    assertThat(run.status()).isEqualTo(Status.SUSPENDED);
    assertThat(run.lease()).isEmpty();
    assertThat(run.due()).isEmpty();
    assertThat(run.wakeAfter()).isEqualTo(1);
    assertThat(run.updatedAt()).isEqualTo(store.now());
    store.assertNothingToClaim();
  }

  @Test
  void theSnapshotAndTheWaitsAreOnTheRecord() {
    Turn turn = store.begin();
    Instant moment = store.now().plusSeconds(9);
    Event.Suspended suspended =
        new Event.Suspended(
            Optional.of(moment),
            List.of(signal("go"), topic("news", 4), Turn.child(turn.id())),
            1,
            true,
            Json.parse("{\"frames\":[1,2]}"));

    turn.must(suspended);

    assertThat(store.lastEvent(turn.id())).isEqualTo(suspended);
    assertThat(store.run(turn.id()).cleanup()).isTrue();
  }

  @Test
  void aTimerFiresToTheMillisecond() {
    Turn turn = store.begin();
    turn.suspendUntil(store.now().plusMillis(1000));

    store.clock().advanceMillis(999);
    store.assertNothingToClaim();
    store.clock().advanceMillis(1);

    Turn resumed = store.claimOne();
    assertThat(resumed.id()).isEqualTo(turn.id());
    assertThat(resumed.run().resumed()).isTrue();
    assertThat(resumed.run().attempt()).isEqualTo(1);
  }

  @Test
  void aTimerInThePastIsDueAtOnce() {
    Turn turn = store.begin();

    turn.suspendUntil(store.now().minusMillis(1));

    assertThat(store.claimOne().id()).isEqualTo(turn.id());
  }

  @Test
  void aSignalWakesTheRunThatWaitsForIt() {
    Turn turn = store.begin();
    turn.suspendFor(signal("go"));
    store.clock().advanceMillis(5);

    store.send(turn.id(), "go", Json.string("now"));

    assertThat(store.run(turn.id()).status()).isEqualTo(Status.SUSPENDED);
    assertThat(store.run(turn.id()).due()).contains(store.now());
    Turn resumed = store.claimOne();
    assertThat(resumed.mail()).hasSize(1);
    assertThat(((Mail.Signal) resumed.mail().getFirst()).value()).isEqualTo(Json.string("now"));
  }

  @Test
  void aSignalSentBeforeTheClaimIsInTheMailboxOfTheClaim() {
    RunId id = store.start();
    store.send(id, "go");

    Turn turn = store.claimOne();

    assertThat(turn.signals()).containsExactly("go");
    assertThat(turn.run().wakes()).isEqualTo(1);
  }

  @Test
  void aSignalSentDuringTheTurnMakesTheSuspendedRunDueAtOnce() {
    Turn turn = store.begin();
    store.send(turn.id(), "go");

    turn.suspendFor(signal("go"));

    assertThat(store.claimOne().signals()).containsExactly("go");
  }

  @Test
  void aSignalInTheSameBatchBeforeTheSuspendIsNotLost() {
    Turn turn = store.begin();

    store.commit(
        StoreFixture.signal(turn.id(), "go", Json.NULL),
        turn.draft(waiting(signal("go"))).planned());

    assertThat(store.claimOne().signals()).containsExactly("go");
  }

  @Test
  void aSignalInTheSameBatchAfterTheSuspendIsNotLost() {
    Turn turn = store.begin();

    store.commit(
        turn.draft(waiting(signal("go"))).planned(),
        StoreFixture.signal(turn.id(), "go", Json.NULL));

    assertThat(store.claimOne().signals()).containsExactly("go");
  }

  @Test
  void aRunMaySendToItselfAsItSuspends() {
    Turn turn = store.begin();

    turn.draft(waiting(signal("go")))
        .sending(StoreFixture.signal(turn.id(), "go", Json.NULL))
        .must();

    assertThat(store.claimOne().signals()).containsExactly("go");
  }

  @Test
  void anOldSignalThatTheWriterKnowsOfDoesNotWakeItAgain() {
    RunId id = store.start();
    store.send(id, "other");
    Turn turn = store.claimOne();

    turn.suspendFor(signal("go"));

    store.assertNothingToClaim();
    assertThat(store.mail(id)).hasSize(1);
  }

  @Test
  void theWriterMayKnowOfMessagesThatCameDuringTheTurn() {
    Turn turn = store.begin();
    store.send(turn.id(), "other");

    turn.draft(waiting(signal("go"))).knowing(store.run(turn.id()).wakes()).must();

    store.assertNothingToClaim();
  }

  @Test
  void aMessageDuringTheTurnIsNoticedEvenAfterCheckpoints() {
    Turn turn = store.begin();
    turn.checkpoint("one");
    store.send(turn.id(), "go");
    turn.checkpoint("two");

    turn.suspendFor(signal("go"));

    assertThat(store.claimOne().signals()).containsExactly("go");
  }

  @Test
  void anUnrelatedSignalDoesNotWake() {
    Turn turn = store.begin();
    turn.suspendFor(signal("go"));

    store.send(turn.id(), "Go");
    store.send(turn.id(), "going");
    store.emit("go");

    store.assertNothingToClaim();
    assertThat(store.mail(turn.id())).hasSize(2);
  }

  @Test
  void everyOneOfSeveralWaitsWakes() {
    for (String name : List.of("a", "b", "c")) {
      Turn turn = store.begin();
      turn.suspendFor(signal("a"), signal("b"), signal("c"));

      store.send(turn.id(), name);

      store.claimOne().succeed();
    }
  }

  @Test
  void noMessageWakesARunThatOnlySleeps() {
    Turn turn = store.begin();
    Instant moment = store.now().plusSeconds(60);
    turn.must(orAt(moment, waiting(0, signal("go"))));

    store.send(turn.id(), "go");

    store.assertNothingToClaim();
    assertThat(store.run(turn.id()).due()).contains(moment);
    store.clock().set(moment);
    assertThat(store.claimOne().signals()).containsExactly("go");
  }

  @Test
  void aRunThatOnlySleepsIsNotWokenByWhatCameDuringItsTurn() {
    Turn turn = store.begin();
    store.send(turn.id(), "go");

    turn.suspendUntil(store.now().plusSeconds(60));

    store.assertNothingToClaim();
  }

  @Test
  void aRunIsWokenOnlyByAsManyMessagesAsItAskedFor() {
    Turn turn = store.begin();
    turn.must(waiting(3, signal("vote")));

    store.send(turn.id(), "vote");
    store.send(turn.id(), "vote");
    store.assertNothingToClaim();
    assertThat(store.run(turn.id()).wakeAfter()).isEqualTo(1);

    store.send(turn.id(), "vote");
    assertThat(store.claimOne().signals()).containsExactly("vote", "vote", "vote");
  }

  @Test
  void unrelatedMessagesDoNotCount() {
    Turn turn = store.begin();
    turn.must(waiting(2, signal("vote")));

    store.send(turn.id(), "vote");
    store.send(turn.id(), "noise");

    store.assertNothingToClaim();
  }

  @Test
  void aDuplicateMessageDoesNotCount() {
    Turn turn = store.begin();
    turn.must(waiting(2, signal("vote")));
    var vote = StoreFixture.signal(turn.id(), "vote", Json.NULL);

    store.commit(vote, vote);

    store.assertNothingToClaim();
    assertThat(store.mail(turn.id())).hasSize(1);
  }

  @Test
  void messagesOfDifferentKindsCountTogether() {
    Turn turn = store.begin();
    turn.must(waiting(2, signal("go"), topic("news", turn.run().since())));

    store.emit("news");
    store.assertNothingToClaim();
    store.send(turn.id(), "go");

    assertThat(store.claimOne().mail()).hasSize(2);
  }

  @Test
  void ofTimerAndMessageTheMessageMayComeFirst() {
    Turn turn = store.begin();
    turn.must(orAt(store.now().plusSeconds(60), waiting(signal("go"))));

    store.clock().advanceMillis(10);
    store.send(turn.id(), "go");

    assertThat(store.run(turn.id()).due()).contains(store.now());
    assertThat(store.claimOne().signals()).containsExactly("go");
  }

  @Test
  void ofTimerAndMessageTheTimerMayComeFirst() {
    Turn turn = store.begin();
    turn.must(orAt(store.now().plusSeconds(60), waiting(signal("go"))));

    store.clock().advanceMillis(60_000);

    assertThat(store.claimOne().mail()).isEmpty();
  }

  @Test
  void aMessageToARunThatIsDueAnywayDoesNotPutItOff() {
    Turn turn = store.begin();
    Instant moment = store.now().plusSeconds(1);
    turn.must(orAt(moment, waiting(signal("go"))));
    store.clock().advanceMillis(5000);

    store.send(turn.id(), "go");

    assertThat(store.run(turn.id()).due()).contains(moment);
  }

  @Test
  void aHundredWakesAreOne() {
    Turn turn = store.begin();
    turn.suspendFor(signal("go"));
    for (int i = 0; i < 100; i++) {
      store.send(turn.id(), "go");
    }

    assertThat(store.claimOne().mail()).hasSize(100);
    store.assertNothingToClaim();
  }

  @Test
  void aWokenRunThatSuspendsAgainIsWokenAgain() {
    Turn turn = store.begin();
    for (int i = 0; i < 5; i++) {
      turn.draft(waiting(signal("go"))).consuming(turn.mail()).must();
      store.assertNothingToClaim();
      store.send(turn.id(), "go");
      turn = store.claimOne();
      assertThat(turn.mail()).hasSize(1);
    }
    assertThat(turn.run().attempt()).isEqualTo(1);
    assertThat(turn.run().wakes()).isEqualTo(5);
  }

  @Test
  void anOldWaitDoesNotWakeTheNextOne() {
    Turn turn = store.begin();
    turn.must(orAt(store.now().plusMillis(1), waiting(signal("old"))));
    store.clock().advanceMillis(1);
    store.claimOne().suspendFor(signal("new"));

    store.send(turn.id(), "old");

    store.assertNothingToClaim();
  }

  @Test
  void aTimerThatWasReplacedDoesNotFire() {
    Turn turn = store.begin();
    turn.must(orAt(store.now().plusSeconds(10), waiting(signal("go"))));
    store.send(turn.id(), "go");
    Turn resumed = store.claimOne();
    resumed.draft(waiting(signal("more"))).consuming(resumed.mail()).must();

    store.clock().advanceMillis(3_600_000);

    store.assertNothingToClaim();
  }

  @Test
  void aCancelWakesASuspendedRunWithCleanupHoweverMuchItWaitsFor() {
    Turn turn = store.begin();
    turn.must(Turn.withCleanup(waiting(50, signal("vote"))));

    store.cancel(turn.id());

    assertThat(store.claimOne().mail()).hasOnlyElementsOfType(Mail.Cancel.class);
  }

  @Test
  void aCancelWakesARunWithCleanupThatOnlySleeps() {
    Turn turn = store.begin();
    turn.must(Turn.withCleanup(until(store.now().plusSeconds(3600))));

    store.cancel(turn.id());

    assertThat(store.claimOne().mail()).hasOnlyElementsOfType(Mail.Cancel.class);
  }

  @Test
  void aCancelSentWhileTheRunSuspendsIsFoundAtOnce() {
    Turn turn = store.begin();
    store.cancel(turn.id());

    turn.suspendUntil(store.now().plusSeconds(3600));

    assertThat(store.claimOne().mail()).hasOnlyElementsOfType(Mail.Cancel.class);
  }

  @Test
  void aSignalSentWhileTheRunSuspendsIsNeverLost() throws Exception {
    CyclicBarrier together = new CyclicBarrier(2);
    Turn turn = store.begin();
    RunId id = turn.id();
    Threads sender =
        Threads.start(
            "sender",
            () -> {
              for (int i = 0; i < RACES; i++) {
                Threads.meet(together);
                store.send(id, "go", Json.number(i));
                Threads.meet(together);
              }
            });
    for (int i = 0; i < RACES; i++) {
      Threads.meet(together);
      turn.draft(waiting(signal("go"))).consuming(turn.mail()).must();
      Threads.meet(together);
      turn = store.claimOne();
      assertThat(turn.mail()).as("race %d", i).hasSize(1);
      assertThat(((Mail.Signal) turn.mail().getFirst()).value()).isEqualTo(Json.number(i));
    }
    sender.join();
  }

  @Test
  void anEventEmittedWhileTheRunSuspendsIsNeverLost() throws Exception {
    CyclicBarrier together = new CyclicBarrier(2);
    Turn turn = store.begin();
    long seen = turn.run().since();
    Threads emitter =
        Threads.start(
            "emitter",
            () -> {
              for (int i = 0; i < RACES; i++) {
                Threads.meet(together);
                store.emit("news", Json.number(i));
                Threads.meet(together);
              }
            });
    for (int i = 0; i < RACES; i++) {
      Threads.meet(together);
      turn.suspendFor(topic("news", seen));
      Threads.meet(together);
      turn = store.claimOne();
      assertThat(turn.mail()).as("race %d", i).hasSize(1);
      seen = turn.mail().getFirst().id();
    }
    emitter.join();
  }
}
