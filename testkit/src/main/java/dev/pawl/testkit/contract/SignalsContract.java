package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.as;
import static dev.pawl.testkit.StoreFixture.signal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.testkit.Turn;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Signals: to one run, first in first out, consumed once. */
abstract class SignalsContract extends Area {

  @Test
  void aSignalIsKeptWithAllItWasGiven() {
    RunId id = store.start();
    Command.Send send = signal(id, "go", Json.parse("{\"n\":1}"));
    store.clock().advanceMillis(3);

    store.expect(Outcome.Sent.class, send);

    Mail.Signal mail = (Mail.Signal) store.mail(id).getFirst();
    assertThat(mail.message()).isEqualTo(send.message());
    assertThat(mail.name()).isEqualTo("go");
    assertThat(mail.value()).isEqualTo(Json.parse("{\"n\":1}"));
    assertThat(mail.at()).isEqualTo(store.now());
  }

  @Test
  void signalsAreReadInTheOrderTheyWereSent() {
    RunId id = store.start();
    List<Command> sends =
        IntStream.range(0, 50).mapToObj(i -> (Command) signal(id, "n", Json.number(i))).toList();
    store.commit(sends.subList(0, 20));
    store.commit(sends.subList(20, 50));

    assertThat(store.mail(id))
        .extracting(mail -> ((Mail.Signal) mail).value())
        .isEqualTo(IntStream.range(0, 50).mapToObj(Json::number).toList());
    assertThat(store.mail(id)).extracting(Mail::id).isSorted().doesNotHaveDuplicates();
    assertThat(store.claimOne().mail()).isEqualTo(store.mail(id));
  }

  @Test
  void theSameMessageTwiceIsOneMessage() {
    RunId id = store.start();
    Command.Send send = signal(id, "go", Json.NULL);

    store.expect(Outcome.Sent.class, send);
    store.expect(Outcome.Sent.class, send);

    assertThat(store.mail(id)).hasSize(1);
    assertThat(store.run(id).wakes()).isEqualTo(1);
  }

  @Test
  void equalMessagesWithIdsOfTheirOwnAreTwo() {
    RunId id = store.start();

    store.send(id, "go");
    store.send(id, "go");

    assertThat(store.mail(id)).hasSize(2);
    assertThat(store.run(id).wakes()).isEqualTo(2);
  }

  @Test
  void oneMessageIdMayBeUsedForTwoRuns() {
    RunId first = store.start();
    RunId second = store.start();
    Command.Send send = signal(first, "go", Json.NULL);

    store.commit(send, new Command.Send(second, send.message(), "go", Json.NULL));

    assertThat(store.mail(first)).hasSize(1);
    assertThat(store.mail(second)).hasSize(1);
  }

  @Test
  void aSignalToAnEndedRunIsRefused() {
    Turn turn = store.begin();
    turn.succeed();

    Outcome.Refused refused =
        store.expect(Outcome.Refused.class, signal(turn.id(), "go", Json.NULL));

    assertThat(refused.run()).isEqualTo(store.run(turn.id()));
    assertThat(refused.why()).contains("succeeded");
    assertThat(store.mail(turn.id())).isEmpty();
    assertThat(store.run(turn.id()).wakes()).isZero();
  }

  @Test
  void aSignalToNobodyIsMissing() {
    RunId unknown = new RunId(Ids.next());

    assertThat(store.commitOne(signal(unknown, "go", Json.NULL)))
        .isEqualTo(new Outcome.Missing(unknown));
    assertThat(store.mail(unknown)).isEmpty();
  }

  @Test
  void aSignalReachesARunStartedInTheSameBatch() {
    var wanted = StoreFixture.newRun();

    List<Outcome> outcomes =
        store.commit(new Command.Start(wanted), signal(wanted.id(), "go", Json.NULL));

    as(Outcome.Sent.class, outcomes.get(1));
    assertThat(store.claimOne().signals()).containsExactly("go");
  }

