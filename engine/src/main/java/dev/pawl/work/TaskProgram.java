package dev.pawl.work;

import dev.pawl.error.PawlException;
import dev.pawl.json.JsonCodec;
import dev.pawl.json.JsonType;
import dev.pawl.log.Event;
import java.time.Duration;
import java.util.Optional;

/** Calls a task's handler. */
final class TaskProgram<I, O> implements Program.Direct {
  private final JsonType<I> input;
  private final Task.Handler<I, O> handler;
  private final Retry retry;

  TaskProgram(JsonType<I> input, Task.Handler<I, O> handler, Retry retry) {
    this.input = input;
    this.handler = handler;
    this.retry = retry;
  }

  @Override
  @SuppressWarnings(
      "NullAway") // A handler whose payload is JSON null gets null: its own declaration says so.
  public Event.TurnEnd run(Turn turn) throws Exception {
    if (turn.cancelReason().isPresent()) {
      return new Event.Cancelled(turn.cancelReason().get());
    }
    I value = decode(turn);
    Optional<Duration> limit = limit(turn);
    if (limit.isPresent() && !limit.get().isPositive()) {
      throw new FailedException(
          new TimedOutException("the run's deadline had passed").failure().withRetryable(false));
    }
    TaskContext context = new TaskContext(turn);
    try {
      O result = Bounded.call(() -> "task", turn, limit, () -> handler.handle(context, value));
      return new Event.Succeeded(JsonCodec.encode(result));
    } catch (Exception e) {
      if (turn.cancelReason().isPresent()) {
        return new Event.Cancelled(turn.cancelReason().get());
      }
      throw e;
    }
  }

  private @org.jspecify.annotations.Nullable I decode(Turn turn) {
    try {
      return JsonCodec.decode(turn.run().payload(), input);
    } catch (PawlException e) {
      throw FailedException.permanent(
          e.code().name(),
          "the payload of run "
              + turn.run().id()
              + " is not what its handler takes: "
              + e.getMessage());
    }
  }

  private Optional<Duration> limit(Turn turn) {
    Optional<Duration> left = turn.run().deadline().map(turn::until);
    return RunPolicy.of(turn.run())
        .over(retry)
        .timeout()
        .map(limit -> left.filter(rest -> rest.compareTo(limit) < 0).orElse(limit))
        .or(() -> left);
  }
}
