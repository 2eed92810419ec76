package dev.pawl.script.lang;

/**
 * A method of a list that calls a function for each element, as a frame: it can be written down
 * between two calls like everything else.
 */
final class LoopFrame extends Frame {
  /** The names are in snapshots. */
  enum Method {
    MAP,
    FOR_EACH,
    FILTER,
    FIND,
    FIND_INDEX,
    SOME,
    EVERY,
    REDUCE,
    FLAT_MAP,
    REPLACE
  }

  final Method method;
  final ListValue list;
  final Callable function;

  /** The list that is being made, the value that is being reduced, or nothing. */
  Object result;

  /** Which element is next, or has its call under way. */
  int index;

  /** How many elements there were at the beginning: those added meanwhile are not visited. */
  final int end;

  /** The element whose call is under way. */
  Object current = Null.NULL;

  LoopFrame(Method method, ListValue list, Callable function, Object result, int index, int end) {
    this.method = method;
    this.list = list;
    this.function = function;
    this.result = result;
    this.index = index;
    this.end = end;
  }

  /** Begins the loop on top of the running fiber. */
  static Object start(
      Machine machine, Method method, ListValue list, Callable function, Object result, int from) {
    Fiber fiber = machine.running();
    LoopFrame frame = new LoopFrame(method, list, function, result, from, list.size);
    machine.allocate(Machine.FRAME_BYTES);
    fiber.push(frame);
    Object outcome = frame.callNext(machine, fiber);
    if (outcome != Machine.CALLED) {
      fiber.pop();
    }
    return outcome;
  }

  /** Takes the result of the call under way and goes on. */
  Object resume(Machine machine, Fiber fiber, Object value) {
    Object outcome = take(machine, value);
    return outcome == Machine.CALLED ? callNext(machine, fiber) : outcome;
  }

  private Object callNext(Machine machine, Fiber fiber) {
    while (index < end && index < list.size) {
      machine.charge(1);
      Object item = list.get(index);
      current = item;
      double at = index;
      Object[] given =
          switch (method) {
            case REDUCE -> new Object[] {result, item, at, list};
            case REPLACE -> new Object[] {((ListValue) item).get(0), ((ListValue) item).get(1)};
            default -> new Object[] {item, at, list};
          };
      Object value = machine.calls.start(fiber, function, given, 0, given.length);
      if (value == Machine.CALLED) {
        return value;
      }
      Object outcome = take(machine, value);
      if (outcome != Machine.CALLED) {
        return outcome;
      }
    }
    return atEnd();
  }

  /** The final result, or {@link Machine#CALLED} to go on. */
  private Object take(Machine machine, Object value) {
    Object item = current;
    int at = index++;
    switch (method) {
      case MAP -> append(machine, value);
      case FLAT_MAP -> {
        if (value instanceof ListValue inner) {
          machine.charge(inner.size);
          for (int i = 0; i < inner.size; i++) {
            append(machine, inner.get(i));
          }
        } else {
          append(machine, value);
        }
      }
      case FOR_EACH -> {}
      case REDUCE -> result = value;
      case REPLACE -> append(machine, Values.text(value, machine));
      case FILTER -> {
        if (holds(value)) {
          append(machine, item);
        }
      }
      case FIND -> {
        if (holds(value)) {
          return item;
        }
      }
      case FIND_INDEX -> {
        if (holds(value)) {
          return (double) at;
        }
      }
      case SOME -> {
        if (holds(value)) {
          return true;
        }
      }
      case EVERY -> {
        if (!holds(value)) {
          return false;
        }
      }
    }
    return Machine.CALLED;
  }

  private void append(Machine machine, Object value) {
    machine.allocate(Machine.ELEMENT_BYTES);
    ((ListValue) result).add(value);
  }

  private boolean holds(Object value) {
    if (value instanceof PromiseValue) {
      throw Thrown.type(
          "the function given to `"
              + TextMethods.camel(method.name())
              + "` must answer at once, and it gave a promise: use a `for` loop with `await`");
    }
    return Values.isTrue(value);
  }

  private Object atEnd() {
    return switch (method) {
      case MAP, FLAT_MAP, FILTER, REDUCE -> result;
      case REPLACE -> TextMethods.assemble((ListValue) result);
      case FOR_EACH, FIND -> Null.NULL;
      case FIND_INDEX -> -1.0;
      case SOME -> false;
      case EVERY -> true;
    };
  }
}
