package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.as;
import static dev.pawl.testkit.StoreFixture.event;
import static dev.pawl.testkit.StoreFixture.newRun;
import static dev.pawl.testkit.StoreFixture.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.error.ErrorCode;
import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.Count;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Routes;
import dev.pawl.store.TypeState;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.testkit.Turn;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Many commands in one commit. */
abstract class BatchesContract extends Area {

  @Test
  void anEmptyBatchHasNoOutcomes() {
    assertThat(store.commit(List.of())).isEmpty();
  }

  @Test
  void aRunCanBeStartedAndClaimedInOneBatch() {
    NewRun wanted = newRun();

    List<Outcome> outcomes =
        store.commit(
            store.claimCommand(5),
            new Command.Start(wanted),
            new Command.Claim(store.claimant(), Routes.of(StoreFixture.TYPE), 5));

    assertThat(as(Outcome.Claimed.class, outcomes.get(0)).activations()).isEmpty();
    List<Turn> turns = store.turns(as(Outcome.Claimed.class, outcomes.get(2)));
    assertThat(turns).extracting(Turn::id).containsExactly(wanted.id());
  }

  @Test
  void aRunCanBeginAndEndInOneBatch() {
    NewRun wanted = newRun();
    Command.Claimant me = store.claimant();

    List<Outcome> outcomes =
        store.commit(
            new Command.Start(wanted, Optional.of(me)),
            new Command.Advance(wanted.id(), 1, 3, 0, List.of(Turn.step("one"))),
            new Command.Advance(
                wanted.id(), 1, 4, 0, List.of(new Event.Succeeded(Json.string("done")))),
            new Command.Delete(wanted.id()));

    assertThat(outcomes).hasSize(4);
    as(Outcome.Done.class, outcomes.get(3));
    assertThat(store.kinds(wanted.id()))
        .containsExactly("created", "leased", "step.completed", "succeeded");
  }

  @Test
  void aCheckpointAndAStartUnderItsRunsOwnKeyShareABatch() {
    NewRun wanted = newRun().withKey("taken");
    store.commit(new Command.Start(wanted, Optional.of(store.claimant())));

    List<Outcome> outcomes =
        store.commit(
            new Command.Advance(wanted.id(), 1, 3, 0, List.of(Turn.step("one"))),
            new Command.Start(newRun().withKey("taken")));

    as(Outcome.Advanced.class, outcomes.get(0));
    assertThat(as(Outcome.AlreadyStarted.class, outcomes.get(1)).run().id()).isEqualTo(wanted.id());
    assertThat(store.kinds(wanted.id())).containsExactly("created", "leased", "step.completed");
  }

  @Test
  void aSignalThatIsSentTwiceWithAClaimInBetweenIsDeliveredOnce() {
    RunId run = store.start();
    Command.Send send = new Command.Send(run, Ids.next(), "go", Json.NULL);

    List<Outcome> outcomes = store.commit(send, store.claimCommand(5), send);

    as(Outcome.Sent.class, outcomes.get(0));
    as(Outcome.Sent.class, outcomes.get(2));
    assertThat(store.mail(run)).hasSize(1);
  }

  @Test
  void outcomesStandAtTheIndexOfTheirCommands() {
    RunId pending = store.start();
    Turn running = store.begin();
    Turn ended = store.begin();
    ended.fail("BROKEN");
    RunId unknown = new RunId(Ids.next());

    List<Outcome> outcomes =
        store.commit(
            signal(pending, "go", Json.NULL),
            signal(unknown, "go", Json.NULL),
            event("news", Json.NULL),
            new Command.Cancel(ended.id(), "late", false),
            new Command.Extend(StoreFixture.WORKER, List.of(running.held()), StoreFixture.LEASE),
            new Command.Start(newRun()),
            running.draft(Turn.step("one")).planned(),
            running.draft(Turn.step("two")).planned(),
            new Command.Rewind(ended.id(), Ids.next(), "retry", 0, "again"),
            new Command.Configure(TypeState.enabled("a.v1")),
            new Command.Delete(pending),
            new Command.Purge(Duration.ofDays(1), Duration.ofDays(1), 10),
            new Command.Cancel(pending, "enough", false),
            new Command.Advance(unknown, 1, 2, 0, List.of(Turn.step("odd"))));

    assertThat(outcomes)
        .extracting(outcome -> (Object) outcome.getClass())
        .containsExactly(
            Outcome.Sent.class,
            Outcome.Missing.class,
            Outcome.Emitted.class,
            Outcome.Refused.class,
            Outcome.Extended.class,
            Outcome.Started.class,
            Outcome.Advanced.class,
            Outcome.Advanced.class,
            Outcome.Reopened.class,
            Outcome.Done.class,
            Outcome.Refused.class,
            Outcome.Purged.class,
            Outcome.CancelTaken.class,
            Outcome.Missing.class);
  }

