package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.newChild;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.testkit.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A claimant that goes on with what it is about to lease: claim and turn in one transaction. */
abstract class GoingOnContract extends Area {

  /** Goes on with every run for which there is something to write. */
  private record Going(Function<Activation, List<Event>> how, List<Command.Advance> written)
      implements Command.Onward {
    static Going with(Function<Activation, List<Event>> how) {
      return new Going(how, new ArrayList<>());
    }

    static Going with(Event... events) {
      return with(activation -> List.of(events));
    }

    @Override
    public List<Command.Advance> goOn(List<Activation> leased) {
      written.clear();
      for (Activation held : leased) {
        List<Event> events = how.apply(held);
        if (!events.isEmpty()) {
          written.add(advance(held, events));
        }
      }
      return List.copyOf(written);
    }

    private static Command.Advance advance(Activation held, List<Event> events) {
      Run run = held.run();
      return new Command.Advance(run.id(), run.epoch(), held.seq() + 1, run.wakes(), events)
          .withConsumed(held.mail().stream().map(Mail::id).toList());
    }
  }

  private Outcome.Claimed claim(Going going) {
    Command.Claim claim = store.claimCommand(1000);
    return store.claimed(new Command.Claim(claim.claimant(), claim.routes(), claim.max(), going));
  }

  private RunId sleeping() {
    Turn turn = store.begin();
    turn.suspendUntil(store.now().plusSeconds(10));
    return turn.id();
  }

  @Test
  void theEndOfATurnIsWrittenWithItsLease() {
    RunId run = sleeping();
    store.clock().advance(Duration.ofSeconds(10));

    Outcome.Claimed claimed = claim(Going.with(new Event.Succeeded(Json.string("done"))));

    assertThat(claimed.activations()).hasSize(1);
    assertThat(claimed.onward().get(run)).isEqualTo(new Outcome.Advanced(store.now()));
    assertThat(store.kinds(run))
        .containsExactly("created", "leased", "suspended", "leased", "succeeded");
    assertThat(store.run(run).status()).isEqualTo(Status.SUCCEEDED);
    assertThat(store.run(run).epoch()).isGreaterThan(claimed.activations().get(0).run().epoch());
    store.assertNothingToClaim();
  }

  @Test
  void aCheckpointIsWrittenWithTheLeaseAndTheTurnGoesOn() {
    RunId run = sleeping();
    store.clock().advance(Duration.ofSeconds(10));

    Outcome.Claimed claimed = claim(Going.with(new Event.TimerFired(0)));

    assertThat(store.run(run).status()).isEqualTo(Status.RUNNING);
    Activation held = claimed.activations().get(0);
    store.expect(
        Outcome.Advanced.class,
        new Command.Advance(
            run, held.run().epoch(), held.seq() + 2, 0, List.of(new Event.Succeeded(Json.NULL))));
    assertThat(store.kinds(run).subList(3, 6))
        .containsExactly("leased", "timer.fired", "succeeded");
  }

  @Test
  void aRunThatSleepsOnIsClaimedWhenItsTimeComes() {
    RunId run = sleeping();
    store.clock().advance(Duration.ofSeconds(10));

    claim(Going.with(Turn.until(store.now().plusSeconds(5))));

    assertThat(store.run(run).status()).isEqualTo(Status.SUSPENDED);
    store.assertNothingToClaim();
    store.clock().advance(Duration.ofSeconds(5));
    assertThat(store.claimOne().id()).isEqualTo(run);
  }

  @Test
  void aSignalIsTakenOutOfTheMailbox() {
    Turn turn = store.begin();
    turn.suspendFor(new Wait.Signal(0, "go"));
    store.send(turn.id(), "go", Json.number(7));

    claim(
        Going.with(held -> {
          Mail.Signal signal = (Mail.Signal) held.mail().get(0);
          return List.of(
              new Event.SignalReceived(0, "go", signal.message(), signal.value()),
              Turn.waiting(new Wait.Signal(1, "go")));
        }));

    assertThat(store.mail(turn.id())).isEmpty();
    assertThat(store.run(turn.id()).status()).isEqualTo(Status.SUSPENDED);
    store.assertNothingToClaim();
  }

  @Test
  void aChildThatEndsTellsItsParent() {
    Turn parent = store.begin();
    NewRun child = newChild(parent.id(), Bond.AWAITED);
    parent.draft(Turn.waiting(Turn.child(child.id()))).starting(child).must();

    Outcome.Claimed claimed = claim(Going.with(new Event.Succeeded(Json.number(3))));

    assertThat(claimed.onward()).containsOnlyKeys(child.id());
    Turn resumed = store.claimOne();
    assertThat(resumed.id()).isEqualTo(parent.id());
    assertThat(resumed.mail()).hasSize(1).allMatch(Mail.ChildOutcome.class::isInstance);
  }

  @Test
  void oneThatIsRefusedSpoilsNothing() {
    RunId stale = sleeping();
    RunId fresh = sleeping();
    store.clock().advance(Duration.ofSeconds(10));
    Going both = Going.with(new Event.Succeeded(Json.NULL));
    Command.Onward oneTooFar =
        leased ->
            both.goOn(leased).stream()
                .map(advance -> advance.run().equals(stale) ? displaced(advance) : advance)
                .toList();

    Command.Claim claim = store.claimCommand(10);
    Outcome.Claimed claimed =
        store.claimed(new Command.Claim(claim.claimant(), claim.routes(), 10, oneTooFar));

    assertThat(claimed.onward().get(stale)).isInstanceOf(Outcome.Fenced.class);
    assertThat(store.run(stale).status()).isEqualTo(Status.RUNNING);
    assertThat(store.run(fresh).status()).isEqualTo(Status.SUCCEEDED);
  }

  private static Command.Advance displaced(Command.Advance advance) {
    return new Command.Advance(
        advance.run(), advance.epoch(), advance.seq() + 1, advance.wakes(), advance.events());
  }

  @Test
  void whoeverDoesNotGoOnHoldsItsLease() {
    RunId first = sleeping();
    RunId second = sleeping();
    store.clock().advance(Duration.ofSeconds(10));

    Outcome.Claimed claimed =
        claim(
            Going.with(held ->
                held.run().id().equals(first)
                    ? List.of(new Event.Succeeded(Json.NULL))
                    : List.of()));

    assertThat(claimed.activations()).hasSize(2);
    assertThat(claimed.onward()).containsOnlyKeys(first);
    assertThat(store.run(second).lease()).isPresent();
    store.turns(claimed).stream().filter(turn -> turn.id().equals(second)).forEach(Turn::succeed);
  }
}
