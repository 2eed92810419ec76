package dev.pawl.script;

import dev.pawl.log.Run;
import dev.pawl.log.Wait;
import dev.pawl.script.lang.Operation;
import dev.pawl.script.lang.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a script waits for, as the store is told. Only what some await depends on can wake the run.
 * Pure.
 *
 * @param wakeAfter 0 if no message wakes it
 */
record Suspension(Optional<Instant> until, List<Wait> waits, int wakeAfter) {

  static Suspension of(Run run, Step.Waiting waiting, Ledger ledger) {
    List<Wait> waits = new ArrayList<>();
    for (Step.Pending pending : waiting.pending()) {
      if (pending.awaited()) {
        add(run, pending.operation(), ledger, waits);
      }
    }
    boolean messages = waits.stream().anyMatch(wait -> !(wait instanceof Wait.Timer));
    int wakeAfter = ledger.sharesChildren() ? 1 : waiting.wakeAfter();
    return new Suspension(until(run, ledger, waits), List.copyOf(waits), messages ? wakeAfter : 0);
  }

  private static void add(Run run, Operation.Awaitable operation, Ledger ledger, List<Wait> to) {
    int op = Math.toIntExact(operation.op());
    ledger.child(op).ifPresent(child -> to.add(new Wait.Child(op, child)));
    ledger
        .watched(op)
        .ifPresent(watched ->
            to.add(new Wait.Timer(op, watched.next(), "a look at run " + watched.run())));
    String why = "";
    if (operation instanceof Operation.NextSignal signal) {
      to.add(new Wait.Signal(op, signal.name()));
      why = "the timeout of signal " + signal.name();
    } else if (operation instanceof Operation.NextEvent event) {
      to.add(new Wait.Topic(op, event.topic(), ledger.cursor(event.topic(), run.since())));
      why = "the timeout of event " + event.topic();
    }
    String what = why;
    ledger.time(op).ifPresent(at -> to.add(new Wait.Timer(op, at, what)));
  }

  private static Optional<Instant> until(Run run, Ledger ledger, List<Wait> waits) {
    Optional<Instant> deadline = ledger.isDeadlinePassed() ? Optional.empty() : run.deadline();
    Optional<Instant> first =
        waits.stream()
            .filter(Wait.Timer.class::isInstance)
            .map(wait -> ((Wait.Timer) wait).at())
            .min(Instant::compareTo);
    return first.filter(at -> deadline.isEmpty() || at.isBefore(deadline.get())).or(() -> deadline);
  }

  /** Whether nothing at all can end it. */
  boolean isForEver() {
    return until.isEmpty() && waits.isEmpty();
  }
}
