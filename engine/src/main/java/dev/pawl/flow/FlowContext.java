package dev.pawl.flow;

import dev.pawl.json.JsonType;
import dev.pawl.log.RunId;
import dev.pawl.work.Retry;
import dev.pawl.work.RunType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a flow's code does durably. It belongs to the flow's own thread: a call from another one is
 * refused.
 *
 * <p>The code between the calls must be deterministic: after a crash it is run again from the top,
 * and every call then returns what is on record. Everything that has an effect, or a result that
 * could differ, belongs into a step.
 */
public interface FlowContext {

  // ---- this run ----

  RunId run();

  String type();

  /**
   * The number of this attempt, from 1; a resume after a suspension or a crash with progress is not
   * a new one.
   */
  int attempt();

  // ---- steps ----

  /** A step's body. */
  @FunctionalInterface
  interface Body<T> {
    @Nullable T run() throws Exception;
  }

  /** A step's body that is told its idempotency key. */
  @FunctionalInterface
  interface KeyedBody<T> {
    @Nullable T run(StepContext step) throws Exception;
  }

  /** A step's body with nothing to return. */
  @FunctionalInterface
  interface Action {
    void run() throws Exception;
  }

  /** A step's body that is told its idempotency key and has nothing to return. */
  @FunctionalInterface
  interface KeyedAction {
    void run(StepContext step) throws Exception;
  }

  /** The body of a step for one item of a list. */
  @FunctionalInterface
  interface ItemBody<A, T> {
    @Nullable T run(A item) throws Exception;
  }

  /** The body of a step inside a transaction of the store. */
  @FunctionalInterface
  interface TransactionBody<R, T> {
    @Nullable T run(R resource) throws Exception;
  }

  /**
   * Runs the body and records its result, once; if the result is on record, returns that. The value
   * returned is always the one read back from its JSON. A body may run more than once if its worker
   * dies before the result is recorded.
   *
   * @throws dev.pawl.work.FailedException when all attempts have failed
   */
  <T> @Nullable T step(String name, Class<T> type, Body<T> body);

  <T> @Nullable T step(String name, Class<T> type, Retry retry, KeyedBody<T> body);

  <T> @Nullable T step(String name, JsonType<T> type, Retry retry, KeyedBody<T> body);

  /** A step with nothing to return. */
  void step(String name, Action body);

  void step(String name, Retry retry, KeyedAction body);

  /** Starts a step without waiting for it; several run side by side. */
  <T> Promise<T> stepAsync(String name, Class<T> type, Body<T> body);

  <T> Promise<T> stepAsync(String name, JsonType<T> type, Retry retry, KeyedBody<T> body);

  /**
   * One step for each item, at most {@code parallel} at the same time; the results in the order of
   * the items.
   */
  <A, T> List<T> map(String name, List<A> items, int parallel, Class<T> type, ItemBody<A, T> body);

  /**
   * A step that runs exactly once: the body's own writes to the store's database and the step's
   * result are committed together. {@code resource} is what the store has to offer: {@code
   * java.sql.Connection.class} for SQL stores. Keep it short: other commits wait for it.
   */
  <R, T> @Nullable T transaction(
      String name, Class<R> resource, Class<T> type, TransactionBody<R, T> body);

  /**
   * Registers what undoes the work so far. If the flow fails or is cancelled, these run as steps,
   * the last first.
   */
  void onFailure(String name, Action body);

  /** The result of the step before, if there was one. */
  <T> Optional<T> previousResult(Class<T> type);

  // ---- waits ----

  void sleep(Duration time);

  Promise<Void> timer(Duration time);

  Promise<Void> timerUntil(Instant moment);

  /** Waits for the next signal of this name. */
  <T> @Nullable T awaitSignal(String name, Class<T> type);

  /** As above; throws {@link dev.pawl.work.TimedOutException} if none came in time. */
  <T> @Nullable T awaitSignal(String name, Class<T> type, Duration limit);

  /** As above; empty if none came in time. */
  <T> Optional<T> pollSignal(String name, Class<T> type, Duration limit);

  <T> Promise<T> signal(String name, Class<T> type);

  /**
   * Waits for the next event on the topic that this run has not seen, emitted since the run was
   * started.
   */
  <T> @Nullable T awaitEvent(String topic, Class<T> type);

  /** As above; throws {@link dev.pawl.work.TimedOutException} if none came in time. */
  <T> @Nullable T awaitEvent(String topic, Class<T> type, Duration limit);

  /** As above; empty if none came in time. */
  <T> Optional<T> pollEvent(String topic, Class<T> type, Duration limit);

  <T> Promise<T> event(String topic, Class<T> type);

  // ---- children ----

  /** Starts a child run and waits for its result. */
  <I, O> @Nullable O call(RunType<I, O> type, @Nullable I input);

  /** Starts a child run; its result can be awaited. Cancelling this run cancels it. */
  <I, O> Promise<O> child(RunType<I, O> type, @Nullable I input);

  <I, O> Promise<O> child(
      RunType<I, O> type, @Nullable I input, UnaryOperator<ChildOptions> options);

  /** Starts a child run of a type known by name only. */
  <O> Promise<O> child(String type, @Nullable Object input, Class<O> output);

  /** Starts a run and forgets it. */
  <I> RunId spawn(RunType<I, ?> type, @Nullable I input);

  // ---- together ----

  /** All results, in order; the first failure fails it at once. */
  <T> Promise<List<T>> all(List<? extends Promise<? extends T>> promises);

  /** The first success; if all fail, an error with code {@code AGGREGATE}. */
  <T> Promise<T> any(List<? extends Promise<? extends T>> promises);

  /** The first to settle, success or failure. */
  <T> Promise<T> race(List<? extends Promise<? extends T>> promises);

  /** Every outcome, in order. */
  <T> Promise<List<Settled<T>>> allSettled(List<? extends Promise<? extends T>> promises);

  /** The same, but failing with {@link dev.pawl.work.TimedOutException} after a time. */
  <T> Promise<T> timeout(Promise<T> promise, Duration limit);

  // ---- messages to others ----

  /** Sends a signal to another run, exactly once. */
  void send(RunId run, String name, @Nullable Object value);

  /** Emits an event, exactly once. */
  void emit(String topic, @Nullable Object value);

  // ---- recorded, so that they are the same after a crash ----

  Instant now();

  double random();

  UUID uuid();

  /** Puts a line into the run's log, once. */
  void log(String message);
}
