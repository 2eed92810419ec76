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
  private int lastOp;

  /** Children that the tail of the log has on record are not started again. */
  Requests(Turn turn, Machine machine, Ledger ledger, Instant now, Resumption from) {
    this.turn = turn;
    this.machine = machine;
    this.ledger = ledger;
    this.now = now;
    this.reopenedAt = from.reopenedAt();
    for (Entry entry : from.tail()) {
      if (entry.event() instanceof Event.ChildStarted child) {
        started.put(child.op(), child);
      }
    }
  }

  void carryOut(List<Operation> operations) {
    for (Operation operation : operations) {
      if (operation instanceof Operation.Awaitable awaitable) {
        lastOp = Math.toIntExact(awaitable.op());
      }
      carryOut(operation);
    }
  }

  private void carryOut(Operation operation) {
    switch (operation) {
      case Operation.StartTask task -> start(task.op(), () -> ChildStarts.of(turn.run(), task));
      case Operation.StartWorkflow flow -> start(flow.op(), () -> ChildStarts.of(turn.run(), flow));
      case Operation.Sleep sleep -> ledger.time(sleep.op(), now.plusMillis(sleep.millis()));
      case Operation.SleepUntil sleep ->
          ledger.time(sleep.op(), Instant.ofEpochMilli(sleep.epochMillis()));
      case Operation.NextSignal signal -> limit(signal.op(), signal.timeoutMillis());
      case Operation.NextEvent event -> limit(event.op(), event.timeoutMillis());
      case Operation.Log line -> turn.record(new Event.Logged(lastOp, line.text()));
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
      machine.fail(
          op, Errors.toScript(Failure.of(e.code().name(), String.valueOf(e.getMessage()))));
      return;
    }
    Event.ChildStarted earlier = started.get((int) op);
    if (earlier != null && earlier.type().equals(wanted.type())) {
      ledger.child(op, earlier.child());
      recover(op, earlier.child());
    } else if (!attach(op, wanted)) {
      Event.ChildStarted event =
          new Event.ChildStarted((int) op, wanted.id(), wanted.type(), Bond.AWAITED);
      turn.record(event, wanted);
      wanted.key().ifPresent(key -> keys.put(key, wanted.id()));
      ledger.child(op, wanted.id());
    }
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
      Answers.give(machine, op, run.id(), run.type(), Ends.of(run));
    } else if (mine) {
      ledger.child(op, run.id());
    } else {
      ledger.watch(op, new Ledger.Watched(run.id(), now.plus(FIRST_LOOK), FIRST_LOOK));
    }
  }

  /**
   * Finds out how children ended whose outcome this run had no ear for, because it was over then.
   */
  void recover() {
    Map.copyOf(ledger.children()).forEach(this::recover);
  }

  private void recover(long op, RunId child) {
    boolean waits =
        reopenedAt.isPresent()
            && turn.activation().mail().stream().noneMatch(mail -> Answers.isFrom(mail, child));
    if (!waits) {
      return;
    }
    turn.endOf(child, reopenedAt.get())
        .map(Event.ChildResult::of)
        .ifPresent(end -> {
          ledger.takeChild(child);
          turn.record(new Event.ChildFinished((int) op, child, end));
          Answers.give(machine, op, child, "", end);
        });
  }
}
