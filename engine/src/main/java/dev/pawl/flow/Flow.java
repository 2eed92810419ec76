package dev.pawl.flow;

import dev.pawl.json.JsonType;
import dev.pawl.log.Names;
import dev.pawl.work.Program;
import dev.pawl.work.Retry;
import dev.pawl.work.RunType;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a flow: a versioned name, what goes in, what comes out, and the code.
 * Immutable.
 *
 * <p>Change the code of a version only in ways that keep the order of its durable calls; for more,
 * define the next version.
 */
public final class Flow<I, O> implements RunType<I, O> {
  private final String type;
  private final JsonType<I> input;
  private final JsonType<O> output;
  private final Code<I, O> code;
  private final Retry retry;
  private final Optional<Duration> maxSuspend;
  private final StepBodies bodies;

  /** A flow's code. */
  @FunctionalInterface
  public interface Code<I, O> {
    @Nullable O run(FlowContext ctx, I input) throws Exception;
  }

  private Flow(
      String type,
      JsonType<I> input,
      JsonType<O> output,
      Code<I, O> code,
      Retry retry,
      Optional<Duration> maxSuspend,
      StepBodies bodies) {
    this.type = Names.checkType(type);
    this.input = input;
    this.output = output;
    this.code = code;
    this.retry = retry;
    this.maxSuspend = maxSuspend;
    this.bodies = bodies;
  }

  public static <I, O> Flow<I, O> define(
      String type, Class<I> input, Class<O> output, Code<I, O> code) {
    return define(type, JsonType.of(input), JsonType.of(output), code);
  }

  public static <I, O> Flow<I, O> define(
      String type, JsonType<I> input, JsonType<O> output, Code<I, O> code) {
    return new Flow<>(
        type, input, output, code, Retry.standard(), Optional.empty(), StepBodies.AS_THEY_ARE);
  }

  /**
   * What happens when the code throws something that is not on record: a failure of a step or child
   * is final.
   */
  public Flow<I, O> retry(Retry policy) {
    return new Flow<>(type, input, output, code, policy, maxSuspend, bodies);
  }

  /** How long one suspension may last before the wait fails with code {@code TIMEOUT}. */
  public Flow<I, O> maxSuspend(Duration limit) {
    return new Flow<>(type, input, output, code, retry, Optional.of(limit), bodies);
  }

  /** The same flow with something around the bodies of its steps. For tests. */
  public Flow<I, O> around(StepBodies around) {
    return new Flow<>(type, input, output, code, retry, maxSuspend, around);
  }

  @Override
  public String type() {
    return type;
  }

  @Override
  public JsonType<I> input() {
    return input;
  }

  @Override
  public JsonType<O> output() {
    return output;
  }

  @Override
  public Retry retry() {
    return retry;
  }

  @Override
  public Program program() {
    return new FlowProgram<>(this);
  }

  Code<I, O> code() {
    return code;
  }

  StepBodies bodies() {
    return bodies;
  }

  Optional<Duration> maxSuspend() {
    return maxSuspend;
  }
}
