package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.TYPE;
import static dev.pawl.testkit.StoreFixture.as;
import static dev.pawl.testkit.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.TypeState;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.testkit.Turn;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Starting runs, and starting them twice. */
abstract class StartingContract extends Area {

  @Test
  void aStartedRunIsPendingAndDueAtOnce() {
    NewRun wanted = NewRun.of(new RunId(Ids.next()), "order.v1", Json.parse("{\"n\":1}"));

    Run run = store.expect(Outcome.Started.class, new Command.Start(wanted)).run();

    assertThat(run.id()).isEqualTo(wanted.id());
    assertThat(run.type()).isEqualTo("order.v1");
    assertThat(run.payload()).isEqualTo(Json.parse("{\"n\":1}"));
    assertThat(run.status()).isEqualTo(Status.PENDING);
    assertThat(run.priority()).isEqualTo(NewRun.DEFAULT_PRIORITY);
    assertThat(run.maxAttempts()).isEqualTo(NewRun.DEFAULT_MAX_ATTEMPTS);
    assertThat(run.due()).contains(store.now());
    assertThat(run.createdAt()).isEqualTo(store.now());
    assertThat(run.updatedAt()).isEqualTo(store.now());
    assertThat(run.attempt()).isZero();
    assertThat(run.epoch()).isZero();
    assertThat(run.begun()).isFalse();
    assertThat(run.lease()).isEmpty();
    assertThat(run.root()).isEqualTo(run.id());
    assertThat(run.parent()).isEmpty();
    assertThat(store.run(run.id())).isEqualTo(run);
  }

  @Test
  void aStartIsOnTheRecordAsTheFirstEvent() {
    RunId id = store.start();

    assertThat(store.kinds(id)).containsExactly("created");
    assertThat(store.log(id).getFirst().at()).isEqualTo(store.now());
    assertThat(store.log(id).getFirst().epoch()).isZero();
  }

  @Test
  void everythingGivenToARunIsKept() {
    RunId parent = store.start();
    RunId root = store.start();
    NewRun wanted =
        new NewRun(
            new RunId(Ids.next()),
            "order.v1",
            Json.string("payload"),
            7,
            Optional.of(store.now().plusSeconds(60)),
            Duration.ofSeconds(5),
            Optional.of("key-1"),
            9,
            Optional.of(new NewRun.Parent(parent, root, Bond.ABANDONED)),
            Optional.of("sha256:abc"),
            Map.of("tenant", "acme", "region", ""),
            Optional.of(Duration.ofHours(2)),
            Optional.of(Duration.ofDays(7)),
            Optional.empty());

    store.start(wanted);

    Run run = store.run(wanted.id());
    assertThat(run.priority()).isEqualTo(7);
    assertThat(run.due()).contains(store.now().plusSeconds(65));
    assertThat(run.key()).contains("key-1");
    assertThat(run.maxAttempts()).isEqualTo(9);
    assertThat(run.ttl()).contains(Duration.ofDays(7));
    assertThat(run.parent()).contains(parent);
    assertThat(run.root()).isEqualTo(root);
    assertThat(run.bond()).isEqualTo(Bond.ABANDONED);
    assertThat(run.definition()).contains("sha256:abc");
    assertThat(run.tags()).isEqualTo(Map.of("tenant", "acme", "region", ""));
    assertThat(run.deadline()).contains(store.now().plus(Duration.ofHours(2)));
  }

  @Test
  void aSecondStartWithTheSameIdGivesTheFirstRun() {
    NewRun first = newRun("order.v1");
    store.start(first);
    NewRun second = NewRun.of(first.id(), "other.v1", Json.TRUE);

    Outcome.AlreadyStarted outcome =
        store.expect(Outcome.AlreadyStarted.class, new Command.Start(second));

    assertThat(outcome.run().type()).isEqualTo("order.v1");
    assertThat(store.run(first.id()).type()).isEqualTo("order.v1");
    assertThat(store.kinds(first.id())).containsExactly("created");
  }

