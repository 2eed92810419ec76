package dev.pawl.script.lang;

import static dev.pawl.script.lang.SnapshotFormat.*;

import dev.pawl.script.lang.FunctionCode.LocalRange;
import java.util.OptionalLong;

/** Restores a machine from what {@link SnapshotWriter} wrote, or says why it cannot. */
final class SnapshotReader {
  private final Machine machine;
  private final SnapshotBytes in;
  private String[] texts = {};
  private Object[] objects = {};
  private long heapBytes;

  private SnapshotReader(Machine machine, SnapshotBytes in) {
    this.machine = machine;
    this.in = in;
  }

  static Machine read(Script script, byte[] snapshot, Host host, Limits limits) {
    Machine machine = new Machine(script, host, limits);
    SnapshotBytes in = new SnapshotBytes(snapshot, script.hash());
    try {
      new SnapshotReader(machine, in).read();
    } catch (SnapshotException e) {
      throw e;
    } catch (RuntimeException e) {
      throw SnapshotException.corrupt("what it holds does not fit together");
    }
    return machine;
  }

  private void read() {
    texts = new String[in.count()];
    for (int i = 0; i < texts.length; i++) {
      char[] characters = new char[in.count()];
      for (int j = 0; j < characters.length; j++) {
        characters[j] = (char) in.small();
      }
      texts[i] = new String(characters);
      heapBytes += 40L + 2L * characters.length;
    }
    objects = new Object[in.count()];
    for (int i = 0; i < objects.length; i++) {
      objects[i] = head();
    }
    for (Object object : objects) {
      fill(object);
    }
    readMachine();
    if (!in.atEnd()) {
      throw SnapshotException.corrupt("it goes on behind its end");
    }
  }

  private Object head() {
    int kind = in.octet();
    return switch (kind) {
      case LIST_OBJECT -> new ListValue();
      case PLAIN_OBJECT -> new ObjectValue();
      case ERROR_OBJECT -> new ErrorValue(text(), text());
      case PROMISE_OBJECT -> new PromiseValue(PromiseValue.Kind.valueOf(text()));
      case CELL_OBJECT -> new Cell(Null.UNSET);
      case CLOSURE_OBJECT -> {
        FunctionCode code = machine.script.functions()[in.small()];
        yield new Closure(code, new Cell[code.captures.length]);
      }
      case ITERATOR_OBJECT -> new IteratorValue(new ListValue(), 0);
      default -> throw SnapshotException.corrupt("an object has the unknown kind " + kind);
    };
  }

  private void fill(Object object) {
    switch (object) {
      case ListValue list -> {
        int size = in.count();
        for (int i = 0; i < size; i++) {
          list.add(value());
        }
        heapBytes += Machine.OBJECT_BYTES + (long) size * Machine.ELEMENT_BYTES;
      }
      case ObjectValue plain -> {
        int size = in.count();
        for (int i = 0; i < size; i++) {
          plain.put(text(), value());
        }
        heapBytes += Machine.OBJECT_BYTES + (long) size * Machine.PROPERTY_BYTES;
      }
      case ErrorValue error -> fillError(error);
      case PromiseValue promise -> fillPromise(promise);
      case Cell cell -> cell.value = value();
      case Closure closure -> {
        for (int i = 0; i < closure.captured.length; i++) {
          closure.captured[i] = (Cell) value();
        }
      }
      case IteratorValue iterator -> {
        iterator.list = (ListValue) value();
        iterator.next = in.small();
      }
      default -> throw new IllegalStateException("not part of a state: " + object);
    }
  }

  private void fillError(ErrorValue error) {
    error.type = text();
    error.stack = text();
    error.data = value();
    error.source = value();
    error.cause = value();
    error.retryable = in.number() == 1;
    error.attempt = in.small();
    error.line = in.small();
    error.column = in.small();
  }

  private void fillPromise(PromiseValue promise) {
    promise.state = PromiseValue.State.of(in.octet());
    promise.value = value();
    promise.settledAt = in.number();
    promise.open = in.small();
    int parts = in.count();
    for (int i = 0; i < parts; i++) {
      promise.parts.add(value());
    }
    int keys = in.count();
    for (int i = 0; i < keys; i++) {
      promise.keys.add(text());
    }
    int dependents = in.count();
    for (int i = 0; i < dependents; i++) {
      promise.dependents.add((PromiseValue) value());
    }
  }

