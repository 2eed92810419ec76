package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.testkit.Turn;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deleting hides; purging removes. */
abstract class DeletingContract extends Area {
  private static final Duration MONTH = Duration.ofDays(30);
  private static final Duration DAY = Duration.ofHours(24);

  @Test
  void aDeletedRunIsNotListedAndNotCountedButCanBeLookedAt() {
    Turn turn = store.begin();
    turn.succeed();
    store.clock().advanceMillis(6);

    store.delete(turn.id());

    assertThat(store.store().list(Query.all())).isEmpty();
    assertThat(store.store().counts()).isEmpty();
    assertThat(store.run(turn.id()).deletedAt()).contains(store.now());
    assertThat(store.kinds(turn.id())).containsExactly("created", "leased", "succeeded");
  }

  @Test
  void aRunThatHasNotEndedCannotBeDeleted() {
    RunId pending = store.start();
    Turn running = store.begin();
    Turn suspended = store.begin();
    suspended.suspendFor(Turn.signal("go"));

    for (RunId id : List.of(pending, running.id(), suspended.id())) {
      Outcome.Refused refused = store.expect(Outcome.Refused.class, new Command.Delete(id));
      assertThat(refused.run()).isEqualTo(store.run(id));
      assertThat(store.run(id).deletedAt()).isEmpty();
    }
  }

  @Test
  void deletingTwiceKeepsTheFirstMoment() {
    Turn turn = store.begin();
    turn.succeed();
    Instant first = store.now();
    store.delete(turn.id());
    store.clock().advanceMillis(100);

    store.delete(turn.id());

    assertThat(store.run(turn.id()).deletedAt()).contains(first);
  }

  @Test
  void aDeleteOfNoRunIsMissing() {
    RunId unknown = new RunId(Ids.next());

    assertThat(store.commitOne(new Command.Delete(unknown)))
        .isEqualTo(new Outcome.Missing(unknown));
  }

  @Test
  void aDeletedRunKeepsItsKeyUntilItIsPurged() {
    NewRun first = newRun().withKey("k");
    store.begin(first).succeed();
    store.delete(first.id());

    store.expect(Outcome.AlreadyStarted.class, new Command.Start(newRun().withKey("k")));
    store.clock().advanceMillis(1);
    store.purge(Duration.ZERO, DAY, 10);

    RunId second = store.start(newRun().withKey("k"));
    assertThat(store.store().runByKey("k").map(Run::id)).contains(second);
  }

  @Test
  void aPurgeRemovesWhatWasDeletedLongEnoughAgoAndNothingElse() {
    Turn old = store.begin();
    old.succeed();
    Turn edge = store.begin();
    edge.succeed();
    Turn kept = store.begin();
    kept.succeed();
    store.delete(old.id());
    store.clock().advanceMillis(1);
    store.delete(edge.id());
    store.clock().advance(MONTH);

    Outcome.Purged purged = store.purge(MONTH, DAY, 100);

    assertThat(purged.runs()).isEqualTo(1);
    assertThat(store.store().run(old.id())).isEmpty();
    assertThat(store.log(old.id())).isEmpty();
    assertThat(store.store().run(edge.id())).isPresent();
    assertThat(store.store().run(kept.id())).isPresent();
    assertThat(store.log(kept.id())).hasSize(3);
  }

  @Test
  void aPurgeRemovesNoMoreThanItWasAllowed() {
    for (int i = 0; i < 5; i++) {
      Turn turn = store.begin();
      turn.succeed();
      store.delete(turn.id());
    }
    store.clock().advanceMillis(1);

    assertThat(store.purge(Duration.ZERO, DAY, 2).runs()).isEqualTo(2);
    assertThat(store.purge(Duration.ZERO, DAY, 2).runs()).isEqualTo(2);
    assertThat(store.purge(Duration.ZERO, DAY, 2).runs()).isEqualTo(1);
    assertThat(store.purge(Duration.ZERO, DAY, 2).runs()).isZero();
  }

  @Test
  void aPurgeWithNothingToDoDoesNothing() {
    RunId id = store.start();
    store.emit("news");

    assertThat(store.purge(MONTH, DAY, 10)).isEqualTo(new Outcome.Purged(0, 0));
    assertThat(store.run(id).status()).isEqualTo(Status.PENDING);
  }

  @Test
  void anIdMayBeUsedAgainAfterItsRunWasPurged() {
    NewRun wanted = newRun();
    store.begin(wanted).checkpoint("one").succeed();
    store.delete(wanted.id());
    store.clock().advanceMillis(1);
    store.purge(Duration.ZERO, DAY, 10);

    store.start(wanted);

    assertThat(store.kinds(wanted.id())).containsExactly("created");
    assertThat(store.claimOne().activation().seq()).isEqualTo(2);
  }

  @Test
  void aSignalToADeletedRunIsRefused() {
    Turn turn = store.begin();
    turn.succeed();
    store.delete(turn.id());

    store.expect(Outcome.Refused.class, new Command.Send(turn.id(), Ids.next(), "go", Json.NULL));
  }
}