  @Test
  void aSecondStartWithTheSameKeyGivesTheFirstRunAsItIsNow() {
    RunId first = store.start(newRun().withKey("invoice-7"));
    store.claimOne().succeed(Json.string("done"));
    NewRun second = newRun("other.v1").withKey("invoice-7");

    Outcome.AlreadyStarted outcome =
        store.expect(Outcome.AlreadyStarted.class, new Command.Start(second));

    assertThat(outcome.run()).isEqualTo(store.run(first));
    assertThat(outcome.run().result()).contains(Json.string("done"));
    assertThat(store.store().run(second.id())).isEmpty();
  }

  @Test
  void twoStartsWithOneKeyInOneBatchMakeOneRun() {
    NewRun first = newRun().withKey("k");
    NewRun second = newRun().withKey("k");

    List<Outcome> outcomes =
        store.commit(new Command.Start(first), new Command.Start(second), new Command.Start(first));

    as(Outcome.Started.class, outcomes.get(0));
    assertThat(as(Outcome.AlreadyStarted.class, outcomes.get(1)).run().id()).isEqualTo(first.id());
    assertThat(as(Outcome.AlreadyStarted.class, outcomes.get(2)).run().id()).isEqualTo(first.id());
    assertThat(store.store().run(second.id())).isEmpty();
  }

  @Test
  void runsWithoutAKeyNeverCollide() {
    RunId first = store.start();
    RunId second = store.start();

    assertThat(store.run(first).key()).isEmpty();
    assertThat(store.run(second).key()).isEmpty();
  }

  @Test
  void keysAreComparedToTheLetter() {
    RunId lower = store.start(newRun().withKey("key"));
    RunId upper = store.start(newRun().withKey("KEY"));
    RunId spaced = store.start(newRun().withKey("key "));

    assertThat(store.store().runByKey("key").map(Run::id)).contains(lower);
    assertThat(store.store().runByKey("KEY").map(Run::id)).contains(upper);
    assertThat(store.store().runByKey("key ").map(Run::id)).contains(spaced);
  }

  @Test
  void aKeyStaysTakenAfterTheRunFailed() {
    RunId first = store.start(newRun().withKey("k"));
    store.claimOne().fail("BROKEN");

    Outcome.AlreadyStarted outcome =
        store.expect(Outcome.AlreadyStarted.class, new Command.Start(newRun().withKey("k")));

    assertThat(outcome.run().id()).isEqualTo(first);
    assertThat(outcome.run().status()).isEqualTo(Status.FAILED);
  }

  @Test
  void aRunIsFoundByItsKeyAndAnUnknownKeyFindsNothing() {
    RunId id = store.start(newRun().withKey("k"));

    assertThat(store.store().runByKey("k").map(Run::id)).contains(id);
    assertThat(store.store().runByKey("unknown")).isEmpty();
  }

  @Test
  void aDelayedRunIsDueToTheMillisecond() {
    store.start(newRun().withDelay(Duration.ofMillis(1500)));

    store.clock().advanceMillis(1499);
    store.assertNothingToClaim();
    store.clock().advanceMillis(1);
    store.claimOne();
  }