  @Test
  void aSignalChangesNothingButTheMailboxOfABusyRun() {
    Turn turn = store.begin();
    Run before = store.run(turn.id());
    store.clock().advanceMillis(9);

    store.send(turn.id(), "go");

    assertThat(store.run(turn.id())).isEqualTo(before.change().wakes(1).run());
    turn.checkpoint("still mine");
  }

  @Test
  void aSignalDoesNotHurryADelayedRun() {
    RunId id = store.start(StoreFixture.newRun().withDelay(Duration.ofSeconds(5)));

    store.send(id, "go");

    store.assertNothingToClaim();
    assertThat(store.run(id).due()).contains(store.now().plusSeconds(5));
  }

  @Test
  void whatIsNotConsumedIsThereInTheNextTurn() {
    RunId id = store.start();
    store.send(id, "a");
    store.send(id, "b");
    Turn first = store.claimOne();
    first.draft(Turn.until(store.now())).consuming(first.mail().getFirst()).must();

    assertThat(store.claimOne().signals()).containsExactly("b");
  }

  @Test
  void aSignalThatIsNotConsumedSurvivesALostWorker() {
    RunId id = store.start();
    store.send(id, "go");
    store.claimOne();
    store.clock().advance(StoreFixture.LEASE);

    assertThat(store.claimOne().signals()).containsExactly("go");
  }

  @Test
  void aRetriedRunKeepsItsMailbox() {
    RunId id = store.start();
    store.send(id, "go");
    store.claimOne().retryIn(Duration.ZERO);

    assertThat(store.claimOne().signals()).containsExactly("go");
    assertThat(store.mail(id)).hasSize(1);
  }

  @Test
  void theEndOfARunEmptiesItsMailbox() {
    RunId id = store.start();
    store.send(id, "a");
    Turn turn = store.claimOne();
    store.send(id, "b");

    turn.succeed();

    assertThat(store.mail(id)).isEmpty();
  }

  @Test
  void mailIdsAreNeverUsedAgain() {
    RunId id = store.start();
    store.send(id, "a");
    Turn turn = store.claimOne();
    Mail first = turn.mail().getFirst();
    turn.draft(Turn.step("one")).consuming(first).must();

    store.send(id, "b");

    assertThat(store.mail(id)).singleElement().extracting(Mail::id).isNotEqualTo(first.id());
    turn.draft(Turn.step("two")).consuming(first).must();
    assertThat(store.mail(id)).hasSize(1);
  }

  @Test
  void oneRunsMailIsNoneOfAnothersBusiness() {
    Turn one = store.begin();
    Turn two = store.begin();
    one.suspendFor(Turn.signal("go"));
    two.suspendFor(Turn.signal("go"));

    store.send(two.id(), "go");

    assertThat(store.claimOne().id()).isEqualTo(two.id());
    assertThat(store.mail(one.id())).isEmpty();
  }

  @Test
  void aRunCannotConsumeAnothersMail() {
    RunId victim = store.start("victim.v1");
    store.send(victim, "go");
    Turn thief = store.begin();

    thief.draft(Turn.step("one")).consuming(store.mail(victim)).must();

    assertThat(store.mail(victim)).hasSize(1);
  }

  // ---- sent again after it was received ----

  /** Sends a signal and lets a turn receive it, which goes on. */
  private Turn received(Command.Send send) {
    store.expect(Outcome.Sent.class, send);
    Turn turn = store.claimOne();
    return turn.draft(receipt(send)).consuming(turn.mail()).must();
  }

  private static Event.SignalReceived receipt(Command.Send send) {
    return new Event.SignalReceived(0, send.name(), send.message(), send.value());
  }

  @Test
  void aSignalThatWasReceivedIsNotDeliveredAgain() {
    Command.Send send = signal(store.start(), "go", Json.NULL);
    Turn turn = received(send);
    turn.suspendFor(Turn.signal("go"));
    Run before = store.run(turn.id());

    store.expect(Outcome.Sent.class, send);

    assertThat(store.mail(turn.id())).isEmpty();
    assertThat(store.run(turn.id())).isEqualTo(before);
    store.assertNothingToClaim();
    store.send(turn.id(), "go");
    assertThat(store.claimOne().mail()).hasSize(1);
  }

