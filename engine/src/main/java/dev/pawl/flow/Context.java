package dev.pawl.flow;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.json.JsonType;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Names;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.time.Millis;
import dev.pawl.work.Retry;
import dev.pawl.work.RunType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a flow's code asks for into operations: each is looked up in memory first, and begun
 * only if it is not there.
 */
final class Context implements FlowContext {
  private static final JsonType<Json> JSON = JsonType.of(Json.class);
  private static final JsonType<Void> NOTHING = JsonType.of(Void.class);

  private final Execution<?, ?> execution;
  private Json previous = Json.NULL;
  private boolean hasPrevious;

  Context(Execution<?, ?> execution) {
    this.execution = execution;
  }

  @Override
  public RunId run() {
    return execution.run();
  }

  @Override
  public String type() {
    return execution.turn().run().type();
  }

  @Override
  public int attempt() {
    return execution.turn().run().attempt();
  }

  // ---- steps ----

  @Override
  public <T> @Nullable T step(String name, Class<T> type, Body<T> body) {
    return step(name, JsonType.of(type), Retry.standard(), keyed(body));
  }

  @Override
  public <T> @Nullable T step(String name, Class<T> type, Retry retry, KeyedBody<T> body) {
    return step(name, JsonType.of(type), retry, body);
  }

  @Override
  public <T> @Nullable T step(String name, JsonType<T> type, Retry retry, KeyedBody<T> body) {
    Op.Step<T> step = newStep(name, type, retry, body);
    if (step.isFresh()) {
      execution.bodies().runHere(step);
    }
    return remembering(step);
  }

  @Override
  public void step(String name, Action body) {
    step(
        name,
        Retry.standard(),
        context -> {
          body.run();
        });
  }

  @Override
  public void step(String name, Retry retry, KeyedAction body) {
    step(
        name,
        NOTHING,
        retry,
        context -> {
          body.run(context);
          return null;
        });
  }

  @Override
  public <T> Promise<T> stepAsync(String name, Class<T> type, Body<T> body) {
    return stepAsync(name, JsonType.of(type), Retry.standard(), keyed(body));
  }

  @Override
  public <T> Promise<T> stepAsync(String name, JsonType<T> type, Retry retry, KeyedBody<T> body) {
    Op.Step<T> step = newStep(name, type, retry, body);
    if (step.isFresh()) {
      execution.bodies().launch(step);
    }
    return step;
  }

  @Override
  public <A, T> List<T> map(
      String name, List<A> items, int parallel, Class<T> type, ItemBody<A, T> body) {
    if (parallel < 1) {
      throw PawlException.badInput("map needs room for at least 1 step at a time, not " + parallel);
    }
    Optional<Semaphore> gate = Optional.of(new Semaphore(parallel));
    List<Op.Step<T>> steps = new ArrayList<>();
    for (A item : items) {
      Op.Step<T> step =
          newStep(name, JsonType.of(type), Retry.standard(), context -> body.run(item));
      step.gate = gate;
      steps.add(step);
      if (step.isFresh()) {
        execution.bodies().launch(step);
      }
    }
    return Objects.requireNonNull(execution.await(new Combined.All<T>(execution, steps)));
  }

  @Override
  public <R, T> @Nullable T transaction(
      String name, Class<R> resource, Class<T> type, TransactionBody<R, T> body) {
    Optional<Class<?>> offered = execution.turn().archive().transactionResource();
    if (!offered.equals(Optional.of(resource))) {
      throw PawlException.unsupported(
          "a transaction with "
              + resource.getName()
              + " was asked for; this store "
              + offered.map(has -> "works with " + has.getName()).orElse("has no transactions"));
    }
    Op.Step<T> step =
        newStep(name, JsonType.of(type), Retry.standard(), context -> null)
            .inTransaction(given -> body.run(resource.cast(given)));
    if (step.isFresh()) {
      execution.bodies().runHere(step);
    }
    return remembering(step);
  }

  @Override
  public void onFailure(String name, Action body) {
    execution.onFailure(Names.check("a step's name", name), body);
  }

