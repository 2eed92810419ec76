package dev.pawl.flow;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import dev.pawl.time.Chance;
import dev.pawl.time.Millis;
import dev.pawl.time.Ticker;
import dev.pawl.work.Bounded;
import dev.pawl.work.CancelledException;
import dev.pawl.work.FailedException;
import dev.pawl.work.Failures;
import dev.pawl.work.TimedOutException;
import dev.pawl.work.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One flow being executed: its thread, and the operations it has asked for.
 *
 * <p>Two threads meet here. The worker's brings a turn ({@link #start}, {@link #resume}) and waits
 * until the flow's code has ended it. The flow's own runs the code; where the code has to wait for
 * something outside, it ends the turn with a suspension and stays where it is until the next turn
 * is brought. Bodies of parallel steps have threads of their own and only settle their step.
 * Everything shared is guarded by the one lock.
 *
 * <p>The flow's thread has an executor to itself, so that nothing but this object refers to it: the
 * JDK keeps every virtual thread that it starts directly reachable for ever, but only weakly those
 * of an executor. A thread that is never woken again is thus collected.
 */
final class Execution<I, O> {
  /** A step's backoff up to this long is waited for in place; a longer one suspends the run. */
  private static final Duration SHORT_BACKOFF = Duration.ofSeconds(1);

  private static final ThreadFactory THREADS = Thread.ofVirtual().name("pawl-flow").factory();

  private final Flow<I, O> flow;
  private final Memory memory;
  private final RunId run;
  private final Chance chance = Chance.system();
  private final Ticker ticker = Ticker.system();
  private final ExecutorService executor = Executors.newThreadPerTaskExecutor(THREADS);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, Integer> uses = new HashMap<>();
  private final Map<String, Long> cursors = new HashMap<>();
  private final Map<RunId, Op.Child<?>> children = new HashMap<>();
  private final Set<Op.Step<?>> retrying = new LinkedHashSet<>();

  /** Steps whose body was cut short by the cancellation: they run again if they are awaited. */
  private final Set<Op.Step<?>> cutShort = new LinkedHashSet<>();

  private final List<Compensation> compensations = new ArrayList<>();
  private final long since;
  private @Nullable Thread thread;
  private Turn turn;
  private Mailbox mailbox;
  private CompletableFuture<Event.TurnEnd> turnEnd = new CompletableFuture<>();
  private Optional<Instant> suspensionLimit;
  private long limitedSince;
  private volatile Optional<String> cancelled = Optional.empty();
  private boolean undoing;
  private boolean cancelPutAside;
  private boolean deadlinePassed;
  private boolean inBody;
  private boolean parked;
  private long parkedSeq;
  private int ops;
  private int running;

  /** How many bodies have ended so far: a wait that has seen fewer looks again. */
  private long settled;

  private record Compensation(String name, FlowContext.Action body) {}

  Execution(Flow<I, O> flow, Memory memory, Turn turn) {
    this.flow = flow;
    this.memory = memory;
    this.run = turn.run().id();
    this.since = turn.run().since();
    this.turn = turn;
    this.mailbox = new Mailbox(turn.activation().mail());
    this.suspensionLimit = memory.timer(Memory.SUSPENSION_LIMIT);
    this.limitedSince = memory.suspendedSeq();
  }

  RunId run() {
    return run;
  }

  Turn turn() {
    return turn;
  }

  Memory memory() {
    return memory;
  }

  // ---- the worker's side ----

  Event.TurnEnd start(Turn first) throws Exception {
    first.onChange(this::wake);
    executor.execute(this::code);
    return await(turnEnd);
  }

