package dev.pawl.testkit;

import dev.pawl.flow.Flow;
import dev.pawl.flow.FlowContext;
import dev.pawl.flow.StepBodies;
import dev.pawl.flow.StepContext;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.json.JsonType;
import dev.pawl.log.Event;
import dev.pawl.work.Program;
import dev.pawl.work.Retry;
import dev.pawl.work.RunType;
import dev.pawl.work.Task;
import dev.pawl.work.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sees every body that is run: those of the steps of flows, and the handlers of tasks. Thread-safe.
 */
final class StepWatch implements StepBodies {
  /** Where effects happen that no body has. */
  static final String NO_STEP = "(outside of any step)";

  private static final ThreadLocal<String> CURRENT = new InheritableThreadLocal<>();

  private final List<BodyRun> bodies = new ArrayList<>();

  /**
   * A body that was run.
   *
   * @param step the step's name, for people
   * @param key what tells this step from all others
   * @param result what it returned; empty if it threw
   */
  record BodyRun(String step, String key, Optional<Json> result) {}

  /** The step whose body this thread is in. */
  static String current() {
    return Objects.requireNonNullElse(CURRENT.get(), NO_STEP);
  }

  synchronized List<BodyRun> bodies() {
    return List.copyOf(bodies);
  }

  /** The same type, watched. */
  RunType<?, ?> watch(RunType<?, ?> type) {
    return switch (type) {
      case Flow<?, ?> flow -> flow.around(this);
      case Task<?, ?> task -> new Watched<>(task);
      default -> type;
    };
  }

  @Override
  public @Nullable Object run(String step, StepContext context, FlowContext.KeyedBody<?> body)
      throws Exception {
    String key = context.idempotencyKey();
    String use = key.substring(key.lastIndexOf('#'));
    String label = use.equals("#0") ? step : step + use;
    CURRENT.set(label);
    Optional<Json> result = Optional.empty();
    try {
      Object value = body.run(context);
      result = Optional.of(JsonCodec.encode(value));
      return value;
    } finally {
      CURRENT.remove();
      note(new BodyRun(label, key, result));
    }
  }

  private synchronized void note(BodyRun body) {
    bodies.add(body);
  }

  /** A task whose handler is watched: one turn is one call of it. */
  private final class Watched<I, O> implements RunType<I, O> {
    private final Task<I, O> task;

    Watched(Task<I, O> task) {
      this.task = task;
    }

    @Override
    public String type() {
      return task.type();
    }

    @Override
    public JsonType<I> input() {
      return task.input();
    }

    @Override
    public JsonType<O> output() {
      return task.output();
    }

    @Override
    public Retry retry() {
      return task.retry();
    }

    @Override
    public Program.Direct program() {
      Program.Direct program = task.program();
      return turn -> carryOut(program, turn);
    }

    private Event.TurnEnd carryOut(Program.Direct program, Turn turn) throws Exception {
      String label = "task " + turn.run().type();
      CURRENT.set(label);
      Optional<Json> result = Optional.empty();
      try {
        Event.TurnEnd end = program.run(turn);
        result =
            end instanceof Event.Succeeded done ? Optional.of(done.result()) : Optional.empty();
        return end;
      } finally {
        CURRENT.remove();
        note(new BodyRun(label, turn.run().id().toString(), result));
      }
    }
  }
}