  @Test
  void aSignalIsNotDeliveredAgainInTheBatchThatReceivesIt() {
    Command.Send send = signal(store.start(), "go", Json.NULL);
    store.expect(Outcome.Sent.class, send);
    Turn turn = store.claimOne();

    store.commit(send, turn.draft(receipt(send)).consuming(turn.mail()).planned(), send, send);

    assertThat(store.mail(turn.id())).isEmpty();
    assertThat(store.run(turn.id()).wakes()).isEqualTo(1);
  }

  @Test
  void aRunThatStartsOverIsNotGivenASignalAgain() {
    Command.Send send = signal(store.start(), "go", Json.NULL);
    received(send).retryIn(Duration.ZERO);

    store.expect(Outcome.Sent.class, send);

    assertThat(store.claimOne().mail()).isEmpty();
  }

  @Test
  void aSignalThatWasRewoundOverStaysKnown() {
    Command.Send send = signal(store.start(), "go", Json.NULL);
    Turn turn = received(send);
    store.rewind(turn.id(), 0);

    store.expect(Outcome.Sent.class, send);

    assertThat(store.claimOne().mail()).isEmpty();
  }

  @Test
  void aSignalThatWasReceivedBeforeTheRunFailedStaysKnownAfterARetry() {
    Command.Send send = signal(store.start(), "go", Json.NULL);
    Turn turn = received(send);
    turn.fail("BROKEN");

    store.commit(new Command.Rewind(turn.id(), Ids.next(), "retry", 3, "again"), send);

    assertThat(store.mail(turn.id())).isEmpty();
    store.expect(Outcome.Sent.class, send);
    assertThat(store.claimOne().mail()).isEmpty();
  }

  @Test
  void whatAnotherRunHasReceivedMayBeSentToThisOne() {
    Command.Send send = signal(store.start(), "go", Json.NULL);
    received(send);
    RunId other = store.start();

    store.send(other, "first");
    store.expect(
        Outcome.Sent.class, new Command.Send(other, send.message(), send.name(), send.value()));

    assertThat(store.mail(other)).hasSize(2);
  }

  @Test
  void aForkKnowsNoSignalOfItsOrigin() {
    Command.Send send = signal(store.start(), "go", Json.NULL);
    Turn turn = received(send);
    RunId fork =
        store.start(
            StoreFixture.newRun("fork.v1")
                .withOrigin(new NewRun.Origin(turn.id(), 0, List.of(receipt(send)))));

    store.send(fork, "first");
    Command.Send again = new Command.Send(fork, send.message(), send.name(), send.value());
    store.commit(again, again);

    assertThat(store.mail(fork)).hasSize(2);
  }

  @Test
  void aSignalIsKnownAgainWhateverItSaysAndIsCalled() {
    UUID decoy = Ids.next();
    String name = "\"message\":\"" + decoy + "\" \\";
    Json value =
        Json.parse("{\"message\":\"" + decoy + "\",\"odd\":\"\\u0000\\ud800 \\\"message\\\"\"}");
    Command.Send send = signal(store.start(), name, value);
    Turn turn = received(send);

    store.expect(Outcome.Sent.class, send);
    assertThat(store.mail(turn.id())).isEmpty();

    store.expect(Outcome.Sent.class, new Command.Send(turn.id(), decoy, name, value));
    assertThat(store.mail(turn.id())).hasSize(1);
  }

  @Test
  void aPurgedRunsSignalsAreForgottenWithIt() {
    Command.Send send = signal(store.start(), "go", Json.NULL);
    Turn turn = received(send);
    turn.succeed();
    store.delete(turn.id());
    store.clock().advanceMillis(1);

    store.commit(
        new Command.Purge(Duration.ZERO, Duration.ZERO, 1),
        new Command.Start(NewRun.of(turn.id(), StoreFixture.TYPE, Json.NULL)),
        signal(turn.id(), "first", Json.NULL),
        send);

    assertThat(store.mail(turn.id())).hasSize(2);
  }
}
