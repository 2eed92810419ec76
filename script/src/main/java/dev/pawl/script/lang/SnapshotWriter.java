package dev.pawl.script.lang;

import static dev.pawl.script.lang.SnapshotFormat.*;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.zip.CRC32;

/**
 * Writes the state of a machine. Objects get their numbers as they are met, and are written one
 * after the other without recursion, so that nothing is too deep.
 */
final class SnapshotWriter {
  private final Machine machine;
  private final Bytes body = new Bytes();
  private final Map<String, Integer> texts = new HashMap<>();
  private final List<String> textOrder = new ArrayList<>();
  private final IdentityHashMap<Object, Integer> objects = new IdentityHashMap<>();
  private final List<Object> objectOrder = new ArrayList<>();

  /** Whole numbers of seven bits a byte. */
  static final class Bytes extends ByteArrayOutputStream {
    void number(long value) {
      long rest = value;
      while ((rest & ~0x7FL) != 0) {
        write((int) (rest & 0x7F) | 0x80);
        rest >>>= 7;
      }
      write((int) rest);
    }

    void fixed(long value, int bytes) {
      for (int i = 0; i < bytes; i++) {
        write((int) (value >>> (8 * i)));
      }
    }
  }

  private SnapshotWriter(Machine machine) {
    this.machine = machine;
  }

  static byte[] write(Machine machine) {
    return new SnapshotWriter(machine).write();
  }

  private byte[] write() {
    Bytes roots = new Bytes();
    writeMachine(roots);
    Bytes contents = new Bytes();
    for (int i = 0; i < objectOrder.size(); i++) {
      writeObject(objectOrder.get(i), contents);
    }
    Bytes heads = new Bytes();
    objectOrder.forEach(object -> writeHead(object, heads));
    body.number(textOrder.size());
    for (String text : textOrder) {
      body.number(text.length());
      text.chars().forEach(body::number);
    }
    body.number(objectOrder.size());
    body.writeBytes(heads.toByteArray());
    body.writeBytes(contents.toByteArray());
    body.writeBytes(roots.toByteArray());
    return sealed();
  }

  private byte[] sealed() {
    Bytes all = new Bytes();
    all.write(MAGIC_1);
    all.write(MAGIC_2);
    all.write(VERSION);
    all.writeBytes(HexFormat.of().parseHex(machine.script.hash()));
    all.writeBytes(body.toByteArray());
    CRC32 checksum = new CRC32();
    checksum.update(all.toByteArray());
    all.fixed(checksum.getValue(), CHECKSUM_BYTES);
    return all.toByteArray();
  }

  private void writeMachine(Bytes out) {
    value(machine.inputs, out);
    value(machine.context, out);
    value(machine.main, out);
    out.number(machine.nextOp);
    out.number(machine.nextFiber);
    out.number(machine.promises.settlements);
    out.number(machine.spent());
    out.number(machine.pending.size());
    machine.pending.forEach((op, promise) -> writePending(op, promise, out));
    out.number(machine.ready.size());
    machine.ready.forEach(fiber -> writeFiber(fiber, out));
    out.number(machine.blocked.size());
    machine.blocked.forEach(fiber -> writeFiber(fiber, out));
  }

  private void writePending(long op, PromiseValue promise, Bytes out) {
    out.number(op);
    value(promise, out);
    Operation.Awaitable operation = promise.operation;
    switch (operation) {
      case Operation.StartTask task -> named(TASK_OPERATION, task.name(), out);
      case Operation.StartWorkflow workflow -> named(WORKFLOW_OPERATION, workflow.name(), out);
      case Operation.Sleep sleep -> {
        out.write(SLEEP_OPERATION);
        out.number(sleep.millis());
      }
      case Operation.SleepUntil until -> {
        out.write(SLEEP_UNTIL_OPERATION);
        out.fixed(until.epochMillis(), Long.BYTES);
      }
      case Operation.NextSignal signal -> {
        named(SIGNAL_OPERATION, signal.name(), out);
        timeout(signal.timeoutMillis(), out);
      }
      case Operation.NextEvent event -> {
        named(EVENT_OPERATION, event.topic(), out);
        timeout(event.timeoutMillis(), out);
      }
      case null -> throw new IllegalStateException("operation " + op + " is settled and pending");
    }
  }

  private void named(int kind, String name, Bytes out) {
    out.write(kind);
    out.number(text(name));
  }

  private static void timeout(OptionalLong timeout, Bytes out) {
    out.number(timeout.isPresent() ? timeout.getAsLong() + 1 : 0);
  }

  private void writeFiber(Fiber fiber, Bytes out) {
    out.number(fiber.id);
    out.number(fiber.baseDepth);
    value(fiber.promise, out);
    out.write(fiber.resume.number);
    value(fiber.resumeValue, out);
    value(fiber.awaiting, out);
    out.number(fiber.depth);
    for (int i = 0; i < fiber.depth; i++) {
      switch (fiber.frames[i]) {
        case CodeFrame frame -> writeCode(frame, out);
        case LoopFrame frame -> writeLoop(frame, out);
        case SortFrame frame -> writeSort(frame, out);
      }
    }
  }