  @Test
  void laterCommandsSeeWhatEarlierOnesDid() {
    Turn turn = store.begin();

    List<Outcome> outcomes =
        store.commit(
            turn.draft(Turn.waiting(Turn.signal("go"))).planned(),
            store.claimCommand(1),
            signal(turn.id(), "go", Json.NULL),
            store.claimCommand(1),
            new Command.Cancel(turn.id(), "enough", true),
            signal(turn.id(), "late", Json.NULL));

    assertThat(as(Outcome.Claimed.class, outcomes.get(1)).activations()).isEmpty();
    assertThat(as(Outcome.Claimed.class, outcomes.get(3)).activations()).hasSize(1);
    assertThat(as(Outcome.Claimed.class, outcomes.get(3)).activations().getFirst().mail())
        .hasSize(1);
    as(Outcome.CancelTaken.class, outcomes.get(4));
    as(Outcome.Refused.class, outcomes.get(5));
    assertThat(store.run(turn.id()).status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void allOfABatchHappensAtOneMoment() {
    Turn turn = store.begin();
    store.clock().advanceMillis(11);
    NewRun wanted = newRun();

    store.commit(new Command.Start(wanted), turn.draft(Turn.step("one")).planned());

    assertThat(store.run(wanted.id()).createdAt()).isEqualTo(store.now());
    assertThat(store.log(turn.id()).getLast().at()).isEqualTo(store.now());
  }

  @Test
  void fiveThousandCommandsFitInOneBatch() {
    List<NewRun> runs = Stream.generate(StoreFixture::newRun).limit(2500).toList();
    List<Command> commands = new ArrayList<>();
    for (NewRun run : runs) {
      commands.add(new Command.Start(run, Optional.of(store.claimant())));
      commands.add(new Command.Advance(run.id(), 1, 3, 0, List.of(new Event.Succeeded(Json.TRUE))));
    }

    List<Outcome> outcomes = store.commit(commands);

    for (int i = 0; i < 5000; i += 2) {
      assertThat(outcomes.get(i)).isInstanceOf(Outcome.Started.class);
      assertThat(outcomes.get(i + 1)).isInstanceOf(Outcome.Advanced.class);
    }
    assertThat(store.store().counts())
        .containsExactly(new Count(StoreFixture.TYPE, Status.SUCCEEDED, 2500));
  }

  @Test
  void aThousandRunsAreClaimedAndFinishedInTwoBatches() {
    List<Command> starts =
        Stream.generate(() -> (Command) new Command.Start(newRun())).limit(1000).toList();
    store.commit(starts);

    List<Command> ends = new ArrayList<>();
    for (Turn turn : store.claim(1000)) {
      ends.add(turn.draft(Turn.step("one"), new Event.Succeeded(Json.NULL)).planned());
    }
    assertThat(store.commit(ends)).hasSize(1000).hasOnlyElementsOfType(Outcome.Advanced.class);

    assertThat(store.store().list(Query.all().withStatus(Status.SUCCEEDED).withLimit(1000)))
        .hasSize(1000);
  }

  @Test
  void childrenStartedInABatchCanBeClaimedInIt() {
    Turn parent = store.begin();
    NewRun child = StoreFixture.newChild(parent.id(), Bond.AWAITED);

    List<Outcome> outcomes =
        store.commit(
            parent.draft(Turn.waiting(Turn.child(child.id()))).starting(child).planned(),
            new Command.Claim(store.claimant(), Routes.of(child.type()), 1));

    assertThat(store.turns(as(Outcome.Claimed.class, outcomes.get(1))))
        .extracting(Turn::id)
        .containsExactly(child.id());
  }

  @Test
  void aTransactionalStepOfAStoreWithoutThemIsBrokenAlone() {
    if (store.store().transactionResource().isPresent()) {
      return; // What it does instead is said by TransactionalStoreContract.
    }
    Turn turn = store.begin();
    Turn neighbour = store.begin();

    List<Outcome> outcomes =
        store.commit(
            new Command.Transact(
                turn.id(), turn.epoch(), turn.nextSeq(), resource -> Turn.step("one")),
            neighbour.draft(Turn.step("two")).planned());

    assertThat(as(Outcome.Broken.class, outcomes.get(0)).problem().code())
        .isEqualTo(ErrorCode.UNSUPPORTED);
    as(Outcome.Advanced.class, outcomes.get(1));
    assertThat(store.log(turn.id())).hasSize(2);
  }
}
