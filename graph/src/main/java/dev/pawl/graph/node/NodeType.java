package dev.pawl.graph.node;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Names;
import dev.pawl.work.Retry;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A type of node: its name, its handles, what it does. Immutable.
 *
 * <p>The usual way is a record for what goes in and one for what comes out; their components are
 * the handles:
 *
 * <pre>{@code
 * record Text(String text) {}
 * record Words(List<String> words) {}
 * NodeType SPLIT = NodeType.each("text.split", Text.class, Words.class,
 *     (ctx, in) -> new Words(List.of(in.text().split(" "))));
 * }</pre>
 */
public final class NodeType {
  private final String name;
  private final Mode mode;
  private final Function<Json, Shape> shape;
  private final Function<Json, NodeCode> code;
  private final Role role;
  private final Optional<Function<Json, Source>> source;
  private final Retry retry;
  private final boolean pure;

  /** How a node takes and gives. */
  public enum Mode {
    /** It is called with the first batch, and that is all. */
    ONCE,
    /** It is called with every batch, and gives at most one message for each handle. */
    EACH,
    /** It is called with every batch, and gives any number of messages. */
    STREAM_OUT,
    /** It reads all batches, and gives at most one message for each handle. */
    STREAM_IN,
    /** It reads all batches, and gives any number of messages. */
    STREAM
  }

  /** What a node is to the graph as a whole. */
  public enum Role {
    PLAIN,
    INPUT,
    OUTPUT,
    TRIGGER,
    /** It is runs of a task: its policy is theirs, and each attempt one of a run. */
    TASK,
    /** It is runs of another program: each attempt is another run. */
    CHILD
  }

  /** Code with one record in and one out. */
  @FunctionalInterface
  public interface Convert<I, O> {
    @Nullable O process(NodeContext context, I in) throws Exception;
  }

  /** Code with one record in and any number out. */
  @FunctionalInterface
  public interface Produce<I, O> {
    void process(NodeContext context, I in, Emitter<O> out) throws Exception;
  }

  /** Code with any number of records in and one out. */
  @FunctionalInterface
  public interface Consume<I, O> {
    @Nullable O process(NodeContext context, Incoming<I> in) throws Exception;
  }

  /** Code with any number of records in and out. */
  @FunctionalInterface
  public interface Transform<I, O> {
    void process(NodeContext context, Incoming<I> in, Emitter<O> out) throws Exception;
  }

  /** Code before the first batch or after the last. */
  @FunctionalInterface
  public interface Hook {
    void run(NodeContext context) throws Exception;
  }

  private NodeType(
      String name,
      Mode mode,
      Function<Json, Shape> shape,
      Function<Json, NodeCode> code,
      Role role,
      Optional<Function<Json, Source>> source,
      Retry retry,
      boolean pure) {
    this.name = Names.check("a node type's name", name);
    this.mode = mode;
    this.shape = shape;
    this.code = code;
    this.role = role;
    this.source = source;
    this.retry = retry;
    this.pure = pure;
  }

  /** Called once, with the first batch. */
  public static <I extends Record, O extends Record> NodeType once(
      String name, Class<I> in, Class<O> out, Convert<I, O> code) {
    return typed(name, Mode.ONCE, in, out, t -> t.batchwise(code));
  }

  /** Called with every batch. */
  public static <I extends Record, O extends Record> NodeType each(
      String name, Class<I> in, Class<O> out, Convert<I, O> code) {
    return typed(name, Mode.EACH, in, out, t -> t.batchwise(code));
  }

  /** Called with every batch; gives a stream. */
  public static <I extends Record, O extends Record> NodeType streamOut(
      String name, Class<I> in, Class<O> out, Produce<I, O> code) {
    return typed(name, Mode.STREAM_OUT, in, out, t -> t.batchwise(code));
  }

  /** Reads a stream; gives one record. */
  public static <I extends Record, O extends Record> NodeType streamIn(
      String name, Class<I> in, Class<O> out, Consume<I, O> code) {
    return typed(name, Mode.STREAM_IN, in, out, t -> t.streaming(code));
  }

  /** Reads a stream and gives a stream. */
  public static <I extends Record, O extends Record> NodeType stream(
      String name, Class<I> in, Class<O> out, Transform<I, O> code) {
    return typed(name, Mode.STREAM, in, out, t -> t.streaming(code));
  }

  private static <I extends Record, O extends Record> NodeType typed(
      String name, Mode mode, Class<I> in, Class<O> out, Function<Typed<I, O>, NodeCode> code) {
    Typed<I, O> typed = new Typed<>(in, out);
    Shape shape = typed.shape();
    NodeCode made = code.apply(typed);
    return raw(name, mode, properties -> shape, properties -> made);
  }

  /** A node whose handles depend on its properties, and which sees its messages untyped. */
  public static NodeType raw(
      String name, Mode mode, Function<Json, Shape> shape, Function<Json, NodeCode> code) {
    return new NodeType(name, mode, shape, code, Role.PLAIN, Optional.empty(), Retry.none(), false);
  }

  /** A node whose messages come from outside. */
  public static NodeType trigger(String name, Function<Json, Source> source) {
    Shape shape =
        new Shape(
            List.of(),
            List.of(Handle.of("value", HandleType.ANY), Handle.of("id", HandleType.TEXT)));
    return new NodeType(
        name,
        Mode.STREAM_OUT,
        properties -> shape,
        properties -> {
          throw PawlException.internal("a trigger has no code");
        },
        Role.TRIGGER,
        Optional.of(source),
        Retry.none(),
        true);
  }

  /** What happens when a node of this type fails, unless the graph says otherwise. */
  public NodeType retry(Retry policy) {
    return new NodeType(name, mode, shape, code, role, source, policy, pure);
  }

  /** Code to call before the first batch of each execution. */
  public NodeType initialize(Hook hook) {
    return hooked(hook, context -> {});
  }

  /** Code to call after the last batch of each execution, also if one failed. */
  public NodeType finish(Hook hook) {
    return hooked(context -> {}, hook);
  }

  private NodeType hooked(Hook before, Hook after) {
    Function<Json, NodeCode> made = properties -> Hooked.of(code.apply(properties), before, after);
    return new NodeType(name, mode, shape, made, role, source, retry, pure);
  }

  /** The same type as the graph's way in or out. */
  public NodeType as(Role part) {
    return new NodeType(name, mode, shape, code, part, source, retry, pure);
  }

  /**
   * The same type, known to have no effect but its outputs: it may be executed before its start is
   * durable.
   */
  public NodeType pure() {
    return new NodeType(name, mode, shape, code, role, source, retry, true);
  }

  public boolean isPure() {
    return pure;
  }

  public String name() {
    return name;
  }

  public Mode mode() {
    return mode;
  }

  public Role role() {
    return role;
  }

  public Retry retry() {
    return retry;
  }

  /**
   * The handles of a node with these properties.
   *
   * @throws PawlException if the properties make no sense
   */
  public Shape shape(Json properties) {
    return shape.apply(properties);
  }

  /** Code for one execution of a node with these properties. */
  public NodeCode code(Json properties) {
    return code.apply(properties);
  }

  /** Where a trigger with these properties has its inputs from. */
  public Optional<Source> source(Json properties) {
    return source.map(from -> from.apply(properties));
  }
}
