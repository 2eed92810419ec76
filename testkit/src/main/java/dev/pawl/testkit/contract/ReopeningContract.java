package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.newChild;
import static dev.pawl.testkit.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Count;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.TypeState;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.testkit.Turn;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Closing a store and opening it again: what was acknowledged is there. For a store that keeps
 * nothing, reopening does nothing and these tests say little.
 */
abstract class ReopeningContract extends Area {

  @Test
  void runsInEveryStateSurvive() {
    store.start(newRun().withKey("k").withTags(Map.of("a", "b")).withDelay(Duration.ofDays(1)));
    store.begin().checkpoint("one");
    store.begin().must(Turn.withCleanup(Turn.waiting(3, Turn.signal("go"))));
    store.begin().succeed(Json.string("done"));
    store.begin().fail("BROKEN");
    store.cancel(store.start());
    List<Run> before = store.store().list(Query.all());
    List<List<Entry>> logs = before.stream().map(run -> store.log(run.id())).toList();
    List<Count> counts = store.store().counts();

    reopen();

    assertThat(store.store().list(Query.all())).isEqualTo(before);
    assertThat(before.stream().map(run -> store.log(run.id())).toList()).isEqualTo(logs);
    assertThat(store.store().counts()).containsExactlyInAnyOrderElementsOf(counts);
    assertThat(store.store().runByKey("k")).isPresent();
  }

  @Test
  void aKeyStaysTaken() {
    RunId id = store.start(newRun().withKey("k"));

    reopen();

    Outcome.AlreadyStarted outcome =
        store.expect(Outcome.AlreadyStarted.class, new Command.Start(newRun().withKey("k")));
    assertThat(outcome.run().id()).isEqualTo(id);
  }

  @Test
  void aLeaseSurvivesAndItsOwnerMayGoOn() {
    Turn turn = store.begin();
    turn.checkpoint("one");

    reopen();

    store.assertNothingToClaim();
    assertThat(store.extend(turn).lost()).isEmpty();
    turn.checkpoint("two").succeed();
  }

  @Test
  void aZombieStaysFenced() {
    Turn zombie = store.begin();
    store.clock().advance(StoreFixture.LEASE);
    store.claimOne("other");

    reopen();

    assertThat(zombie.write(Turn.step("late"))).isInstanceOf(Outcome.Fenced.class);
  }

  @Test
  void mailAndItsOrderSurvive() {
    RunId id = store.start();
    store.send(id, "a");
    store.send(id, "b");
    List<Mail> before = store.mail(id);

    reopen();

    assertThat(store.mail(id)).isEqualTo(before);
    store.send(id, "c");
    assertThat(store.claimOne().signals()).containsExactly("a", "b", "c");
  }

  @Test
  void waitsSurvive() {
    Turn signalled = store.begin();
    signalled.must(Turn.waiting(2, Turn.signal("go")));
    store.send(signalled.id(), "go");
    Turn subscribed = store.begin();
    subscribed.suspendFor(Turn.topic("news", subscribed.run().since()));
    Turn parent = store.begin();
    NewRun child = newChild(parent.id(), Bond.AWAITED);
    parent.draft(Turn.waiting(Turn.child(child.id()))).starting(child).must();
    Turn sleeping = store.begin();
    sleeping.suspendUntil(store.now().plusMillis(1000));

    reopen();

    store.send(signalled.id(), "go");
    assertThat(store.claim(9, StoreFixture.TYPE))
        .extracting(Turn::id)
        .containsExactly(signalled.id());
    assertThat(store.emit("news").woken()).isEqualTo(1);
    assertThat(store.claim(9, StoreFixture.TYPE))
        .extracting(Turn::id)
        .containsExactly(subscribed.id());
    store.claim(1, child.type()).getFirst().succeed();
    assertThat(store.claim(9, StoreFixture.TYPE)).extracting(Turn::id).containsExactly(parent.id());
    store.clock().advanceMillis(1000);
    assertThat(store.claim(9, StoreFixture.TYPE))
        .extracting(Turn::id)
        .containsExactly(sleeping.id());
  }

  @Test
  void topicEventsAndTheirPositionsSurvive() {
    Turn turn = store.begin();
    Command.Emit emit = StoreFixture.event("news", Json.TRUE);
    long position = store.expect(Outcome.Emitted.class, emit).position();

    reopen();

    assertThat(store.store().emitted(emit.message()).map(Mail.Topic::id)).contains(position);
    assertThat(store.emit("news").position()).isGreaterThan(position);
    turn.suspendFor(Turn.topic("news", turn.run().since()));
    assertThat(store.claimOne().mail()).hasSize(2);
  }

  @Test
  void positionsGoOnGrowingAfterAPurgeAndAReopen() {
    long position = store.emit("news").position();
    store.clock().advanceMillis(1);
    store.purge(Duration.ZERO, Duration.ZERO, 10);

    reopen();

    assertThat(store.run(store.start()).since()).isGreaterThanOrEqualTo(position);
    assertThat(store.emit("news").position()).isGreaterThan(position);
  }

  @Test
  void typesSurvive() {
    store.configure(TypeState.paused(StoreFixture.TYPE));
    store.start();

    reopen();

    assertThat(store.store().types()).containsExactly(TypeState.paused(StoreFixture.TYPE));
    store.assertNothingToClaim();
  }

  @Test
  void deletedRunsStayDeleted() {
    Turn turn = store.begin();
    turn.succeed();
    store.delete(turn.id());

    reopen();

    assertThat(store.store().list(Query.all())).isEmpty();
    assertThat(store.run(turn.id()).deletedAt()).isPresent();
  }

  @Test
  void aRunLivesThroughAReopenAtEveryStep() {
    RunId id = store.start();
    reopen();
    Turn turn = store.claimOne();
    reopen();
    turn.checkpoint("one");
    reopen();
    turn.suspendFor(Turn.signal("go"));
    reopen();
    store.send(id, "go");
    reopen();
    Turn second = store.claimOne();
    reopen();
    second.draft(new Event.Succeeded(Json.TRUE)).consuming(second.mail()).must();
    reopen();

    assertThat(store.kinds(id))
        .containsExactly("created", "leased", "step.completed", "suspended", "leased", "succeeded");
    assertThat(store.run(id).result()).contains(Json.TRUE);
  }
}