  private void writeCode(CodeFrame frame, Bytes out) {
    FunctionCode function = frame.function;
    out.write(CODE_FRAME);
    value(frame.closure, out);
    out.number(frame.address == 0 ? 0 : function.siteAt(frame.address) + 1);
    int live = 0;
    for (FunctionCode.LocalRange range : function.ranges) {
      live += range.contains(frame.address) ? 1 : 0;
    }
    out.number(live);
    for (FunctionCode.LocalRange range : function.ranges) {
      if (range.contains(frame.address)) {
        value(frame.slots[range.slot()], out);
      }
    }
    out.number(frame.top - function.locals);
    for (int i = function.locals; i < frame.top; i++) {
      value(frame.slots[i], out);
    }
  }

  private void writeLoop(LoopFrame frame, Bytes out) {
    out.write(LOOP_FRAME);
    out.number(text(frame.method.name()));
    value(frame.list, out);
    value(frame.function, out);
    value(frame.result, out);
    value(frame.current, out);
    out.number(frame.index);
    out.number(frame.end);
  }

  private void writeSort(SortFrame frame, Bytes out) {
    out.write(SORT_FRAME);
    value(frame.list, out);
    value(frame.function, out);
    out.number(frame.from.length);
    for (int i = 0; i < frame.from.length; i++) {
      value(frame.from[i], out);
      value(frame.to[i], out);
    }
    out.number(frame.width);
    out.number(frame.start);
    out.number(frame.left);
    out.number(frame.right);
    out.number(frame.next);
  }

  private void writeObject(Object object, Bytes out) {
    switch (object) {
      case ListValue list -> {
        out.number(list.size);
        for (int i = 0; i < list.size; i++) {
          value(list.get(i), out);
        }
      }
      case ObjectValue plain -> {
        out.number(plain.size);
        for (int i = 0; i < plain.size; i++) {
          out.number(text(plain.keys[i]));
          value(plain.values[i], out);
        }
      }
      case ErrorValue error -> writeError(error, out);
      case PromiseValue promise -> writePromise(promise, out);
      case Cell cell -> value(cell.value, out);
      case Closure closure -> {
        for (Cell cell : closure.captured) {
          value(cell, out);
        }
      }
      case IteratorValue iterator -> {
        value(iterator.list, out);
        out.number(iterator.next);
      }
      default -> throw new IllegalStateException("not part of a state: " + object);
    }
  }

  private void writeError(ErrorValue error, Bytes out) {
    out.number(text(error.type));
    out.number(text(error.stack));
    value(error.data, out);
    value(error.source, out);
    value(error.cause, out);
    out.number(error.retryable ? 1 : 0);
    out.number(error.attempt);
    out.number(error.line);
    out.number(error.column);
  }

  private void writePromise(PromiseValue promise, Bytes out) {
    out.write(promise.state.number);
    value(promise.value, out);
    out.number(promise.settledAt);
    out.number(promise.open);
    out.number(promise.parts.size());
    promise.parts.forEach(part -> value(part, out));
    out.number(promise.keys.size());
    promise.keys.forEach(key -> out.number(text(key)));
    List<PromiseValue> dependents =
        promise.dependents.stream().filter(PromiseValue::isPending).toList();
    out.number(dependents.size());
    dependents.forEach(dependent -> value(dependent, out));
  }

  /** What must be known of an object before others can refer to it. */
  private void writeHead(Object object, Bytes out) {
    switch (object) {
      case ListValue ignored -> out.write(LIST_OBJECT);
      case ObjectValue ignored -> out.write(PLAIN_OBJECT);
      case ErrorValue error -> {
        out.write(ERROR_OBJECT);
        out.number(text(error.code));
        out.number(text(error.message));
      }
      case PromiseValue promise -> named(PROMISE_OBJECT, promise.kind.name(), out);
      case Cell ignored -> out.write(CELL_OBJECT);
      case Closure closure -> {
        out.write(CLOSURE_OBJECT);
        out.number(closure.code.index);
      }
      case IteratorValue ignored -> out.write(ITERATOR_OBJECT);
      default -> throw new IllegalStateException("not part of a state: " + object);
    }
  }

  private int text(String text) {
    Integer known = texts.get(text);
    if (known == null) {
      known = textOrder.size();
      texts.put(text, known);
      textOrder.add(text);
    }
    return known;
  }

  @SuppressWarnings("NullAway") // slots that were never written
  private void value(Object value, Bytes out) {
    switch (value) {
      case null -> out.write(UNSET);
      case Null nothing -> out.write(nothing == Null.NULL ? NULL : UNSET);
      case Boolean b -> out.write(b ? TRUE : FALSE);
      case Double number -> number(number, out);
      case String text -> {
        out.write(TEXT);
        out.number(text(text));
      }
      case Builtin builtin -> {
        out.write(BUILTIN);
        out.number(text(builtin.name()));
      }
      default -> {
        Integer known = objects.get(value);
        if (known == null) {
          known = objectOrder.size();
          objects.put(value, known);
          objectOrder.add(value);
        }
        out.write(OBJECT);
        out.number(known);
      }
    }
  }

  private static void number(double number, Bytes out) {
    long whole = (long) number;
    boolean negativeZero = whole == 0 && Double.doubleToRawLongBits(number) != 0;
    if (whole == number && Math.abs(whole) < 1L << 53 && !negativeZero) {
      out.write(INTEGER);
      out.number((whole << 1) ^ (whole >> 63));
    } else {
      out.write(NUMBER);
      out.fixed(Double.doubleToRawLongBits(number), Double.BYTES);
    }
  }
}
