package dev.pawl.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.doctor.Violation;
import dev.pawl.flow.StepContext;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.RunId;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.store.memory.Tampering;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Each invariant that takes more than a store to see rejects a violation made by hand: P1, P3, R1,
 * R2, L1. Those that the doctor sees are tested with the doctor.
 */
class HandMadeTest {
  private static final String TYPE = "hand.made.v1";

  private final Universe universe = new Universe(new Dice(1));
  private final SimClock clock = new SimClock(universe);
  private final MemoryStore store = new MemoryStore(clock);
  private final Tampering tables = new Tampering(store);
  private final Witness witness = new Witness(universe, clock, store, run -> {});
  private final Host one = new Host(universe, 1, new Dice(2), error -> {});
  private final Host two = new Host(universe, 2, new Dice(3), error -> {});

  private Outcome commit(Host host, Command command) {
    List<Command> batch = List.of(command);
    List<Outcome> outcomes = witness.commit(host, batch);
    witness.acknowledge(batch, outcomes);
    return outcomes.getFirst();
  }

  private RunId start() {
    NewRun run = NewRun.of(new RunId(Ids.next()), TYPE, Json.EMPTY_OBJECT);
    commit(one, new Command.Start(run));
    return run.id();
  }

  private Activation claim() {
    Command.Claimant by = new Command.Claimant("w", Duration.ofSeconds(30), 1);
    return ((Outcome.Claimed) commit(one, new Command.Claim(by, Routes.of(TYPE), 1)))
        .activations()
        .getFirst();
  }

  private static Command.Advance write(Activation turn, Event... events) {
    return new Command.Advance(
        turn.run().id(), turn.run().epoch(), turn.seq() + 1, 0, List.of(events));
  }

  private static Event step() {
    return new Event.StepCompleted(0, "a", 0, 1, Json.TRUE, 0);
  }

  private void assertReported(String... invariants) {
    assertThat(witness.violations()).extracting(Violation::invariant).containsOnly(invariants);
  }

  @Test
  void p1AWriteOfSomebodyWhoDoesNotHoldTheLease() {
    start();
    Activation turn = claim();
    commit(two, write(turn, step()));
    assertReported("P1");
  }

  @Test
  void p1AWriteOfTheHolderIsFine() {
    start();
    commit(one, write(claim(), step()));
    witness.lookAtEverything();
    assertReported();
  }

  @Test
  void p3ABodyWithoutItsAttemptOnRecord() {
    start();
    RunId run = claim().run().id();
    Ledger ledger = new Ledger(universe, witness);
    ledger.began(one, run, 1, new StepContext("key", 1), "a");
    assertReported();
    ledger.began(one, run, 2, new StepContext("key", 1), "a");
    assertReported("P3");
  }

  @Test
  void s4ABodyWhoseResultIsOnRecord() {
    start();
    Activation turn = claim();
    commit(one, write(turn, step()));
    Ledger ledger = new Ledger(universe, witness);
    ledger.began(one, turn.run().id(), 1, new StepContext("key", 1), "a");
    assertReported("S4");
  }

  @Test
  void s4ABodyOfAnEarlierAttemptIsNoneOfTheCurrentLease() {
    start();
    Activation turn = claim();
    RunId run = turn.run().id();
    Event again = new Event.Retried(Failure.of("ONCE", "once"), clock.instant(), false);
    commit(one, write(turn, again));
    Activation next = claim();
    commit(one, write(next, step()));
    Ledger ledger = new Ledger(universe, witness);
    ledger.began(one, run, 1, new StepContext("key", 1), "a");
    assertReported();
    ledger.began(one, run, 2, new StepContext("key", 1), "a");
    assertReported("S4");
  }

  @Test
  void p3ANodeWithoutItsStartOnRecord() {
    start();
    Activation turn = claim();
    commit(one, write(turn, new NodeEvent.Started("n", 1, Json.NULL)));
    Ledger ledger = new Ledger(universe, witness);
    ledger.nodeBegan(one, turn.run().id(), "n", 1);
    assertReported();
    ledger.nodeBegan(one, turn.run().id(), "n", 2);
    assertReported("P3");
  }

