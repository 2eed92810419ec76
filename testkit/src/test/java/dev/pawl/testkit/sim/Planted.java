package dev.pawl.testkit.sim;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.store.memory.Tampering;
import dev.pawl.testkit.ForwardingStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A store with one bug: some change to commands before, or to tables and outcomes after. */
class Planted extends ForwardingStore {
  protected final MemoryStore store;
  protected final Tampering tables;
  protected final SimClock clock;

  Planted(MemoryStore store, SimClock clock) {
    super(store);
    this.store = store;
    this.tables = new Tampering(store);
    this.clock = clock;
  }

  @Override
  public List<Outcome> commit(List<Command> commands) {
    List<Outcome> outcomes = new ArrayList<>();
    for (Command command : commands) {
      outcomes.add(carryOut(command));
    }
    return outcomes;
  }

  /** Carries out one command, wrongly. */
  protected Outcome carryOut(Command command) {
    return switch (command) {
      case Command.Advance advance -> advance(advance);
      case Command.Claim claim -> claim(claim);
      default -> right(command);
    };
  }

  protected Outcome right(Command command) {
    return store.commit(List.of(command)).getFirst();
  }

  protected Outcome advance(Command.Advance advance) {
    Outcome outcome = right(advance);
    if (outcome instanceof Outcome.Advanced) {
      advanced(advance);
    }
    return outcome;
  }

  /** Something to do after an advance was carried out. */
  protected void advanced(Command.Advance advance) {}

  protected Outcome claim(Command.Claim claim) {
    if (!(right(claim) instanceof Outcome.Claimed claimed)) {
      throw new IllegalStateException("a claim that is none");
    }
    List<Activation> activations = new ArrayList<>();
    for (Activation activation : claimed.activations()) {
      activations.add(claimed(activation));
    }
    return new Outcome.Claimed(activations, claimed.nextDue(), claimed.onward());
  }

  /** Another activation in the place of this one. */
  protected Activation claimed(Activation activation) {
    return activation;
  }

  // ---- pieces ----

  /** Whether a signal lies in the mailbox. */
  protected boolean lies(Command.Send send) {
    return tables.mail(send.run()).stream()
        .anyMatch(
            mail -> mail instanceof Mail.Signal signal && signal.message().equals(send.message()));
  }

  /** Puts a signal into the mailbox, whether it was there or not. */
  protected void postAgain(Command.Send send) {
    Run row = row(send.run());
    tables.post(
        send.run(),
        new Mail.Signal(
            tables.nextMail(), clock.truth(), send.message(), send.name(), send.value()));
    tables.write(row.change().wakes(row.wakes() + 1).run());
  }

  static Command.Advance with(Command.Advance from, long epoch, long seq) {
    return new Command.Advance(
        from.run(),
        epoch,
        seq,
        from.wakes(),
        from.events(),
        from.consumed(),
        from.children(),
        from.sends(),
        from.emits());
  }

  static Command.Advance with(Command.Advance from, long wakes, List<Event> events) {
    return new Command.Advance(
        from.run(),
        from.epoch(),
        from.seq(),
        wakes,
        events,
        from.consumed(),
        from.children(),
        from.sends(),
        from.emits());
  }

  static Command.Advance withoutEnclosures(Command.Advance from, String what) {
    return new Command.Advance(
        from.run(),
        from.epoch(),
        from.seq(),
        from.wakes(),
        from.events(),
        what.equals("consumed") ? List.of() : from.consumed(),
        what.equals("children") ? List.of() : from.children(),
        what.equals("sends") ? List.of() : from.sends(),
        what.equals("emits") ? List.of() : from.emits());
  }

  Run row(RunId id) {
    return tables.row(id);
  }

  long lastSeq(RunId id) {
    return tables.log(id).size();
  }

  boolean isRunning(RunId id) {
    return row(id) != null && row(id).status() == Status.RUNNING;
  }

  /** Rewrites the entry of a claim, and the row with it. */
  Activation rewrite(Activation activation, Event.Leased leased, long epoch) {
    RunId id = activation.run().id();
    Entry last = tables.log(id).getLast();
    tables.replaceLast(id, new Entry(last.seq(), last.at(), epoch, leased));
    tables.refold(id);
    return new Activation(row(id), activation.seq(), activation.mail(), activation.now());
  }

  static Optional<Mail.ChildOutcome> outcome(Mail mail) {
    return mail instanceof Mail.ChildOutcome child ? Optional.of(child) : Optional.empty();
  }

  /** The activation as if its claim had been for another attempt. */
  final Activation withAttempt(Activation activation, int attempt) {
    if (!(tables.log(activation.run().id()).getLast().event() instanceof Event.Leased e)) {
      return activation;
    }
    Event.Leased wrong =
        new Event.Leased(
            e.worker(), e.epoch(), e.until(), attempt, e.resumed(), e.crashes(), e.ticket());
    return rewrite(activation, wrong, e.epoch());
  }
}
