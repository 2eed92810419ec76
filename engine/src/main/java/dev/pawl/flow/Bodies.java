package dev.pawl.flow;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.store.Outcome;
import dev.pawl.time.Chance;
import dev.pawl.time.Ticker;
import dev.pawl.work.Bounded;
import dev.pawl.work.Failures;
import dev.pawl.work.Turn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs the bodies of a flow's steps and records how they end. Everything that was recorded before
 * is durable when a body begins.
 *
 * <p>What the bodies' threads share with the flow's is guarded by the execution's lock.
 */
final class Bodies {
  private final Execution<?, ?> execution;
  private final StepBodies around;
  private final ReentrantLock lock;
  private final Condition changed;
  private final Chance chance;
  private final Ticker ticker;
  private final Set<Op.Step<?>> retrying = new LinkedHashSet<>();

  /** Steps whose body was cut short by the cancellation: they run again if they are awaited. */
  private final Set<Op.Step<?>> cutShort = new LinkedHashSet<>();

  /** What the idempotency keys of all steps of this run begin with. */
  private final String keyPrefix;

  private boolean here;
  private int running;
  private long ended;

  Bodies(Execution<?, ?> execution, StepBodies around, ReentrantLock lock, Condition changed) {
    this.execution = execution;
    this.around = around;
    this.lock = lock;
    this.changed = changed;
    this.chance = execution.turn().platform().chance();
    this.ticker = execution.turn().platform().ticker();
    this.keyPrefix = execution.type() + "/" + execution.run() + "/";
  }

  /** Whether the flow's own thread is inside of a body. */
  boolean isHere() {
    return here;
  }

  /** How many are running on threads of their own. Ask under the lock. */
  int running() {
    return running;
  }

  /** How many have ended so far: a wait that has seen fewer looks again. Ask under the lock. */
  long ended() {
    return ended;
  }

  /** The steps that are to be tried again. Ask under the lock. */
  Set<Op.Step<?>> retrying() {
    return retrying;
  }

  /** Runs a step's body on this thread, again and again while its backoffs are short. */
  void runHere(Op.Step<?> step) {
    execution.flush();
    step.begunBeforeCancel = execution.interruptions().cancelled().isEmpty();
    here = true;
    try {
      attempt(step, execution.turn());
    } finally {
      here = false;
    }
  }

  /** Starts a step's body on a thread of its own, behind its gate if there is one. */
  void launch(Op.Step<?> step) {
    execution.flush();
    lock.lock();
    try {
      step.retryAt = Optional.empty();
      step.begunBeforeCancel = execution.interruptions().cancelled().isEmpty();
      retrying.remove(step);
      running++;
    } finally {
      lock.unlock();
    }
    Turn held = execution.turn();
    Thread.ofVirtual()
        .name("pawl-step")
        .start(() -> {
          step.gate.ifPresent(Semaphore::acquireUninterruptibly);
          try {
            if (!held.isLost()) {
              attempt(step, held);
            }
          } finally {
            step.gate.ifPresent(Semaphore::release);
            end(held);
          }
        });
  }

  private void end(Turn held) {
    lock.lock();
    try {
      running--;
      ended++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    held.push();
  }

  void launchDue(Awaitable<?> awaited) {
    Turn turn = execution.turn();
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
    StepContext context = new StepContext(keyPrefix + step.key(), number);
    try {
      if (step.transaction.isPresent()) {
        transact(step, step.transaction.get(), held, context, start);
      } else {
        Object value =
            Bounded.call(
                step::describe,
                held,
                step.retry.timeout(),
                () -> around.run(step.name, context, step.body));
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
      StepContext context,
      long start)
      throws Exception {
    switch (held.transact(
        resource ->
            completion(
                step,
                context.attempt(),
                around.run(step.name, context, told -> body.run(resource)),
                start))) {
      case Outcome.Transacted done when done.entry().event() instanceof Event.StepCompleted event ->
          complete(step, done.entry().seq(), event.value());
      case Outcome.Threw threw -> throw threw.exception();
      case Outcome other -> throw PawlException.internal("a transaction came back as " + other);
    }
  }

  /** The event that records a value, once it is sure that the value survives being read back. */
  private <T> Event.StepCompleted completion(
      Op.Step<T> step, int number, @Nullable Object value, long start) {
    Json json = JsonCodec.encode(value);
    JsonCodec.decode(json, step.type);
    return new Event.StepCompleted(
        step.number, step.name, step.n, number, json, ticker.millisSince(start));
  }

  private void complete(Op.Step<?> step, long position, Json value) {
    lock.lock();
    try {
      step.complete(position, value);
    } finally {
      lock.unlock();
    }
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
      if (step.begunBeforeCancel
          && !execution.interruptions().isUndoing()
          && held.cancelRequest().isPresent()) {
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