  Event.TurnEnd resume(Turn next) throws Exception {
    lock.lock();
    try {
      turn = next;
      mailbox = new Mailbox(next.activation().mail());
      turnEnd = new CompletableFuture<>();
      parked = false;
      if (undoing) {
        next.acknowledgeCancel();
      }
      next.onChange(this::wake);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    return await(turnEnd);
  }

  private Event.TurnEnd await(CompletableFuture<Event.TurnEnd> end) throws Exception {
    try {
      return end.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  boolean isParked() {
    return parked;
  }

  /**
   * Whether the run, claimed anew, stands where this thread left it: nothing but our own suspension
   * and the claim in between.
   */
  boolean continuesAt(Activation activation) {
    return activation.seq() == parkedSeq + 1 && activation.run().epoch() == turn.run().epoch() + 1;
  }

  private void wake() {
    lock.lock();
    try {
      if (turn.isLost()) {
        turnEnd.completeExceptionally(turn.leaseLost());
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  // ---- the flow's side: the code, from the first line to the last ----

  private void code() {
    thread = Thread.currentThread();
    try {
      finishTurn(toTheEnd());
    } catch (PawlException e) {
      if (e.code() == ErrorCode.DIVERGED) {
        finishTurn(parkForOperator(e));
      } else {
        breakTurn(e);
      }
    } catch (Throwable e) {
      breakTurn(e);
    }
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
    return cancelled
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
    if (again && cancelled.isEmpty() && memory.compensating().isEmpty() && !isOnRecord(error)) {
      Instant next = turn.now().plus(flow.retry().backoff(turn.run().attempt(), chance));
      return new Event.Retried(failure, next, true);
    }
    return undo(memory.compensating().orElse(failure));
  }

  /**
   * Whether running the code again would only meet the same failure: it is a recorded one, or was
   * caused by it.
   */
  private boolean isOnRecord(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (e instanceof FailedException failed && !failed.failure().source().kind().isEmpty()) {
        return true;
      }
    }
    return deadlinePassed && error instanceof TimedOutException;
  }

  /** Runs the compensations, the last registered first, and ends the run. */
  private Event.TurnEnd undo(Failure failure) {
    Optional<String> reason = cancelled;
    beginToUndo();
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

  private void beginToUndo() {
    lock.lock();
    try {
      undoing = true;
      turn.acknowledgeCancel();
    } finally {
      lock.unlock();
    }
  }

  private Event.TurnEnd parkForOperator(PawlException problem) {
    String why = ErrorCode.DIVERGED + ": " + problem.getMessage();
    return new Event.Suspended(
        Optional.empty(), List.of(new Wait.Operator(ops, why)), 0, true, Json.NULL);
  }

  private void finishTurn(Event.TurnEnd end) {
    lock.lock();
    try {
      turnEnd.complete(end);
    } finally {
      lock.unlock();
    }
  }

  private void breakTurn(Throwable error) {
    lock.lock();
    try {
      turnEnd.completeExceptionally(error);
    } finally {
      lock.unlock();
    }
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
    interruption(null).ifPresent(this::strike);
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
    if (!mine || inBody) {
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
  private void flush() {
    try {
      turn.flush();
    } catch (Turn.LeaseLost e) {
      abandon();
    }
  }

  /** Ends the turn and stays here for ever: whoever holds the run now carries on from the log. */
  private void abandon() {
    lock.lock();
    try {
      turnEnd.completeExceptionally(turn.leaseLost());
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
      long seen = settleWhatIsThere(awaited);
      Result<T> result = guarded(awaited::result);
      interruption(result).ifPresent(this::strike);
      if (result != null) {
        endOfSuspension(result);
        return result.get();
      }
      if (!waitInPlace(awaited, seen)) {
        suspend(awaited);
      }
    }
  }

  /** What came after the suspension has ended it, and its limit with it. */
  private void endOfSuspension(Result<?> result) {
    if (result.position() > limitedSince) {
      suspensionLimit = Optional.empty();
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
      children.values().forEach(this::settleChild);
      awaited.open(this::settle);
      return settled;
    } finally {
      lock.unlock();
    }
  }

  private void settleChild(Op.Child<?> op) {
    if (op.result() == null) {
      mailbox
          .takeChild(op.child)
          .ifPresent(mail -> {
            Event event = new Event.ChildFinished(op.number, op.child, mail.result());
            op.finish(recording(held -> held.record(event, mail)), mail.result());
          });
    }
  }

  /**
   * Finds out how a child ended that its parent counts on and had no ear for: the outcome came
   * while the parent was over, or was on record behind the place to which the parent was taken
   * back. An outcome from later than that is in the mailbox.
   */
  void recover(Op.Child<?> op) {
    Optional<Instant> reopened = memory.reopenedAt();
    if (reopened.isEmpty() || guarded(op::result) != null || mailbox.hasChild(op.child)) {
      return;
    }
    turn.endOf(op.child, reopened.get())
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
    launchDueRetries(awaited);
    lock.lock();
    try {
      Optional<Instant> next = nextTime(awaited);
      Duration left = next.map(turn::until).orElse(SHORT_BACKOFF.plusSeconds(1));
      boolean brief = !retrying.isEmpty() && left.compareTo(SHORT_BACKOFF) <= 0;
      if (running == 0 && settled == seen && !brief) {
        return false;
      }
      if (settled == seen && !turn.isLost() && !hasFreshInterruption()) {
        awaitChange(next.isPresent() ? left.plusMillis(1) : Duration.ofMinutes(1));
      }
      if (turn.isLost()) {
        abandon();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings(
      "WaitNotInLoop") // The loop is that of await(), which looks at everything again.
  private void awaitChange(Duration longest) {
    try {
      boolean unused = changed.await(Math.max(1, longest.toMillis()), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // A late interrupt of a body that has ended; whatever it was about shows in the turn.
    }
  }

  /**
   * The earliest moment at which one of the open operations, or a step that is to be tried again,
   * wants attention.
   */
  private Optional<Instant> nextTime(Awaitable<?> awaited) {
    List<Instant> times = new ArrayList<>();
    awaited.open(op -> {
      if (op instanceof Op.Timer timer) {
        times.add(timer.at);
      }
    });
    retrying.forEach(step -> step.retryAt.ifPresent(times::add));
    turn.run().deadline().filter(at -> !deadlinePassed && !undoing).ifPresent(times::add);
    return times.stream().min(Instant::compareTo);
  }

  /** Ends the turn with a suspension, and stays here until the run comes back. */
  private void suspend(Awaitable<?> awaited) {
    lock.lock();
    try {
      List<Wait> waits = new ArrayList<>();
      awaited.open(op -> op.waiting().ifPresent(waits::add));
      retrying.stream()
          .filter(step -> !waits.contains(step.waiting().orElseThrow()))
          .forEach(step -> waits.add(step.waiting().orElseThrow()));
      suspensionLimit =
          suspensionLimit.or(
              () -> flow.maxSuspend().map(limit -> Millis.up(turn.now().plus(limit))));
      suspensionLimit.ifPresent(
          at -> waits.add(new Wait.Timer(Memory.SUSPENSION_LIMIT, at, "limit of the suspension")));
      Optional<Instant> until = until(awaited);
      parkedSeq = turn.nextSeq();
      limitedSince = parkedSeq;
      parked = true;
      Turn left = turn;
      turnEnd.complete(
          new Event.Suspended(until, List.copyOf(waits), awaited.need(), true, Json.NULL));
      while (turn == left) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private Optional<Instant> until(Awaitable<?> awaited) {
    Optional<Instant> next = nextTime(awaited);
    return suspensionLimit
        .filter(limit -> next.isEmpty() || limit.isBefore(next.get()))
        .or(() -> next);
  }

  // ---- cancellation and deadline ----

  /** What strikes the code, and its place in the log. */
  private record Interruption(long position, FailedException exception) {}

  private void strike(Interruption interruption) {
    throw interruption.exception();
  }

  /**
   * The interruption that is due at this operation: a recorded one that came before the result, or,
   * if there is no result yet, one that is new.
   */
  private Optional<Interruption> interruption(@Nullable Result<?> result) {
    if (undoing) {
      putCancelAside();
      return Optional.empty();
    }
    Entry recorded = memory.interruptions().peek();
    if (recorded != null) {
      boolean first = result == null || result.position() > recorded.seq();
      return first && isHere(recorded.event()) ? Optional.of(observe(recorded)) : Optional.empty();
    }
    return result == null && mayStrike() ? freshInterruption() : Optional.empty();
  }

  /** Something new strikes only where the code has got further than the log remembers. */
  private boolean mayStrike() {
    return !undoing && memory.compensating().isEmpty() && ops > memory.furthest();
  }

  /**
   * Work that is being undone is undone to the end: a request to cancel it is only taken note of.
   */
  private void putCancelAside() {
    Optional<Mail.Cancel> request = turn.cancelRequest();
    if (request.isPresent() && cancelled.isEmpty() && !cancelPutAside) {
      cancelPutAside = true;
      Event event = new Event.CancelRequested(ops, request.get().reason());
      recording(held -> held.record(event, request.get()));
    }
  }

  private boolean isHere(Event event) {
    return switch (event) {
      case Event.CancelRequested e -> e.op() == ops;
      case Event.DeadlinePassed e -> e.op() == ops;
      default -> false;
    };
  }

  private Interruption observe(Entry entry) {
    return entry.event() instanceof Event.CancelRequested request
        ? cancelAt(entry.seq(), request.reason())
        : deadlineAt(entry.seq());
  }

  private boolean hasFreshInterruption() {
    return mayStrike()
        && ((cancelled.isEmpty() && turn.cancelRequest().isPresent()) || isPastDeadline());
  }

  private Optional<Interruption> freshInterruption() {
    Optional<Mail.Cancel> request = turn.cancelRequest();
    if (cancelled.isEmpty() && request.isPresent()) {
      String reason = request.get().reason();
      Event event = new Event.CancelRequested(ops, reason);
      return Optional.of(cancelAt(recording(held -> held.record(event, request.get())), reason));
    }
    if (isPastDeadline()) {
      return Optional.of(deadlineAt(recording(held -> held.record(new Event.DeadlinePassed(ops)))));
    }
    return Optional.empty();
  }

  private boolean isPastDeadline() {
    boolean run = turn.run().deadline().filter(turn::isReached).isPresent();
    boolean suspension = suspensionLimit.filter(turn::isReached).isPresent();
    return !deadlinePassed && (run || suspension);
  }

  private Interruption cancelAt(long position, String reason) {
    memory.interruptions().poll();
    cancelled = Optional.of(reason);
    turn.acknowledgeCancel();
    return new Interruption(position, new CancelledException(reason));
  }

  private Interruption deadlineAt(long position) {
    memory.interruptions().poll();
    deadlinePassed = true;
    suspensionLimit = Optional.empty();
    Failure failure =
        Failure.of("TIMEOUT", "run " + run + " of " + flow.type() + " took longer than it may")
            .from(new Failure.Source("wait", run.toString(), "deadline"));
    return new Interruption(position, new TimedOutException(failure));
  }

  // ---- the bodies of steps ----

  /** Runs a step's body on this thread, again and again while its backoffs are short. */
  void runHere(Op.Step<?> step) {
    flush();
    step.begunBeforeCancel = cancelled.isEmpty();
    inBody = true;
    try {
      attempt(step, turn);
    } finally {
      inBody = false;
    }
  }

  /** Starts a step's body on a thread of its own, behind its gate if there is one. */
  void launch(Op.Step<?> step) {
    flush();
    lock.lock();
    try {
      step.retryAt = Optional.empty();
      step.begunBeforeCancel = cancelled.isEmpty();
      retrying.remove(step);
      running++;
    } finally {
      lock.unlock();
    }
    Turn held = turn;
    Thread.ofVirtual()
        .name("pawl-step")
        .start(() -> {
          step.gate.ifPresent(Semaphore::acquireUninterruptibly);
          try {
            attempt(step, held);
          } finally {
            step.gate.ifPresent(Semaphore::release);
            ended(held);
          }
        });
  }

  private void ended(Turn held) {
    lock.lock();
    try {
      running--;
      settled++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    held.push();
  }

  private void launchDueRetries(Awaitable<?> awaited) {
    List<Op.Step<?>> due = new ArrayList<>();
    lock.lock();
    try {
      retrying.stream()
          .filter(step -> step.retryAt.filter(turn::isReached).isPresent())
          .forEach(due::add);
      awaited.open(op -> {
        if (op instanceof Op.Step<?> step && cutShort.remove(step)) {
          due.add(step);
        }
      });
    } finally {
      lock.unlock();
    }
    due.forEach(this::launch);
  }

  private <T> void attempt(Op.Step<T> step, Turn held) {
    int number = step.failures + 1;
    long start = ticker.nanos();
    try {
      if (step.transaction.isPresent()) {
        transact(step, step.transaction.get(), held, number, start);
      } else {
        StepContext context = new StepContext(flow.type() + "/" + run + "/" + step.key(), number);
        T value =
            Bounded.call(step.describe(), held, step.retry.timeout(), () -> step.body.run(context));
        completed(step, held, completion(step, number, value, start));
      }
    } catch (Throwable e) {
      failed(step, held, number, e);
    }
  }

  /**
   * Runs a step's body inside a transaction of the store; its result is recorded by the same
   * commit.
   */
  private <T> void transact(
      Op.Step<T> step,
      FlowContext.TransactionBody<Object, T> body,
      Turn held,
      int number,
      long start)
      throws Exception {
    switch (held.transact(resource -> completion(step, number, body.run(resource), start))) {
      case Outcome.Transacted done when done.entry().event() instanceof Event.StepCompleted event ->
          guarded(() -> {
            step.complete(done.entry().seq(), event.value());
            return null;
          });
      case Outcome.Threw threw -> throw threw.exception();
      case Outcome other -> throw PawlException.internal("a transaction came back as " + other);
    }
  }

  /** The event that records a value, once it is sure that the value survives being read back. */
  private <T> Event.StepCompleted completion(
      Op.Step<T> step, int number, @Nullable T value, long start) {
    Json json = JsonCodec.encode(value);
    JsonCodec.decode(json, step.type);
    return new Event.StepCompleted(
        step.number, step.name, step.n, number, json, ticker.millisSince(start));
  }

  private void completed(Op.Step<?> step, Turn held, Event.StepCompleted event) {
    lock.lock();
    try {
      step.complete(held.record(event), event.value());
    } catch (Turn.LeaseLost e) {
      // Whoever holds the run now does the step again.
    } finally {
      lock.unlock();
    }
  }

  private void failed(Op.Step<?> step, Turn held, int attempt, Throwable error) {
    lock.lock();
    try {
      if (held.isLost()) {
        return;
      }
      if (step.begunBeforeCancel && !undoing && held.cancelRequest().isPresent()) {
        cutShort.add(step);
        return;
      }
      Failure.Source source = new Failure.Source("step", step.key(), step.name);
      Failure failure = Failures.of(error, step.retry, attempt, source).from(source);
      boolean misfit =
          error instanceof PawlException problem && problem.code() == ErrorCode.BAD_VALUE;
      boolean again = failure.retryable() && !misfit && attempt < step.retry.maxAttempts();
      Optional<Instant> retryAt =
          again
              ? Optional.of(held.now().plus(step.retry.backoff(attempt, chance)))
              : Optional.empty();
      Event.StepFailed event =
          new Event.StepFailed(
              step.number, step.name, step.n, attempt, failure.withRetryable(again), retryAt);
      step.fail(held.record(event), event);
      if (again) {
        retrying.add(step);
      }
    } catch (Turn.LeaseLost e) {
      // Whoever holds the run now does the step again.
    } finally {
      lock.unlock();
    }
  }

  /** Takes up a step as the log remembers it; a pending retry is picked up by the next wait. */
  void remember(Op.Step<?> step) {
    lock.lock();
    try {
      if (step.result() == null && step.retryAt.isPresent()) {
        retrying.add(step);
      }
    } finally {
      lock.unlock();
    }
  }
}