  @Override
  public <T> Optional<T> previousResult(Class<T> type) {
    return hasPrevious ? Optional.ofNullable(JsonCodec.decode(previous, type)) : Optional.empty();
  }

  private static <T> KeyedBody<T> keyed(Body<T> body) {
    return context -> body.run();
  }

  private <T> Op.Step<T> newStep(String name, JsonType<T> type, Retry retry, KeyedBody<T> body) {
    Names.check("a step's name", name);
    int op = execution.nextOp();
    Op.Step<T> step =
        new Op.Step<>(execution, op, name, execution.nextUse(name), type, retry, body);
    for (Entry entry : execution.memory().recall(op)) {
      switch (entry.event()) {
        case Event.StepCompleted done when step.is(done.name(), done.n()) ->
            step.complete(entry.seq(), done.value());
        case Event.StepFailed failed when step.is(failed.name(), failed.n()) ->
            step.fail(entry.seq(), failed);
        default -> throw diverged(step, entry);
      }
    }
    execution.bodies().remember(step);
    return step;
  }

  private <T> @Nullable T remembering(Op.Step<T> step) {
    T value = execution.await(step);
    previous = step.json;
    hasPrevious = true;
    return value;
  }

  // ---- waits ----

  @Override
  public void sleep(Duration time) {
    execution.await(timer(time));
  }

  @Override
  public Op.Timer timer(Duration time) {
    return newTimer(execution.asking().plus(time));
  }

  @Override
  public Promise<Void> timerUntil(Instant moment) {
    return newTimer(moment);
  }

  private Op.Timer newTimer(Instant wanted) {
    int op = execution.nextOp();
    Instant at = execution.memory().timer(op).orElseGet(() -> Millis.up(wanted));
    Op.Timer timer = new Op.Timer(execution, op, at);
    for (Entry entry : execution.memory().recall(op)) {
      if (!(entry.event() instanceof Event.TimerFired)) {
        throw diverged(timer, entry);
      }
      timer.settle(Result.of(entry.seq(), null));
    }
    return execution.set(timer);
  }

  @Override
  public <T> @Nullable T awaitSignal(String name, Class<T> type) {
    return execution.await(newSignal(name, type));
  }

  @Override
  public <T> @Nullable T awaitSignal(String name, Class<T> type, Duration limit) {
    return execution.await(limited(newSignal(name, type), limit));
  }

  @Override
  public <T> Optional<T> pollSignal(String name, Class<T> type, Duration limit) {
    return poll(newSignal(name, type), limit);
  }

  @Override
  public <T> Promise<T> signal(String name, Class<T> type) {
    return newSignal(name, type);
  }

  private <T> Op.Signal<T> newSignal(String name, Class<T> type) {
    Names.check("a signal's name", name);
    int op = execution.nextOp();
    Op.Signal<T> signal = new Op.Signal<>(execution, op, name, JsonType.of(type));
    for (Entry entry : execution.memory().recall(op)) {
      if (!(entry.event() instanceof Event.SignalReceived got && got.name().equals(name))) {
        throw diverged(signal, entry);
      }
      signal.receive(entry.seq(), got.value());
    }
    return signal;
  }

  @Override
  public <T> @Nullable T awaitEvent(String topic, Class<T> type) {
    return execution.await(newTopic(topic, type));
  }

  @Override
  public <T> @Nullable T awaitEvent(String topic, Class<T> type, Duration limit) {
    return execution.await(limited(newTopic(topic, type), limit));
  }

  @Override
  public <T> Optional<T> pollEvent(String topic, Class<T> type, Duration limit) {
    return poll(newTopic(topic, type), limit);
  }

  @Override
  public <T> Promise<T> event(String topic, Class<T> type) {
    return newTopic(topic, type);
  }

  private <T> Op.Topic<T> newTopic(String topic, Class<T> type) {
    Names.check("a topic", topic);
    int op = execution.nextOp();
    Op.Topic<T> event = new Op.Topic<>(execution, op, topic, JsonType.of(type));
    for (Entry entry : execution.memory().recall(op)) {
      if (!(entry.event() instanceof Event.EventReceived got && got.topic().equals(topic))) {
        throw diverged(event, entry);
      }
      execution.advanceCursor(topic, got.position());
      event.receive(entry.seq(), got.value());
    }
    return event;
  }

