package dev.pawl.work;

import dev.pawl.json.Json;
import dev.pawl.json.JsonType;
import dev.pawl.log.Names;
import dev.pawl.store.Routes;
import org.jspecify.annotations.Nullable;

/**
 * The simplest kind of run: one call of a handler. Its value is the run's result; its exception is
 * retried by policy. Immutable.
 *
 * <pre>{@code
 * Task.of("mail.send.v1", Mail.class, mailer::send)
 * Task.of("image.thumb.v1", Image.class, Thumb.class, thumbs::make).retry(Retry.exponential(5).timeout(ofSeconds(30)))
 * }</pre>
 */
public final class Task<I, O> implements RunType<I, O> {
  private final String type;
  private final JsonType<I> input;
  private final JsonType<O> output;
  private final Handler<I, O> handler;
  private final Retry retry;

  /** A handler that is told about its run. */
  @FunctionalInterface
  public interface Handler<I, O> {
    @Nullable O handle(TaskContext context, I input) throws Exception;
  }

  /** A handler that returns something. */
  @FunctionalInterface
  public interface Function<I, O> {
    @Nullable O apply(I input) throws Exception;
  }

  /** A handler that returns nothing. */
  @FunctionalInterface
  public interface Consumer<I> {
    void accept(I input) throws Exception;
  }

  private Task(
      String type, JsonType<I> input, JsonType<O> output, Handler<I, O> handler, Retry retry) {
    this.type = Routes.isPrefix(type) ? Routes.prefix(type) + "%" : Names.checkType(type);
    this.input = input;
    this.output = output;
    this.handler = handler;
    this.retry = retry;
  }

  public static <I> Task<I, Void> of(String type, Class<I> input, Consumer<I> handler) {
    return define(
        type,
        JsonType.of(input),
        JsonType.of(Void.class),
        (context, value) -> {
          handler.accept(value);
          return null;
        });
  }

  public static <I, O> Task<I, O> of(
      String type, Class<I> input, Class<O> output, Function<I, O> handler) {
    return define(
        type, JsonType.of(input), JsonType.of(output), (context, value) -> handler.apply(value));
  }

  /** A task whose handler is told about its run: which attempt it is, whether it is cancelled. */
  public static <I, O> Task<I, O> define(
      String type, Class<I> input, Class<O> output, Handler<I, O> handler) {
    return define(type, JsonType.of(input), JsonType.of(output), handler);
  }

  /**
   * The general form. {@code type} may be a prefix such as {@code billing.%}: the handler then
   * serves every type that begins with it.
   */
  public static <I, O> Task<I, O> define(
      String type, JsonType<I> input, JsonType<O> output, Handler<I, O> handler) {
    return new Task<>(type, input, output, handler, Retry.standard());
  }

  /** A task on bare JSON. */
  public static Task<Json, Json> json(String type, Handler<Json, Json> handler) {
    return define(type, JsonType.of(Json.class), JsonType.of(Json.class), handler);
  }

  public Task<I, O> retry(Retry policy) {
    return new Task<>(type, input, output, handler, policy);
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
  public Program.Direct program() {
    return new TaskProgram<>(input, handler, retry);
  }
}
