package dev.pawl.testkit.sim;

import dev.pawl.doctor.Violation;
import dev.pawl.doctor.Watch;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Sees every commit with its cause, and holds every run that it changed to the invariants: those
 * the doctor knows, by its {@link Watch}, and P1 by who wrote. It also remembers what was
 * acknowledged, for {@link Acknowledged}.
 */
final class Witness {
  private final Universe universe;
  private final SimClock clock;
  private final Store store;
  private final Consumer<Run> met;
  private final Watch watch;
  private final Map<RunId, Run> rows = new LinkedHashMap<>();
  private final Map<Command.Held, Integer> holders = new HashMap<>();
  private final List<Violation> violations = new ArrayList<>();
  private final Acknowledged acknowledged;
  private long commits;
  private long commands;

  /**
   * @param met told of each run that comes to be
   */
  Witness(Universe universe, SimClock clock, Store store, Consumer<Run> met) {
    this.universe = universe;
    this.clock = clock;
    this.met = met;
    this.store = store;
    this.watch = new Watch(store);
    this.acknowledged = new Acknowledged(store);
  }

  // ---- what happens ----

  List<Outcome> commit(Host host, List<Command> batch) {
    clock.committing(host);
    List<Outcome> outcomes = store.commit(batch);
    commits++;
    commands += batch.size();
    universe.mark(universe.nanos() * 31 + host.number());
    Set<RunId> reopened = reopened(outcomes);
    for (int i = 0; i < batch.size(); i++) {
      note(host, batch.get(i), outcomes.get(i));
      sent(batch.get(i), outcomes.get(i))
          .filter(send -> !reopened.contains(send.run()))
          .forEach(send -> acknowledged.checkSent(send, this::report));
    }
    lookAtWhatChanged();
    return outcomes;
  }

  private void note(Host host, Command command, Outcome outcome) {
    universe.mark(outcome.getClass().getSimpleName().hashCode());
    switch (outcome) {
      case Outcome.Started started -> {
        meet(started.run().id());
        started.activation().ifPresent(activation -> claimed(host, activation));
      }
      case Outcome.Claimed claimed when command instanceof Command.Claim claim -> {
        claimed.activations().forEach(activation -> claimed(host, activation));
        claim.onward().handedIn().stream()
            .filter(advance -> claimed.onward().get(advance.run()) instanceof Outcome.Advanced)
            .forEach(advance -> advanced(host, advance));
      }
      case Outcome.Advanced advanced when command instanceof Command.Advance advance ->
          advanced(host, advance);
      case Outcome.CancelTaken taken -> asked(taken.run().id());
      default -> {}
    }
    acknowledged.emitted(command);
  }

  /** Those that had ended, so that what lay in their mailboxes is gone for good. */
  private static Set<RunId> reopened(List<Outcome> outcomes) {
    Set<RunId> reopened = new HashSet<>();
    for (Outcome outcome : outcomes) {
      if (outcome instanceof Outcome.Reopened again) {
        reopened.add(again.run().id());
      }
    }
    return reopened;
  }

  /** The signals that were taken. */
  private static Stream<Command.Send> sent(Command command, Outcome outcome) {
    return switch (command) {
      case Command.Send send when outcome instanceof Outcome.Sent -> Stream.of(send);
      case Command.Advance advance when outcome instanceof Outcome.Advanced ->
          advance.sends().stream();
      case Command.Claim claim when outcome instanceof Outcome.Claimed claimed ->
          claim.onward().handedIn().stream()
              .filter(advance -> claimed.onward().get(advance.run()) instanceof Outcome.Advanced)
              .flatMap(advance -> advance.sends().stream());
      default -> Stream.empty();
    };
  }

  private void claimed(Host host, Activation activation) {
    Run run = activation.run();
    universe.mark(run.id().hashCode() + run.epoch());
    holders.put(new Command.Held(run.id(), run.epoch()), host.number());
  }

