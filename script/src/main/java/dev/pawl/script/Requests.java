package dev.pawl.script;

import dev.pawl.error.PawlException;
import dev.pawl.log.Bond;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.script.lang.Machine;
import dev.pawl.script.lang.Operation;
import dev.pawl.script.lang.Step;
import dev.pawl.store.NewRun;
import dev.pawl.work.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Carries out what a script asks for in a turn: children, timers, waits, lines of log. */
final class Requests {
  /** How soon somebody else's run is looked at for the first time; then ever less often. */
  private static final Duration FIRST_LOOK = Duration.ofMillis(250);

  private final Turn turn;
  private final Machine machine;
  private final Ledger ledger;
  private final Instant now;
  private final Map<Integer, Event.ChildStarted> started = new HashMap<>();
  private final Map<String, RunId> keys = new HashMap<>();
  private final Optional<Instant> reopenedAt;
  private int logged;
  private int lastOp;
  private boolean answered;

  /**
   * Children that the tail of the log has on record are not started again, and lines that it has
   * are not logged again.
   */
  Requests(Turn turn, Machine machine, Ledger ledger, Instant now, Resumption from) {
    this.turn = turn;
    this.machine = machine;
    this.ledger = ledger;
    this.now = now;
    this.reopenedAt = from.reopenedAt();
    for (Entry entry : from.tail()) {
      switch (entry.event()) {
        case Event.ChildStarted child -> started.put(child.op(), child);
        case Event.Logged line -> logged++;
        default -> {}
      }
    }
  }

  /** Lets the script go on, with all it asks for carried out, until it waits or has ended. */
  Step goOn() {
    Step step;
    do {
      answered = false;
      step = machine.run();
      carryOut(step.started());
    } while (step instanceof Step.Paused
        || (step instanceof Step.Waiting && (answered || machine.isReady())));
    return step;
  }

  private void carryOut(List<Operation> operations) {
    for (Operation operation : operations) {
      if (operation instanceof Operation.Awaitable awaitable) {
        lastOp = Math.toIntExact(awaitable.op());
      }
      carryOut(operation);
    }
  }

  private void carryOut(Operation operation) {
    switch (operation) {
      case Operation.StartTask task -> start(task.op(), () -> ChildStarts.of(turn, task));
      case Operation.StartWorkflow flow -> start(flow.op(), () -> ChildStarts.of(turn, flow));
      case Operation.Sleep sleep -> ledger.time(sleep.op(), now.plusMillis(sleep.millis()));
      case Operation.SleepUntil sleep ->
          ledger.time(sleep.op(), Instant.ofEpochMilli(sleep.epochMillis()));
      case Operation.NextSignal signal -> limit(signal.op(), signal.timeoutMillis());
      case Operation.NextEvent event -> limit(event.op(), event.timeoutMillis());
      case Operation.Log line -> log(line.text());
    }
  }

  private void log(String line) {
    if (logged > 0) {
      logged--;
    } else {
      turn.record(new Event.Logged(lastOp, line));
    }
  }

  private void limit(long op, OptionalLong millis) {
    millis.ifPresent(limit -> ledger.time(op, now.plusMillis(limit)));
  }

  /** Starts a child; what cannot be started fails at its await. */
  private void start(long op, Supplier<NewRun> child) {
    NewRun wanted;
    try {
      wanted = child.get();
    } catch (PawlException e) {
      answered = true;
      machine.fail(
          op, Errors.toScript(Failure.of(e.code().name(), String.valueOf(e.getMessage()))));
      return;
    }
    Event.ChildStarted earlier = started.get((int) op);
    if (earlier != null && earlier.type().equals(wanted.type())) {
      ledger.child(op, earlier.child());
    } else if (!attach(op, wanted)) {
      begin(op, wanted);
    }
  }

  private void begin(long op, NewRun child) {
    turn.record(new Event.ChildStarted((int) op, child.id(), child.type(), Bond.AWAITED), child);
    child.key().ifPresent(key -> keys.put(key, child.id()));
    ledger.child(op, child.id());
  }

  /**
   * Looks for a run that has the child's key already: the call then stands for that one. If it is
   * our own child, its outcome will come; if it is somebody else's, it is looked at now and then.
   */
  private boolean attach(long op, NewRun wanted) {
    if (wanted.key().isEmpty()) {
      return false;
    }
    RunId justStarted = keys.get(wanted.key().get());
    if (justStarted != null) {
      ledger.child(op, justStarted);
      return true;
    }
    Optional<Run> holder = turn.archive().runByKey(wanted.key().get());
    holder.ifPresent(run -> attach(op, run));
    return holder.isPresent();
  }

  private void attach(long op, Run run) {
    boolean mine = run.parent().filter(turn.run().id()::equals).isPresent();
    if (run.status().isTerminal()) {
      answered = true;
      Answers.give(machine, op, run.id(), run.type(), Ends.of(run));
    } else if (mine) {
      ledger.child(op, run.id());
    } else {
      ledger.watch(op, new Ledger.Watched(run.id(), now.plus(FIRST_LOOK), FIRST_LOOK));
    }
  }

  /**
   * Finds out how children ended whose outcome this run had no ear for, because it was over then
   * and nothing is on record of it. One that was cancelled, as children are with their parent, is
   * started again.
   */
  void recover(List<Step.Pending> pending) {
    for (Step.Pending open : pending) {
      long op = open.operation().op();
      Optional<RunId> child = ledger.child(op);
      child
          .flatMap(this::missedEnd)
          .ifPresent(end -> {
            if (end instanceof Event.ChildResult.Cancelled) {
              startAgain(op, child.get());
            } else {
              finish(op, child.get(), end);
            }
          });
    }
  }

  private void startAgain(long op, RunId cancelled) {
    turn.archive()
        .run(cancelled)
        .ifPresent(child -> {
          ledger.takeChild(cancelled);
          begin(op, ChildStarts.again(turn, child));
        });
  }

  private Optional<Event.ChildResult> missedEnd(RunId child) {
    boolean waiting =
        turn.activation().mail().stream().anyMatch(mail -> Answers.isFrom(mail, child));
    return reopenedAt
        .filter(at -> !waiting)
        .flatMap(at -> turn.archive().endOf(child, at))
        .map(Event.ChildResult::of);
  }

  private void finish(long op, RunId child, Event.ChildResult end) {
    answered = true;
    ledger.takeChild(child);
    turn.record(new Event.ChildFinished((int) op, child, end));
    String type = turn.archive().run(child).map(Run::type).orElse("");
    Answers.give(machine, op, child, type, end);
  }
}