  private <T> Optional<T> poll(Op<T> op, Duration limit) {
    Op.Timer timer = newTimer(execution.turn().now().plus(limit));
    execution.await(new Combined.Race<>(execution, List.of(op, timer)));
    Result<T> result = op.result();
    Result<Void> late = timer.result();
    if (result == null || (late != null && late.position() < result.position())) {
      return Optional.empty();
    }
    return Optional.ofNullable(result.get());
  }

  private <T> Awaitable<T> limited(Op<T> op, Duration limit) {
    return limited(op, limit, op.describe() + " did not come within " + limit);
  }

  private <T> Awaitable<T> limited(Awaitable<T> awaited, Duration limit, String message) {
    Op.Timer timer = newTimer(execution.turn().now().plus(limit));
    return new Combined.Timeout<>(execution, awaited, timer, message);
  }

  // ---- children ----

  @Override
  public <I, O> @Nullable O call(RunType<I, O> type, @Nullable I input) {
    return execution.await(newChild(type, input, ChildOptions.DEFAULTS));
  }

  @Override
  public <I, O> Promise<O> child(RunType<I, O> type, @Nullable I input) {
    return newChild(type, input, ChildOptions.DEFAULTS);
  }

  @Override
  public <I, O> Promise<O> child(
      RunType<I, O> type, @Nullable I input, UnaryOperator<ChildOptions> options) {
    return newChild(type, input, options.apply(ChildOptions.DEFAULTS));
  }

  @Override
  public <O> Promise<O> child(String type, @Nullable Object input, Class<O> output) {
    return newChild(type, JsonType.of(output), input, Retry.standard(), ChildOptions.DEFAULTS);
  }

  private <I, O> Op.Child<O> newChild(RunType<I, O> type, @Nullable I input, ChildOptions options) {
    return newChild(type.type(), type.output(), input, type.retry(), options);
  }

  private <O> Op.Child<O> newChild(
      String type, JsonType<O> output, @Nullable Object input, Retry retry, ChildOptions options) {
    int op = execution.nextOp();
    List<Entry> recalled = execution.memory().recall(op);
    if (recalled.isEmpty()) {
      RunId id = startChild(op, type, input, retry, options);
      Op.Child<O> child = new Op.Child<>(execution, op, id, type, output);
      execution.addChild(child);
      return child;
    }
    if (!(recalled.get(0).event() instanceof Event.ChildStarted started
        && started.type().equals(type))) {
      throw Memory.diverged(op, Memory.describe(recalled.get(0).event()), "child '" + type + "'");
    }
    Op.Child<O> child = new Op.Child<>(execution, op, started.child(), type, output);
    execution.addChild(child);
    for (Entry entry : recalled.subList(1, recalled.size())) {
      if (entry.event() instanceof Event.ChildFinished finished) {
        child.finish(entry.seq(), finished.result());
      }
    }
    execution.recover(child);
    return child;
  }

  private RunId startChild(
      int op, String type, @Nullable Object input, Retry retry, ChildOptions options) {
    RunId id = new RunId(execution.newId());
    NewRun run =
        NewRun.of(id, type, JsonCodec.encode(input))
            .withPriority(options.priority())
            .withDelay(options.delay())
            .withMaxAttempts(options.maxAttempts().orElse(retry.maxAttempts()))
            .withTags(options.tags())
            .withTtl(options.ttl())
            .withParent(run(), execution.turn().run().root(), options.bond());
    execution.recording(
        turn -> turn.record(new Event.ChildStarted(op, id, type, options.bond()), run));
    return id;
  }

