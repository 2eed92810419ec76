package dev.pawl.flow;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Mail;
import dev.pawl.work.FailedException;
import dev.pawl.work.Failures;
import dev.pawl.work.Program;
import dev.pawl.work.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One flow being executed: its thread, and the operations it has asked for.
 *
 * <p>The flow's own thread runs the code ({@link #runCode}); where the code has to wait for
 * something outside, it ends the turn with a suspension and stays where it is until the next turn
 * is brought ({@link #resume}), by whoever has claimed the run. Bodies of parallel steps have
 * threads of their own and only settle their step. Everything shared is guarded by the one lock.
 *
 * <p>The flow's thread has an executor to itself, so that nothing but this object refers to it: the
 * JDK keeps every virtual thread that it starts directly reachable for ever, but only weakly those
 * of an executor. A thread that is never woken again is thus collected.
 */
final class Execution<I, O> {
  /** A step's backoff up to this long is waited for in place; a longer one suspends the run. */
  private static final Duration SHORT_BACKOFF = Duration.ofSeconds(1);

  /** Who waits in place without a time to wait for looks again after this long. */
  private static final Duration LONGEST_LOOK = Duration.ofMinutes(1);

  private static final ThreadFactory THREADS = Thread.ofVirtual().name("pawl-flow").factory();

  private final Flow<I, O> flow;
  private final Consumer<Execution<I, O>> parking;
  private final Memory memory;
  private final RunId run;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, Integer> uses = new HashMap<>();
  private final Map<String, Long> cursors = new HashMap<>();
  private final Map<RunId, Op.Child<?>> children = new HashMap<>();
  private final List<Compensation> compensations = new ArrayList<>();
  private final Interruptions interruptions;
  private final Bodies bodies;
  private final Waits waits;
  private final long since;
  private @Nullable Thread thread;
  private Turn turn;
  private Mailbox mailbox;
  private Program.Ending ending;
  private long parkedSeq;
  private int ops;

  private record Compensation(String name, FlowContext.Action body) {}

  /**
   * @param parking is given this whenever it is about to be parked
   */
  Execution(
      Flow<I, O> flow,
      Memory memory,
      Turn turn,
      Program.Ending ending,
      Consumer<Execution<I, O>> parking) {
    this.flow = flow;
    this.memory = memory;
    this.run = turn.run().id();
    this.since = turn.run().since();
    this.turn = turn;
    this.ending = ending;
    this.parking = parking;
    this.mailbox = new Mailbox(turn.activation().mail());
    this.interruptions = new Interruptions(this, memory);
    this.bodies = new Bodies(this, flow.bodies(), lock, changed);
    this.waits = new Waits(bodies, interruptions);
  }

  RunId run() {
    return run;
  }

  UUID newId() {
    return turn.platform().newId();
  }

  Turn turn() {
    return turn;
  }

  Memory memory() {
    return memory;
  }

  Bodies bodies() {
    return bodies;
  }

  /**
   * The moment at which the code asks for its next operation, or, if it did so before, not much
   * later.
   */
  Instant asking() {
    return memory.askedBefore(ops).orElseGet(() -> turn.now());
  }

  /** Takes note of a timer that the code has set. */
  Op.Timer set(Op.Timer timer) {
    lock.lock();
    try {
      waits.add(timer);
      return timer;
    } finally {
      lock.unlock();
    }
  }

  Interruptions interruptions() {
    return interruptions;
  }

  String type() {
    return flow.type();
  }

  /** How many operations the code has asked for. */
  int ops() {
    return ops;
  }

  // ---- the worker's side ----

  /** Starts a thread that a flow can have to itself. */
  static void startThread(Runnable body) {
    Executors.newThreadPerTaskExecutor(THREADS).execute(body);
  }

  /** Lets the parked thread go on with a new turn. */
  void resume(Turn next, Program.Ending whenItEnds) {
    lock.lock();
    try {
      turn = next;
      ending = whenItEnds;
      mailbox = new Mailbox(next.activation().mail());
      if (interruptions.isUndoing()) {
        next.acknowledgeCancel();
      }
      next.onChange(this::wake);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether the run, claimed anew, stands where this thread left it: nothing but our own suspension
   * and the claim in between. A thread whose last turn came to nothing stands nowhere, whatever the
   * numbers say.
   */
  boolean continuesAt(Activation activation) {
    return activation.seq() == parkedSeq + 1
        && activation.run().epoch() == turn.run().epoch() + 1
        && !turn.isTaken();
  }

  private void wake() {
    Turn held;
    Program.Ending heldEnding;
    lock.lock();
    try {
      held = turn;
      heldEnding = ending;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (held.isLost()) {
      heldEnding.fail(held.leaseLost());
    }
  }

  // ---- the flow's side: the code, from the first line to the last ----

  /** Runs the code on this thread, which is the flow's own: until it ends, or never goes on. */
  void runCode() {
    thread = Thread.currentThread();
    turn.onChange(this::wake);
    Event.TurnEnd end;
    try {
      end = toTheEnd();
    } catch (Throwable e) {
      if (e instanceof PawlException problem && problem.code() == ErrorCode.DIVERGED) {
        ending.end(parkForOperator(problem));
      } else {
        ending.fail(e);
      }
      return;
    }
    ending.end(end);
  }

  private Event.TurnEnd toTheEnd() {
    try {
      return succeed(call());
    } catch (Throwable e) {
      return fail(e);
    }
  }

  @SuppressWarnings(
      "NullAway") // A flow whose payload is JSON null gets null: its own declaration says so.
  private Json call() throws Exception {
    I input = decodeInput();
    return JsonCodec.encode(flow.code().run(new Context(this), input));
  }

  private @Nullable I decodeInput() {
    try {
      return JsonCodec.decode(turn.run().payload(), flow.input());
    } catch (PawlException e) {
      throw FailedException.permanent(
          e.code().name(),
          "the payload of run " + run + " is not what its flow takes: " + e.getMessage());
    }
  }

  private Event.TurnEnd succeed(Json result) {
    memory.checkAllAsked(ops);
    if (memory.compensating().isPresent()) {
      return undo(memory.compensating().get());
    }
    return interruptions
        .cancelled()
        .<Event.TurnEnd>map(Event.Cancelled::new)
        .orElseGet(() -> new Event.Succeeded(result));
  }

  private Event.TurnEnd fail(Throwable error) {
    if (error instanceof PawlException problem && problem.code() == ErrorCode.DIVERGED) {
      return parkForOperator(problem);
    }
    Failure.Source source = new Failure.Source("run", run.toString(), flow.type());
    Failure failure = Failures.of(error, flow.retry(), turn.run().attempt(), source);
    boolean again = failure.retryable() && turn.run().attempt() < turn.run().maxAttempts();
    if (again
        && interruptions.cancelled().isEmpty()
        && !memory.isFailureToUndo(failure, ops)
        && !Failures.isOnRecord(error)) {
      Instant next = turn.now().plus(flow.retry().backoff(turn.run(), turn.platform().chance()));
      return new Event.Retried(failure, next, true);
    }
    return undo(memory.compensating().orElse(failure));
  }

  /** Runs the compensations, the last registered first, and ends the run. */
  private Event.TurnEnd undo(Failure failure) {
    Optional<String> reason = interruptions.cancelled();
    interruptions.beginToUndo();
    if (!compensations.isEmpty()) {
      if (memory.compensating().isEmpty()) {
        recording(held -> held.record(new Event.Compensating(failure)));
      }
      Context context = new Context(this);
      for (Compensation each : compensations.reversed()) {
        try {
          context.step(each.name(), each.body());
        } catch (FailedException e) {
          // Its failure is on record as that of its step; the others are still undone.
        }
      }
    }
    return reason
        .<Event.TurnEnd>map(Event.Cancelled::new)
        .orElseGet(() -> new Event.Failed(failure));
  }

  private Event.TurnEnd parkForOperator(PawlException problem) {
    String why = ErrorCode.DIVERGED + ": " + problem.getMessage();
    return new Event.Suspended(
        Optional.empty(), List.of(new Wait.Operator(ops, why)), 0, true, Json.NULL);
  }

  // ---- operations ----

  void onFailure(String name, FlowContext.Action body) {
    checkThread();
    compensations.add(new Compensation(name, body));
  }

  /**
   * The number for the next operation; the place where a cancellation or a passed deadline strikes.
   */
  int nextOp() {
    checkThread();
    interruptions.strike(null);
    return ops++;
  }

  int nextUse(String name) {
    return uses.merge(name, 1, Integer::sum) - 1;
  }

  long cursor(String topic) {
    return cursors.getOrDefault(topic, since);
  }

  void advanceCursor(String topic, long position) {
    cursors.merge(topic, position, Math::max);
  }

  void addChild(Op.Child<?> op) {
    children.put(op.child, op);
  }

  private void checkThread() {
    boolean mine = Thread.currentThread().equals(thread);
    if (!mine || bodies.isHere()) {
      throw PawlException.conflict(
          mine
              ? "the body of a step called the flow's context; a step is one unit, use its"
                  + " StepContext only"
              : "a flow's context belongs to the flow's own thread; use stepAsync, map or children"
                  + " to do things side by side");
    }
  }

  /** Records through the current turn. If its lease is lost, this thread never returns. */
  long recording(ToLongFunction<Turn> write) {
    try {
      return write.applyAsLong(turn);
    } catch (Turn.LeaseLost e) {
      abandon();
      throw e;
    }
  }

  /**
   * Waits until everything recorded is durable. If the lease is lost, this thread never returns.
   */
  void flush() {
    try {
      turn.flush();
    } catch (Turn.LeaseLost e) {
      abandon();
    }
  }

  /** Ends the turn and stays here for ever: whoever holds the run now carries on from the log. */
  private void abandon() {
    ending.fail(turn.leaseLost());
    lock.lock();
    try {
      while (true) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  // ---- waiting ----

  /** Waits until it has ended, in place while steps are running, else by suspending the run. */
  <T> @Nullable T await(Awaitable<T> awaited) {
    checkThread();
    while (true) {
      interruptions.strikeCancelled(guarded(awaited::result));
      long seen = settleWhatIsThere(awaited);
      Result<T> result = guarded(awaited::result);
      interruptions.strike(result);
      if (result != null) {
        return result.get();
      }
      if (!waitInPlace(awaited, seen)) {
        suspend(awaited);
      }
    }
  }

  private <T> @Nullable T guarded(java.util.function.Supplier<@Nullable T> read) {
    lock.lock();
    try {
      return read.get();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives the operations that are waited for what is there for them; returns how many bodies had
   * ended by then.
   */
  private long settleWhatIsThere(Awaitable<?> awaited) {
    lock.lock();
    try {
      mailbox.takeChildren(children::containsKey).forEach(this::settleChild);
      awaited.open(this::settle);
      return bodies.ended();
    } finally {
      lock.unlock();
    }
  }

  private void settleChild(Mail.ChildOutcome mail) {
    Op.Child<?> op = children.get(mail.child());
    if (op != null && op.result() == null) {
      Event event = new Event.ChildFinished(op.number, op.child, mail.result());
      op.finish(recording(held -> held.record(event, mail)), mail.result());
    }
  }

  /**
   * Finds out how a child ended of which its parent did not hear: it was over by then, or has been
   * taken back to before the outcome was on record. Any later one is in the mailbox.
   */
  void recover(Op.Child<?> op) {
    Optional<Instant> reopened = memory.reopenedAt();
    if (reopened.isEmpty() || guarded(op::result) != null || mailbox.hasChild(op.child)) {
      return;
    }
    turn.archive()
        .endOf(op.child, reopened.get())
        .map(Event.ChildResult::of)
        .ifPresent(end ->
            guarded(() -> {
              Event event = new Event.ChildFinished(op.number, op.child, end);
              op.finish(recording(held -> held.record(event)), end);
              return null;
            }));
  }

  private void settle(Op<?> op) {
    switch (op) {
      case Op.Signal<?> signal ->
          mailbox.takeSignal(signal.name).ifPresent(mail -> receive(signal, mail));
      case Op.Topic<?> topic ->
          mailbox
              .takeEvent(topic.topic, cursor(topic.topic))
              .ifPresent(mail -> receive(topic, mail));
      case Op.Timer timer -> {
        if (turn.isReached(timer.at)) {
          timer.settle(
              Result.of(recording(held -> held.record(new Event.TimerFired(timer.number))), null));
        }
      }
      case Op.Step<?> step -> {}
      case Op.Child<?> child -> {}
    }
  }

  private void receive(Op.Signal<?> op, Mail.Signal mail) {
    Event event = new Event.SignalReceived(op.number, op.name, mail.message(), mail.value());
    op.receive(recording(held -> held.record(event, mail)), mail.value());
  }

  private void receive(Op.Topic<?> op, Mail.Topic mail) {
    Event event = new Event.EventReceived(op.number, op.topic, mail.id(), mail.value());
    advanceCursor(op.topic, mail.id());
    op.receive(recording(held -> held.record(event, mail)), mail.value());
  }

  /**
   * Waits for a body that is running or for a backoff that is short; false if the run had better be
   * suspended.
   */
  private boolean waitInPlace(Awaitable<?> awaited, long seen) {
    bodies.launchDue(awaited);
    lock.lock();
    try {
      Optional<Instant> next = waits.nextTime(awaited);
      Duration left = next.map(turn::until).orElse(LONGEST_LOOK);
      boolean brief = !bodies.retrying().isEmpty() && left.compareTo(SHORT_BACKOFF) <= 0;
      boolean unseen = bodies.ended() != seen;
      if (bodies.running() == 0 && !unseen && !brief) {
        return false;
      }
      if (!unseen && !turn.isLost() && !interruptions.isFresh()) {
        awaitChange(left.plusMillis(1));
      }
      if (turn.isLost()) {
        abandon();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** The loop around it is that of await(), which looks at everything again. */
  private void awaitChange(Duration longest) {
    try {
      boolean unused = turn.platform().await(changed, Math.max(1, longest.toMillis()));
    } catch (InterruptedException e) {
      // A late interrupt of a body that has ended; whatever it was about shows in the turn.
    }
  }

  /** Ends the turn with a suspension, and stays here until the run comes back. */
  private void suspend(Awaitable<?> awaited) {
    Turn left = turn;
    Event.Suspended end;
    lock.lock();
    try {
      parkedSeq = left.nextSeq();
      end = waits.suspension(awaited, flow.maxSuspend(), parkedSeq);
    } finally {
      lock.unlock();
    }
    // Whoever claims the run when this end is durable is to find the thread.
    parking.accept(this);
    ending.end(end);
    lock.lock();
    try {
      ending = turn == left ? Program.Ending.NONE : ending;
      while (turn == left) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