  @Test
  void p3ANodeThatSomebodyElseHasStarted() {
    start();
    Activation turn = claim();
    commit(one, write(turn, new NodeEvent.Started("n", 1, Json.NULL)));
    new Ledger(universe, witness).nodeBegan(two, turn.run().id(), "n", 1);
    assertReported("P3");
  }

  @Test
  void s4ANodeWhoseResultIsOnRecord() {
    start();
    Activation turn = claim();
    NodeEvent scheduled = new NodeEvent.Scheduled("n", "test", 1);
    NodeEvent started = new NodeEvent.Started("n", 1, Json.NULL);
    NodeEvent completed = new NodeEvent.Completed("n", 1, Json.EMPTY_OBJECT, 0);
    commit(one, write(turn, scheduled, started, completed));
    new Ledger(universe, witness).nodeBegan(one, turn.run().id(), "n", 1);
    assertReported("S4");
  }

  @Test
  void r1ARunThatIsGone() {
    RunId run = start();
    tables.forget(run);
    start();
    assertReported("R1");
  }

  @Test
  void r1AnAdvanceThatIsGone() {
    start();
    Activation turn = claim();
    commit(one, write(turn, step()));
    tables.log(turn.run().id()).removeLast();
    witness.lookAtEverything();
    assertReported("R1");
  }

  @Test
  void r1ASignalThatIsGone() {
    RunId run = start();
    Command.Send send = new Command.Send(run, Ids.next(), "go", Json.NULL);
    commit(one, send);
    assertReported();
    tables.removeMail(run, tables.mail(run).getFirst());
    witness.acknowledged().checkSent(send, witness::report);
    assertReported("R1");
  }

  @Test
  void r1ARequestToCancelThatIsGone() {
    start();
    RunId run = claim().run().id();
    commit(one, new Command.Cancel(run, "enough", false));
    assertReported();
    tables.removeMail(run, tables.mail(run).getFirst());
    witness.asked(run);
    assertReported("R1");
  }

  @Test
  void r2ASignalThatWaitsTwice() {
    RunId run = start();
    Command.Send send = new Command.Send(run, Ids.next(), "go", Json.NULL);
    commit(one, send);
    tables.post(run, tables.mail(run).getFirst());
    witness.acknowledged().checkSent(send, witness::report);
    assertReported("R2");
  }

  @Test
  void r2ASignalThatIsReceivedTwice() {
    RunId run = start();
    UUID message = Ids.next();
    commit(one, new Command.Send(run, message, "go", Json.NULL));
    Activation turn = claim();
    Mail mail = turn.mail().getFirst();
    Event received = new Event.SignalReceived(0, "go", message, Json.NULL);
    Event again = new Event.SignalReceived(1, "go", message, Json.NULL);
    commit(
        one,
        new Command.Advance(
            run,
            1,
            turn.seq() + 1,
            1,
            List.of(received, again),
            List.of(mail.id()),
            List.of(),
            List.of(),
            List.of()));
    witness.lookAtEverything();
    assertThat(witness.violations()).extracting(Violation::invariant).contains("R2");
  }

  @Test
  void l1ARunThatNobodyEverCarriesOut() {
    Sabotage nobody =
        (memory, time) ->
            new Planted(memory, time) {
              @Override
              protected Outcome claim(Command.Claim claim) {
                return new Outcome.Claimed(List.of(), Optional.empty());
              }
            };
    assertThat(new Episode(1, nobody).play().violations())
        .extracting(Violation::invariant)
        .contains("L1");
  }

  @Test
  void aTimerThatFiresEarly() {
    RunId run = start();
    Ledger ledger = new Ledger(universe, witness);
    ledger.asks("here");
    ledger.slept(run, "here", 10);
    assertReported("S10");
  }

  @Test
  void theSameSeedGivesTheSameTrace() {
    assertThat(new Episode(7, Sabotage.NONE).play())
        .isEqualTo(new Episode(7, Sabotage.NONE).play());
    assertThat(new Episode(7, Sabotage.NONE).play().trace())
        .isNotEqualTo(new Episode(8, Sabotage.NONE).play().trace());
  }
}