  @Override
  public <I> RunId spawn(RunType<I, ?> type, @Nullable I input) {
    int op = execution.nextOp();
    List<Entry> recalled = execution.memory().recall(op);
    if (recalled.isEmpty()) {
      return startChild(op, type.type(), input, type.retry(), ChildOptions.DETACHED);
    }
    if (recalled.get(0).event() instanceof Event.ChildStarted started
        && started.type().equals(type.type())) {
      return started.child();
    }
    throw Memory.diverged(
        op, Memory.describe(recalled.get(0).event()), "child '" + type.type() + "'");
  }

  // ---- together ----

  @Override
  public <T> Promise<List<T>> all(List<? extends Promise<? extends T>> promises) {
    return new Combined.All<>(execution, Context.<T>parts(promises));
  }

  @Override
  public <T> Promise<T> any(List<? extends Promise<? extends T>> promises) {
    return new Combined.Any<>(execution, Context.<T>parts(promises));
  }

  @Override
  public <T> Promise<T> race(List<? extends Promise<? extends T>> promises) {
    return new Combined.Race<>(execution, Context.<T>parts(promises));
  }

  @Override
  public <T> Promise<List<Settled<T>>> allSettled(List<? extends Promise<? extends T>> promises) {
    return new Combined.AllSettled<>(execution, Context.<T>parts(promises));
  }

  @Override
  public <T> Promise<T> timeout(Promise<T> promise, Duration limit) {
    return limited((Awaitable<T>) promise, limit, "it was not there within " + limit);
  }

  private static <T> List<Awaitable<? extends T>> parts(
      List<? extends Promise<? extends T>> promises) {
    List<Awaitable<? extends T>> parts = new ArrayList<>();
    for (Promise<? extends T> promise : promises) {
      parts.add((Awaitable<? extends T>) promise);
    }
    return parts;
  }

  // ---- messages to others, and what is recorded ----

  @Override
  public void send(RunId to, String name, @Nullable Object value) {
    Command.Send send = new Command.Send(to, execution.newId(), name, JsonCodec.encode(value));
    record("send", Json.NULL, event -> execution.recording(turn -> turn.record(event, send)));
  }

  @Override
  public void emit(String topic, @Nullable Object value) {
    Command.Emit emit = new Command.Emit(execution.newId(), topic, JsonCodec.encode(value));
    record("emit", Json.NULL, event -> execution.recording(turn -> turn.record(event, emit)));
  }

  @Override
  public Instant now() {
    long millis =
        Long.parseLong(
            recorded("now", () -> Json.number(execution.turn().now().toEpochMilli())).text());
    return Instant.ofEpochMilli(millis);
  }

  @Override
  public double random() {
    return Double.parseDouble(
        recorded(
                "random",
                () -> Json.stored(Double.toString(execution.turn().platform().chance().next())))
            .text());
  }

  @Override
  public UUID uuid() {
    String text =
        JsonCodec.decode(
            recorded("uuid", () -> Json.string(execution.newId().toString())), String.class);
    return UUID.fromString(Objects.requireNonNull(text));
  }

  private Json recorded(String name, Supplier<Json> value) {
    return record(name, value.get(), event -> execution.recording(turn -> turn.record(event)));
  }

  /** Writes an event under the name, unless one is on record; returns the value that is. */
  private Json record(String name, Json value, java.util.function.ToLongFunction<Event> write) {
    Op.Step<Json> step = newStep(name, JSON, Retry.none(), context -> null);
    if (step.result() == null) {
      Event event = new Event.StepCompleted(step.number, step.name, step.n, 1, value, 0);
      step.complete(write.applyAsLong(event), value);
    }
    return step.json;
  }

  @Override
  public void log(String message) {
    int op = execution.nextOp();
    List<Entry> recalled = execution.memory().recall(op);
    if (recalled.isEmpty()) {
      execution.recording(turn -> turn.record(new Event.Logged(op, message)));
    } else if (!(recalled.get(0).event() instanceof Event.Logged)) {
      throw Memory.diverged(op, Memory.describe(recalled.get(0).event()), "log");
    }
  }

  private static PawlException diverged(Op<?> asked, Entry recorded) {
    return Memory.diverged(asked.number, Memory.describe(recorded.event()), asked.describe());
  }
}
