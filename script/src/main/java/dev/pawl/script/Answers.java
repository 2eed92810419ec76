package dev.pawl.script;

import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.script.lang.Machine;
import dev.pawl.script.lang.Operation;
import dev.pawl.script.lang.Step;
import dev.pawl.store.Mail;
import dev.pawl.work.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives a script what it waits for, each thing on record: outcomes of children, signals, events,
 * times that have come, and what comes over it from outside. Earlier things go first; of two at the
 * same moment a message goes before a timer.
 */
final class Answers {
  /** The number under which what belongs to no operation of the present attempt is recorded. */
  private static final int NO_OPERATION = 0;

  private static final String JSON_NULL = "null";
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final Turn turn;
  private final Machine machine;
  private final Ledger ledger;
  private final Instant now;
  private final Inbox inbox;
  private Optional<String> cancelled = Optional.empty();

  Answers(Turn turn, Machine machine, Ledger ledger, Instant now) {
    this.turn = turn;
    this.machine = machine;
    this.ledger = ledger;
    this.now = now;
    this.inbox = new Inbox(turn.activation().mail());
  }

  /** Why the run is to be cancelled, if the script was told so in this turn. */
  Optional<String> cancelled() {
    return cancelled;
  }

  // ---- what is new ----

  /**
   * Gives the next thing that can be given; of outcomes that let nothing go on, as many as there
   * are in a row. False if there is nothing.
   */
  boolean feed(List<Step.Pending> pending) {
    boolean fed = lookAtWatched();
    Awaited awaited = Awaited.of(pending);
    while (!machine.isReady()) {
      Optional<Mail> mail = inbox.first(message -> isUsable(message, awaited));
      Optional<Ledger.Due> due = firstDue();
      if (mail.isEmpty() && due.isEmpty()) {
        return fed;
      }
      boolean first =
          mail.isPresent() && (due.isEmpty() || !mail.get().at().isAfter(due.get().at()));
      if (first && mail.get() instanceof Mail.ChildOutcome outcome) {
        take(outcome);
        fed = true;
      } else if (fed) {
        // Who takes a signal depends on who still waits: the machine must be asked again.
        return true;
      } else if (first) {
        take(mail.get(), awaited);
        return true;
      } else {
        fire(due.get(), pending);
        return true;
      }
    }
    return true;
  }

  private boolean isUsable(Mail message, Awaited awaited) {
    return switch (message) {
      case Mail.ChildOutcome outcome -> true;
      case Mail.Signal signal -> awaited.signals().containsKey(signal.name());
      case Mail.Topic event ->
          event.id() > ledger.cursor(event.topic(), turn.run().since())
              && awaited.topics().containsKey(event.topic());
      case Mail.Cancel cancel -> turn.run().cancelling().isEmpty() && cancelled.isEmpty();
    };
  }

  private void take(Mail mail, Awaited awaited) {
    switch (mail) {
      case Mail.Signal signal -> take(signal, awaited.signals().getOrDefault(signal.name(), 0L));
      case Mail.Topic event -> take(event, awaited.topics().getOrDefault(event.topic(), 0L));
      case Mail.Cancel cancel -> take(cancel);
      case Mail.ChildOutcome outcome -> take(outcome);
    }
  }

  /** The outcome of a child of an earlier attempt is only put on record. */
  private void take(Mail.ChildOutcome outcome) {
    inbox.remove(outcome);
    List<Long> ops = ledger.takeChild(outcome.child());
    int op = ops.isEmpty() ? NO_OPERATION : Math.toIntExact(ops.get(0));
    turn.record(new Event.ChildFinished(op, outcome.child(), outcome.result()), outcome);
    ops.forEach(each -> give(each, outcome.child(), outcome.result()));
  }

  private void give(long op, RunId child, Event.ChildResult result) {
    String type =
        result instanceof Event.ChildResult.Succeeded
            ? ""
            : turn.archive().run(child).map(Run::type).orElse("");
    give(machine, op, child, type, result);
  }

  static void give(Machine machine, long op, RunId child, String type, Event.ChildResult result) {
    Optional<Failure> failure = Errors.of(child, type, result);
    if (failure.isPresent()) {
      machine.fail(op, Errors.toScript(failure.get()));
    } else if (result instanceof Event.ChildResult.Succeeded done) {
      machine.settle(op, done.value().text());
    }
  }

  static boolean isFrom(Mail mail, RunId child) {
    return mail instanceof Mail.ChildOutcome outcome && outcome.child().equals(child);
  }

  private void take(Mail.Signal signal, long op) {
    inbox.remove(signal);
    int number = Math.toIntExact(op);
    turn.record(
        new Event.SignalReceived(number, signal.name(), signal.message(), signal.value()), signal);
    settle(op, signal.value().text());
  }

  private void take(Mail.Topic event, long op) {
    inbox.remove(event);
    int number = Math.toIntExact(op);
    turn.record(new Event.EventReceived(number, event.topic(), event.id(), event.value()), event);
    ledger.advance(event.topic(), event.id());
    settle(op, event.value().text());
  }

  private void settle(long op, String json) {
    ledger.forgetTime(op);
    machine.settle(op, json);
  }

  // ---- time ----