  @Test
  void aRunMayBeDueInThePast() {
    Instant past = store.now().minusSeconds(60);
    NewRun base = newRun();
    NewRun wanted =
        new NewRun(
            base.id(),
            base.type(),
            base.payload(),
            base.priority(),
            Optional.of(past),
            Duration.ZERO,
            Optional.empty(),
            3,
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    store.start(wanted);

    assertThat(store.run(wanted.id()).due()).contains(past);
    assertThat(store.claimOne().id()).isEqualTo(wanted.id());
  }

  @Test
  void aRunMayBeStartedAlreadyLeased() {
    NewRun wanted = newRun();
    Command.Claimant claimant = store.claimant("me");

    Outcome.Started started =
        store.expect(Outcome.Started.class, new Command.Start(wanted, Optional.of(claimant)));

    Run run = started.run();
    assertThat(run.status()).isEqualTo(Status.RUNNING);
    assertThat(run.lease()).contains(new Run.Lease("me", store.now().plus(claimant.lease())));
    assertThat(run.attempt()).isEqualTo(1);
    assertThat(run.epoch()).isEqualTo(1);
    assertThat(store.run(run.id())).isEqualTo(run);
    assertThat(started.activation().orElseThrow().run()).isEqualTo(run);
    assertThat(started.activation().orElseThrow().seq()).isEqualTo(2);
    assertThat(started.activation().orElseThrow().now()).isEqualTo(store.now());
    assertThat(started.activation().orElseThrow().mail()).isEmpty();
    assertThat(store.kinds(run.id())).containsExactly("created", "leased");
    store.assertNothingToClaim();
  }

  @Test
  void aRunStartedLeasedCanBeAdvancedAtOnce() {
    Turn turn = store.begin();

    turn.checkpoint("one");
    turn.succeed();

    assertThat(store.kinds(turn.id()))
        .containsExactly("created", "leased", "step.completed", "succeeded");
  }

  @Test
  void aDelayedRunIsNotLeasedAtItsStart() {
    NewRun wanted = newRun().withDelay(Duration.ofMillis(1));

    Outcome.Started started =
        store.expect(
            Outcome.Started.class, new Command.Start(wanted, Optional.of(store.claimant())));

    assertThat(started.activation()).isEmpty();
    assertThat(started.run().status()).isEqualTo(Status.PENDING);
  }

  @Test
  void aRunOfADisabledTypeIsNotLeasedAtItsStart() {
    store.configure(TypeState.paused(TYPE));

    Outcome.Started started =
        store.expect(
            Outcome.Started.class, new Command.Start(newRun(), Optional.of(store.claimant())));

    assertThat(started.activation()).isEmpty();
    assertThat(store.run(started.run().id()).status()).isEqualTo(Status.PENDING);
  }

  @Test
  void aRunThatExistsIsNotLeasedByASecondStart() {
    NewRun wanted = newRun().withKey("k");
    store.start(wanted);

    store.expect(
        Outcome.AlreadyStarted.class, new Command.Start(wanted, Optional.of(store.claimant())));

    assertThat(store.run(wanted.id()).status()).isEqualTo(Status.PENDING);
    assertThat(store.kinds(wanted.id())).containsExactly("created");
  }

  @Test
  void aForkBeginsWithTheHistoryItWasGiven() {
    Turn origin = store.begin();
    origin.checkpoint("one");
    List<Event> history = List.of(Turn.step("one"), new Event.TimerFired(1));
    NewRun fork = newRun().withOrigin(new NewRun.Origin(origin.id(), 0, history));

    store.start(fork);

    assertThat(store.kinds(fork.id())).containsExactly("created", "step.completed", "timer.fired");
    assertThat(store.run(fork.id()).forkedFrom()).contains(origin.id());
    assertThat(store.run(fork.id()).status()).isEqualTo(Status.PENDING);
    Turn turn = store.claimOne();
    assertThat(turn.activation().seq()).isEqualTo(4);
    assertThat(turn.run().attempt()).isEqualTo(1);
    turn.checkpoint("two").succeed();
  }

  @Test
  void aForkSeesTopicEventsFromWhereItsOriginWould() {
    Turn origin = store.begin();
    long position = store.emit("news", Json.string("old")).position();
    origin.succeed();
    NewRun fork =
        newRun().withOrigin(new NewRun.Origin(origin.id(), origin.run().since(), List.of()));
    store.start(fork);

    Turn turn = store.claimOne();
    turn.suspendFor(Turn.topic("news", turn.run().since()));

    assertThat(turn.run().since()).isLessThan(position);
    assertThat(store.claimOne().mail()).hasSize(1);
  }

  @Test
  void aRunThatWasNeverStartedIsNotThere() {
    RunId id = new RunId(Ids.next());

    assertThat(store.store().run(id)).isEmpty();
    assertThat(store.store().log(id, 0, 10)).isEmpty();
    assertThat(store.store().mail(id)).isEmpty();
  }

  @Test
  void theStoresClockIsTheClockItWasGiven() {
    store.clock().advanceMillis(12_345);

    assertThat(store.store().now()).isEqualTo(store.now());
    RunId id = store.start();
    assertThat(store.run(id).createdAt()).isEqualTo(store.now());
    assertThat(store.log(id).getFirst().at()).isEqualTo(store.now());
  }

  @Test
  void aChildStartedByItselfKnowsItsParent() {
    RunId parent = store.start();
    NewRun child = StoreFixture.newChild(parent, Bond.AWAITED);

    store.start(child);

    assertThat(store.run(child.id()).parent()).contains(parent);
    assertThat(store.run(child.id()).root()).isEqualTo(parent);
    assertThat(store.run(child.id()).bond()).isEqualTo(Bond.AWAITED);
  }
}