  private void advanced(Host host, Command.Advance advance) {
    advance.children().stream().map(NewRun::id).forEach(this::meet);
    Integer holder = holders.get(new Command.Held(advance.run(), advance.epoch()));
    if (holder == null || holder != host.number()) {
      report(
          "P1",
          advance.run(),
          "a write of host "
              + host.number()
              + " at epoch "
              + advance.epoch()
              + " was accepted; that lease belongs to host "
              + holder);
    }
    for (Entry entry : store.log(advance.run(), advance.seq() - 1, 1)) {
      if (entry.epoch() != advance.epoch()) {
        report(
            "P1",
            advance.run(),
            "a write that bore epoch "
                + advance.epoch()
                + " was accepted at epoch "
                + entry.epoch());
      }
    }
  }

  /** A request to cancel that was taken has left a trace. */
  void asked(RunId id) {
    Run run = store.run(id).orElseThrow();
    boolean known = run.status().isTerminal() || run.cancelling().isPresent();
    if (!known && store.mail(id).stream().noneMatch(Mail.Cancel.class::isInstance)) {
      report("R1", id, "a request to cancel it was taken and left no trace");
    }
  }

  private void meet(RunId id) {
    if (!rows.containsKey(id)) {
      Run run = store.run(id).orElseThrow();
      // A copy, so that the first look finds it changed.
      rows.put(id, run.change().run());
      met.accept(run);
    }
  }

  @SuppressWarnings("ReferenceEquality") // A row that nobody wrote is the same object.
  private void lookAtWhatChanged() {
    List<Run> changed = new ArrayList<>();
    for (Map.Entry<RunId, Run> row : rows.entrySet()) {
      Run now = store.run(row.getKey()).orElse(null);
      if (now == null) {
        report("R1", row.getKey(), "it was recorded and is gone");
      } else if (now != row.getValue()) {
        changed.add(now);
      }
    }
    for (Run run : changed) {
      rows.put(run.id(), run);
      universe.mark(run.id().hashCode() * 31L + run.status().word().hashCode());
    }
    changed.forEach(run -> violations.addAll(watch.look(run)));
  }

  /** The answer has reached whoever asked. */
  void acknowledge(List<Command> batch, List<Outcome> outcomes) {
    for (int i = 0; i < batch.size(); i++) {
      acknowledged.add(batch.get(i), outcomes.get(i));
    }
  }

  void report(String invariant, RunId run, String message) {
    violations.add(new Violation(invariant, run, "run " + run + ": " + message));
  }

  // ---- what it knows ----

  List<Violation> violations() {
    return violations;
  }

  Collection<Run> runs() {
    return rows.values();
  }

  Acknowledged acknowledged() {
    return acknowledged;
  }

  boolean isEverythingOver() {
    return rows.values().stream().allMatch(run -> run.status().isTerminal());
  }

  long commits() {
    return commits;
  }

  long commands() {
    return commands;
  }

  /** Everything once more at the end, each run with its relatives. */
  void lookAtEverything() {
    rows.values().forEach(run -> violations.addAll(watch.look(run)));
    acknowledged.check(rows.values(), this::report);
  }

  List<Entry> log(RunId run) {
    return store.log(run, 0, Integer.MAX_VALUE);
  }

  /** What the run waits for at this moment, if it is suspended. */
  Optional<Event.Suspended> waiting(Run run) {
    List<Entry> log = log(run.id());
    return log.getLast().event() instanceof Event.Suspended suspended
        ? Optional.of(suspended)
        : Optional.empty();
  }

  Optional<Run> row(RunId id) {
    return Optional.ofNullable(rows.get(id));
  }

  boolean isHolder(RunId run, long epoch, Host host) {
    Integer holder = holders.get(new Command.Held(run, epoch));
    return holder != null && holder == host.number();
  }

  boolean isReopened(RunId run) {
    return log(run).stream().anyMatch(entry -> entry.event() instanceof Event.Rewound);
  }
}