  /** The first time that has come, the run's deadline among them. */
  private Optional<Ledger.Due> firstDue() {
    Optional<Ledger.Due> first = ledger.firstDue(now);
    Optional<Instant> deadline =
        turn.run().deadline().filter(at -> !ledger.isDeadlinePassed() && !at.isAfter(now));
    boolean deadlineFirst =
        deadline.isPresent() && first.filter(due -> due.at().isBefore(deadline.get())).isEmpty();
    return deadlineFirst ? deadline.map(at -> new Ledger.Due(NO_OPERATION, at)) : first;
  }

  private void fire(Ledger.Due due, List<Step.Pending> pending) {
    if (due.op() == NO_OPERATION) {
      passDeadline();
      return;
    }
    ledger.forgetTime(due.op());
    turn.record(new Event.TimerFired(Math.toIntExact(due.op())));
    fire(due.op(), pending);
  }

  private void fire(long op, List<Step.Pending> pending) {
    Optional<String> timedOut =
        pending.stream()
            .map(Step.Pending::operation)
            .filter(operation -> operation.op() == op)
            .findFirst()
            .flatMap(Answers::timedOut);
    if (timedOut.isPresent()) {
      machine.fail(op, Errors.toScript(Failure.of("TIMEOUT", timedOut.get())));
    } else {
      machine.settle(op, JSON_NULL);
    }
  }

  private static Optional<String> timedOut(Operation.Awaitable operation) {
    return switch (operation) {
      case Operation.NextSignal wait ->
          Optional.of(
              "no signal '"
                  + wait.name()
                  + "' came within "
                  + wait.timeoutMillis().orElse(0)
                  + " ms");
      case Operation.NextEvent wait ->
          Optional.of(
              "no event came on '"
                  + wait.topic()
                  + "' within "
                  + wait.timeoutMillis().orElse(0)
                  + " ms");
      case Operation.StartTask task -> Optional.empty();
      case Operation.StartWorkflow flow -> Optional.empty();
      case Operation.Sleep sleep -> Optional.empty();
      case Operation.SleepUntil sleep -> Optional.empty();
    };
  }

  // ---- what comes over the script ----

  private void take(Mail.Cancel cancel) {
    inbox.remove(cancel);
    turn.record(new Event.CancelRequested(NO_OPERATION, cancel.reason()), cancel);
    interruptByCancel(cancel.reason());
  }

  private void interruptByCancel(String reason) {
    turn.acknowledgeCancel();
    cancelled = Optional.of(reason);
    String why = reason.isEmpty() ? "the run was cancelled" : reason;
    machine.interrupt(Errors.toScript(Failure.of("CANCELLED", why)));
  }

  private void passDeadline() {
    turn.record(new Event.DeadlinePassed(NO_OPERATION));
    interruptByDeadline();
  }

  private void interruptByDeadline() {
    ledger.passDeadline();
    Run run = turn.run();
    Failure late =
        Failure.of("TIMEOUT", "run " + run.id() + " of " + run.type() + " took longer than it may")
            .from(new Failure.Source("wait", run.id().toString(), "deadline"));
    machine.interrupt(Errors.toScript(late));
  }

  // ---- runs of others ----

  /** Looks at runs that are somebody else's and stand for a call because of their key. */
  private boolean lookAtWatched() {
    boolean ended = false;
    for (Map.Entry<Long, Ledger.Watched> each : new LinkedHashMap<>(ledger.watched()).entrySet()) {
      Ledger.Watched watched = each.getValue();
      if (!watched.next().isAfter(now)) {
        Optional<Run> run = turn.archive().run(watched.run());
        if (run.isPresent() && !run.get().status().isTerminal()) {
          Duration pause = watched.pause().multipliedBy(2);
          Duration next = pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
          ledger.watch(each.getKey(), new Ledger.Watched(watched.run(), now.plus(next), next));
        } else {
          ledger.unwatch(each.getKey());
          Event.ChildResult end =
              run.map(Ends::of).orElseGet(() -> new Event.ChildResult.Cancelled("it was removed"));
          give(machine, each.getKey(), watched.run(), run.map(Run::type).orElse(""), end);
          ended = true;
        }
      }
    }
    return ended;
  }

  // ---- what is on record already ----

  /**
   * Gives the script again what the log has on record behind its last suspension, in that order;
   * and then what it would have been given, had it not been over for a while.
   */
  void replay(Resumption from, Requests requests, TurnHost host) {
    if (from.tail().isEmpty() && from.reopenedAt().isEmpty()) {
      return;
    }
    for (Resumption.Stretch stretch : from.stretches()) {
      host.playAgain(stretch);
      stretch.answer().ifPresent(this::giveAgain);
      requests.goOn();
    }
    host.goOn();
    requests.recover(pending());
  }

  private void giveAgain(Event answer) {
    switch (answer) {
      case Event.ChildFinished child -> {
        for (long op : ledger.takeChild(child.child())) {
          give(op, child.child(), child.result());
        }
      }
      case Event.SignalReceived signal -> settle(signal.op(), signal.value().text());
      case Event.EventReceived received -> {
        ledger.advance(received.topic(), received.position());
        settle(received.op(), received.value().text());
      }
      case Event.TimerFired timer -> {
        ledger.forgetTime(timer.op());
        fire(timer.op(), pending());
      }
      case Event.CancelRequested cancel -> interruptByCancel(cancel.reason());
      case Event.DeadlinePassed passed -> interruptByDeadline();
      default -> throw new IllegalArgumentException("nothing is answered by " + answer);
    }
  }

  /** What the script waits for; it must have gone on as far as it can. */
  private List<Step.Pending> pending() {
    return machine.run() instanceof Step.Waiting waiting ? waiting.pending() : List.of();
  }
}
