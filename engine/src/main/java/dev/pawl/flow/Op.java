package dev.pawl.flow;

import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.json.JsonType;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.work.Retry;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One durable operation of a flow, numbered in the order the code asked for it. */
abstract sealed class Op<T> extends Awaitable<T> {
  final int number;
  private @Nullable Result<T> result;

  private Op(Execution<?, ?> execution, int number) {
    super(execution);
    this.number = number;
  }

  @Override
  final @Nullable Result<T> result() {
    return result;
  }

  final void settle(Result<T> end) {
    if (result == null) {
      result = end;
    }
  }

  @Override
  final void open(Consumer<Op<?>> each) {
    if (result == null) {
      each.accept(this);
    }
  }

  @Override
  final int need() {
    return result == null && isMessage() ? 1 : 0;
  }

  /** What the code asked for, in words. */
  abstract String describe();

  /** Whether a message settles it. */
  boolean isMessage() {
    return false;
  }

  /** What a suspended run waits for on its behalf. */
  abstract Optional<Wait> waiting();

  /** A step: code with an effect, whose one result is recorded. */
  static final class Step<T> extends Op<T> {
    final String name;
    final int n;
    final JsonType<T> type;
    final Retry retry;
    final FlowContext.KeyedBody<T> body;
    Optional<FlowContext.TransactionBody<Object, T>> transaction = Optional.empty();
    Json json = Json.NULL;
    int failures;

    /** What lets only so many bodies run at the same time. */
    Optional<Semaphore> gate = Optional.empty();

    /** Whether its body was begun before the flow knew that it is cancelled. */
    boolean begunBeforeCancel;

    Optional<Instant> retryAt = Optional.empty();

    Step(
        Execution<?, ?> execution,
        int number,
        String name,
        int n,
        JsonType<T> type,
        Retry retry,
        FlowContext.KeyedBody<T> body) {
      super(execution, number);
      this.name = name;
      this.n = n;
      this.type = type;
      this.retry = retry;
      this.body = body;
    }

    /** Has the body run inside a transaction of the store. */
    Step<T> inTransaction(FlowContext.TransactionBody<Object, T> work) {
      transaction = Optional.of(work);
      return this;
    }

    boolean is(String recordedName, int recordedN) {
      return name.equals(recordedName) && n == recordedN;
    }

    /** Whether it has neither ended nor been tried. */
    boolean isFresh() {
      return result() == null && retryAt.isEmpty();
    }

    String key() {
      return name + "#" + n;
    }

    void complete(long position, Json value) {
      json = value;
      settle(Result.of(position, JsonCodec.decode(value, type)));
    }

    void fail(long position, Event.StepFailed event) {
      failures = event.attempt();
      retryAt = event.retryAt();
      if (event.retryAt().isEmpty()) {
        settle(Result.failed(position, event.failure()));
      }
    }

    @Override
    String describe() {
      return "step '" + name + (n == 0 ? "" : "#" + n) + "'";
    }

    @Override
    Optional<Wait> waiting() {
      return retryAt.map(at ->
          new Wait.Timer(number, at, "retry of " + describe() + " after attempt " + failures));
    }
  }

  static final class Timer extends Op<Void> {
    final Instant at;

    Timer(Execution<?, ?> execution, int number, Instant at) {
      super(execution, number);
      this.at = at;
    }

    @Override
    String describe() {
      return "timer";
    }

    @Override
    Optional<Wait> waiting() {
      return Optional.of(new Wait.Timer(number, at, ""));
    }
  }

  static final class Signal<T> extends Op<T> {
    final String name;
    final JsonType<T> type;

    Signal(Execution<?, ?> execution, int number, String name, JsonType<T> type) {
      super(execution, number);
      this.name = name;
      this.type = type;
    }

    void receive(long position, Json value) {
      settle(Result.of(position, JsonCodec.decode(value, type)));
    }

    @Override
    String describe() {
      return "signal '" + name + "'";
    }

    @Override
    boolean isMessage() {
      return true;
    }

    @Override
    Optional<Wait> waiting() {
      return Optional.of(new Wait.Signal(number, name));
    }
  }

  static final class Topic<T> extends Op<T> {
    final String topic;
    final JsonType<T> type;

    Topic(Execution<?, ?> execution, int number, String topic, JsonType<T> type) {
      super(execution, number);
      this.topic = topic;
      this.type = type;
    }

    void receive(long position, Json value) {
      settle(Result.of(position, JsonCodec.decode(value, type)));
    }

    @Override
    String describe() {
      return "event on '" + topic + "'";
    }

    @Override
    boolean isMessage() {
      return true;
    }

    @Override
    Optional<Wait> waiting() {
      return Optional.of(new Wait.Topic(number, topic, execution().cursor(topic)));
    }
  }

  static final class Child<T> extends Op<T> {
    final RunId child;
    final String type;
    final JsonType<T> output;

    Child(Execution<?, ?> execution, int number, RunId child, String type, JsonType<T> output) {
      super(execution, number);
      this.child = child;
      this.type = type;
      this.output = output;
    }

    void finish(long position, Event.ChildResult end) {
      switch (end) {
        case Event.ChildResult.Succeeded done ->
            settle(Result.of(position, JsonCodec.decode(done.value(), output)));
        case Event.ChildResult.Failed failed ->
            settle(Result.failed(position, failed.failure().from(childSource())));
        case Event.ChildResult.Cancelled cancelled ->
            settle(
                Result.failed(
                    position,
                    Failure.of(
                            "CHILD_CANCELLED",
                            "child "
                                + child
                                + " of "
                                + type
                                + " was cancelled: "
                                + cancelled.reason())
                        .from(childSource())));
      }
    }

    private Failure.Source childSource() {
      return new Failure.Source("child", child.toString(), type);
    }

    @Override
    String describe() {
      return "child '" + type + "'";
    }

    @Override
    boolean isMessage() {
      return true;
    }

    @Override
    Optional<Wait> waiting() {
      return Optional.of(new Wait.Child(number, child));
    }
  }
}