  private void readMachine() {
    machine.inputs = value();
    machine.context = value();
    machine.main = (PromiseValue) value();
    machine.nextOp = in.number();
    machine.nextFiber = in.small();
    machine.promises.settlements = in.number();
    machine.restoreSpent(in.number());
    machine.restoreHeap(heapBytes);
    int pending = in.count();
    for (int i = 0; i < pending; i++) {
      readPending();
    }
    int ready = in.count();
    for (int i = 0; i < ready; i++) {
      Fiber fiber = readFiber();
      fiber.state = Fiber.State.READY;
      machine.ready.addLast(fiber);
    }
    int blocked = in.count();
    for (int i = 0; i < blocked; i++) {
      Fiber fiber = readFiber();
      fiber.state = Fiber.State.BLOCKED;
      machine.blocked.add(fiber);
      ((PromiseValue) fiber.awaiting).waiters.add(fiber);
    }
  }

  private void readPending() {
    long op = in.number();
    PromiseValue promise = (PromiseValue) value();
    int kind = in.octet();
    promise.operation =
        switch (kind) {
          case TASK_OPERATION -> new Operation.StartTask(op, text(), "null", "{}");
          case WORKFLOW_OPERATION -> new Operation.StartWorkflow(op, text(), "null", "{}");
          case SLEEP_OPERATION -> new Operation.Sleep(op, in.number());
          case SLEEP_UNTIL_OPERATION -> new Operation.SleepUntil(op, in.fixed(Long.BYTES));
          case SIGNAL_OPERATION -> new Operation.NextSignal(op, text(), timeout());
          case EVENT_OPERATION -> new Operation.NextEvent(op, text(), timeout());
          default -> throw SnapshotException.corrupt("an operation has the unknown kind " + kind);
        };
    machine.pending.put(op, promise);
  }

  private OptionalLong timeout() {
    long written = in.number();
    return written == 0 ? OptionalLong.empty() : OptionalLong.of(written - 1);
  }

  private Fiber readFiber() {
    int id = in.small();
    int baseDepth = in.small();
    Fiber fiber = new Fiber(id, (PromiseValue) value(), baseDepth);
    fiber.resume = Fiber.Resume.of(in.octet());
    fiber.resumeValue = value();
    fiber.awaiting = value();
    int depth = in.count();
    for (int i = 0; i < depth; i++) {
      int kind = in.octet();
      fiber.push(
          switch (kind) {
            case CODE_FRAME -> readCode();
            case LOOP_FRAME -> readLoop();
            case SORT_FRAME -> readSort();
            default -> throw SnapshotException.corrupt("a frame has the unknown kind " + kind);
          });
    }
    return fiber;
  }

  private CodeFrame readCode() {
    CodeFrame frame = new CodeFrame((Closure) value());
    FunctionCode function = frame.function;
    int site = in.small();
    frame.address = site == 0 ? 0 : function.sites[site - 1];
    int live = in.count();
    for (LocalRange range : function.ranges) {
      if (range.contains(frame.address)) {
        frame.slots[range.slot()] = value();
        live--;
      }
    }
    if (live != 0) {
      throw SnapshotException.corrupt("a function has other variables than it should");
    }
    int operands = in.count();
    for (int i = 0; i < operands; i++) {
      frame.push(value());
    }
    return frame;
  }

  private LoopFrame readLoop() {
    LoopFrame.Method method = LoopFrame.Method.valueOf(text());
    ListValue list = (ListValue) value();
    Callable function = (Callable) value();
    Object result = value();
    Object current = value();
    LoopFrame frame = new LoopFrame(method, list, function, result, in.small(), in.small());
    frame.current = current;
    return frame;
  }

  private SortFrame readSort() {
    ListValue list = (ListValue) value();
    Callable function = (Callable) value();
    int size = in.count();
    SortFrame frame = new SortFrame(list, function, new Object[size], new Object[size]);
    for (int i = 0; i < size; i++) {
      frame.from[i] = value();
      frame.to[i] = value();
    }
    frame.width = in.small();
    frame.start = in.small();
    frame.left = in.small();
    frame.right = in.small();
    frame.next = in.small();
    return frame;
  }

  private String text() {
    return texts[in.small()];
  }

  private Object value() {
    int tag = in.octet();
    return switch (tag) {
      case NULL -> Null.NULL;
      case UNSET -> Null.UNSET;
      case TRUE -> true;
      case FALSE -> false;
      case INTEGER -> {
        long number = in.number();
        yield (double) ((number >>> 1) ^ -(number & 1));
      }
      case NUMBER -> Double.longBitsToDouble(in.fixed(Double.BYTES));
      case TEXT -> text();
      case OBJECT -> objects[in.small()];
      case BUILTIN -> builtin(text());
      default -> throw SnapshotException.corrupt("a value has the unknown kind " + tag);
    };
  }

  private static Builtin builtin(String name) {
    Builtin found = Library.find(name);
    if (found == null) {
      throw SnapshotException.corrupt("it names `" + name + "`, which the library has not");
    }
    return found;
  }
}
