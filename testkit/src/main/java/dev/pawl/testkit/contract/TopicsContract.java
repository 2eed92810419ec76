package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.event;
import static dev.pawl.testkit.Turn.topic;
import static dev.pawl.testkit.Turn.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.testkit.Turn;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Topic events: to every run that waits or will wait. */
abstract class TopicsContract extends Area {

  @Test
  void anEventWakesEveryRunThatWaitsOnItsTopic() {
    List<RunId> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(waitOn("news").id());
    }
    waitOn("sport");

    Outcome.Emitted emitted = store.emit("news", Json.string("hello"));

    assertThat(emitted.woken()).isEqualTo(3);
    List<Turn> woken = store.claim(10);
    assertThat(woken).extracting(Turn::id).containsExactlyInAnyOrderElementsOf(waiting);
    assertThat(woken)
        .allSatisfy(turn -> assertThat(values(turn)).containsExactly(Json.string("hello")));
  }

  @Test
  void theDeliveredEventIsTheEmittedOne() {
    waitOn("news");
    Command.Emit emit = event("news", Json.TRUE);
    store.clock().advanceMillis(4);

    Outcome.Emitted emitted = store.expect(Outcome.Emitted.class, emit);

    Mail.Topic expected =
        new Mail.Topic(emitted.position(), store.now(), emit.message(), "news", Json.TRUE);
    assertThat(store.claimOne().mail()).containsExactly(expected);
    assertThat(store.store().emitted(emit.message())).contains(expected);
  }

  @Test
  void anEventNobodyWaitsForWakesNobody() {
    store.start();
    store.begin();

    assertThat(store.emit("news").woken()).isZero();
  }

  @Test
  void anEventEmittedAfterTheStartAndBeforeTheWaitIsSeen() {
    RunId id = store.start();
    store.emit("news", Json.string("early"));
    Turn turn = store.claimOne();

    turn.suspendFor(topic("news", turn.run().since()));

    Turn resumed = store.claimOne();
    assertThat(resumed.id()).isEqualTo(id);
    assertThat(values(resumed)).containsExactly(Json.string("early"));
  }

  @Test
  void anEventEmittedBeforeTheStartIsNotSeen() {
    store.emit("news", Json.string("too early"));
    waitOn("news");

    store.assertNothingToClaim();
  }

  @Test
  void withinABatchTheOrderDecidesWhatARunSees() {
    var first = StoreFixture.newRun();
    var second = StoreFixture.newRun();

    store.commit(
        new Command.Start(first), event("news", Json.string("x")), new Command.Start(second));

    assertThat(store.run(first.id()).since()).isLessThan(store.run(second.id()).since());
  }

  @Test
  void everyEventIsSeenOnceAndInOrder() {
    Turn turn = waitOn("news");
    IntStream.range(0, 5).forEach(i -> store.emit("news", Json.number(i)));

    Turn resumed = store.claimOne();

    assertThat(values(resumed)).isEqualTo(IntStream.range(0, 5).mapToObj(Json::number).toList());
    resumed.suspendFor(topic("news", resumed.mail().getLast().id()));
    store.assertNothingToClaim();
    store.emit("news", Json.string("next"));
    assertThat(values(store.claimOne())).containsExactly(Json.string("next"));
    assertThat(turn.id()).isEqualTo(resumed.id());
  }

  @Test
  void theNextWaitSeesWhatTheLastOneLeft() {
    waitOn("news");
    store.emit("news", Json.string("a"));
    store.emit("news", Json.string("b"));
    Turn resumed = store.claimOne();

    resumed.suspendFor(topic("news", resumed.mail().getFirst().id()));

    assertThat(values(store.claimOne())).containsExactly(Json.string("b"));
  }

  @Test
  void noEventOfManyIsMissed() {
    Turn turn = waitOn("news");
    List<Command> emits =
        IntStream.range(0, 450).mapToObj(i -> (Command) event("news", Json.number(i))).toList();
    store.commit(emits);

    List<Json> seen = new ArrayList<>();
    while (seen.size() < 450) {
      turn = store.claimOne();
      assertThat(turn.mail()).isNotEmpty();
      seen.addAll(values(turn));
      turn.suspendFor(topic("news", turn.mail().getLast().id()));
    }

    assertThat(seen).isEqualTo(IntStream.range(0, 450).mapToObj(Json::number).toList());
    store.assertNothingToClaim();
  }

  @Test
  void topicEventsAreNotConsumedAndNotInTheMailbox() {
    Turn one = waitOn("news");
    store.emit("news");
    Turn resumed = store.claimOne();

    resumed.draft(waiting(topic("news", one.run().since()))).consuming(resumed.mail()).must();

    assertThat(store.mail(one.id())).isEmpty();
    assertThat(store.run(one.id()).wakes()).isZero();
    assertThat(store.claimOne().mail()).hasSize(1);
  }

  @Test
  void mailComesBeforeTopicEvents() {
    Turn turn = store.begin();
    turn.must(waiting(2, topic("news", turn.run().since()), Turn.signal("go")));
    store.emit("news");
    store.send(turn.id(), "go");

    List<Mail> mail = store.claimOne().mail();

    assertThat(mail.get(0)).isInstanceOf(Mail.Signal.class);
    assertThat(mail.get(1)).isInstanceOf(Mail.Topic.class);
  }

  @Test
  void twoWaitsOnOneTopicSeeEachEventOnce() {
    Turn turn = store.begin();
    Wait first = new Wait.Topic(0, "news", turn.run().since());
    Wait second = new Wait.Topic(1, "news", turn.run().since());
    turn.must(waiting(first, second));

    assertThat(store.emit("news").woken()).isEqualTo(1);

    assertThat(store.claimOne().mail()).hasSize(1);
  }

  @Test
  void twoWaitsOnOneTopicCountAnEventOnce() {
    Turn turn = store.begin();
    Wait first = new Wait.Topic(0, "news", turn.run().since());
    Wait second = new Wait.Topic(1, "news", turn.run().since());
    turn.must(waiting(2, first, second));

    assertThat(store.emit("news").woken()).isZero();
    store.assertNothingToClaim();
    assertThat(store.emit("news").woken()).isEqualTo(1);

    assertThat(store.claimOne().mail()).hasSize(2);
  }

  @Test
  void aWaitFurtherOnDoesNotHideEventsFromAnother() {
    Turn turn = store.begin();
    long first = store.emit("news", Json.string("a")).position();
    store.emit("news", Json.string("b"));

    turn.suspendFor(topic("news", first), new Wait.Topic(1, "news", turn.run().since()));

    assertThat(values(store.claimOne())).containsExactly(Json.string("a"), Json.string("b"));
  }

  @Test
  void waitsOnSeveralTopicsGetTheirEventsInTheOrderOfEmission() {
    Turn turn = store.begin();
    turn.must(waiting(3, topic("b", turn.run().since()), topic("a", turn.run().since())));
    store.emit("a", Json.number(1));
    store.emit("b", Json.number(2));
    store.emit("c", Json.number(0));
    store.emit("a", Json.number(3));

    assertThat(values(store.claimOne()))
        .containsExactly(Json.number(1), Json.number(2), Json.number(3));
  }

  @Test
  void anEventWakesARunOnlyOnce() {
    waitOn("news");

    assertThat(store.emit("news").woken()).isEqualTo(1);
    assertThat(store.emit("news").woken()).isZero();

    assertThat(store.claimOne().mail()).hasSize(2);
  }

  @Test
  void theSameEventTwiceIsOneEvent() {
    waitOn("news");
    Command.Emit emit = event("news", Json.NULL);

    Outcome.Emitted first = store.expect(Outcome.Emitted.class, emit);
    Outcome.Emitted second = store.expect(Outcome.Emitted.class, emit);

    assertThat(second).isEqualTo(new Outcome.Emitted(first.position(), 0));
    assertThat(store.claimOne().mail()).hasSize(1);
  }

  @Test
  void positionsGrow() {
    long last = 0;
    for (int i = 0; i < 10; i++) {
      long position = store.emit(i % 2 == 0 ? "a" : "b").position();
      assertThat(position).isGreaterThan(last);
      last = position;
    }
  }

  @Test
  void positionsGrowAlsoAfterEverythingWasPurged() {
    store.emit("news");
    long last = store.emit("news").position();
    store.clock().advanceMillis(1);
    assertThat(store.purge(Duration.ZERO, Duration.ZERO, 10).events()).isEqualTo(2);

    assertThat(store.emit("news").position()).isGreaterThan(last);
  }

  @Test
  void aRunStartedAfterAPurgeStillMissesNothing() {
    store.emit("news");
    store.clock().advanceMillis(1);
    store.purge(Duration.ZERO, Duration.ZERO, 10);
    RunId id = store.start();
    store.emit("news", Json.string("new"));

    Turn turn = store.claimOne();
    turn.suspendFor(topic("news", turn.run().since()));

    assertThat(turn.id()).isEqualTo(id);
    assertThat(values(store.claimOne())).containsExactly(Json.string("new"));
  }

  @Test
  void eventsAreKeptForTheirRetentionAndNoLonger() {
    Command.Emit old = event("news", Json.string("old"));
    Command.Emit edge = event("news", Json.string("edge"));
    Turn turn = store.begin();
    store.commit(old);
    store.clock().advanceMillis(1);
    store.commit(edge);
    store.clock().advance(Duration.ofHours(24));

    assertThat(store.purge(Duration.ofDays(30), Duration.ofHours(24), 10).events()).isEqualTo(1);

    assertThat(store.store().emitted(old.message())).isEmpty();
    assertThat(store.store().emitted(edge.message())).isPresent();
    turn.suspendFor(topic("news", turn.run().since()));
    assertThat(values(store.claimOne())).containsExactly(Json.string("edge"));
  }

  @Test
  void anUnknownEventWasNotEmitted() {
    assertThat(store.store().emitted(Ids.next())).isEmpty();
  }

  @Test
  void topicsAreComparedToTheLetter() {
    waitOn("news");

    assertThat(store.emit("News").woken()).isZero();
    assertThat(store.emit("news.").woken()).isZero();
    assertThat(store.emit("new_").woken()).isZero();
    assertThat(store.emit("%").woken()).isZero();
  }

  @Test
  void anEndedRunWaitsOnNothing() {
    Turn turn = waitOn("news");
    store.cancel(turn.id());

    assertThat(store.emit("news").woken()).isZero();
  }

  @Test
  void anEventEmittedByAnAdvanceWakesToo() {
    Turn waiting = waitOn("news");
    Turn emitter = store.begin();

    emitter.draft(Turn.step("one")).emitting(event("news", Json.TRUE)).must();

    assertThat(store.claimOne().id()).isEqualTo(waiting.id());
  }

  private Turn waitOn(String name) {
    Turn turn = store.begin();
    turn.suspendFor(topic(name, turn.run().since()));
    return turn;
  }

  private static List<Json> values(Turn turn) {
    return turn.mail().stream().map(mail -> ((Mail.Topic) mail).value()).toList();
  }
}
