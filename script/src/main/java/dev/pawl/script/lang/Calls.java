package dev.pawl.script.lang;

import dev.pawl.script.lang.FunctionCode.Handler;
import dev.pawl.script.lang.syntax.Span;

/** Calls, returns and errors on their way through the frames of a fiber. */
final class Calls {
  private static final int LONGEST_STACK = 20;

  private final Machine machine;
  private final Arguments arguments = new Arguments();

  /** Where the last value was thrown that is not an error and so does not know itself. */
  private int thrownLine;

  private int thrownColumn;

  Calls(Machine machine) {
    this.machine = machine;
  }

  /** Calls any value from a frame of the script; false if the fiber stopped. */
  boolean call(Fiber fiber, Object callee, Object[] from, int start, int count) {
    Object result = start(fiber, callee, from, start, count);
    return settle(fiber, result);
  }

  private boolean settle(Fiber fiber, Object result) {
    if (result != Machine.CALLED) {
      ((CodeFrame) fiber.top()).push(result);
    }
    return fiber.state == Fiber.State.RUNNING;
  }

  /**
   * Calls any value: the result, or {@link Machine#CALLED} if it will be delivered to the frame on
   * top.
   */
  Object start(Fiber fiber, Object callee, Object[] from, int start, int count) {
    return switch (callee) {
      case Closure closure -> {
        if (closure.code.isAsync) {
          startAsync(fiber, closure, from, start, count);
        } else {
          push(fiber, closure, from, start, count);
        }
        yield Machine.CALLED;
      }
      case Builtin builtin -> builtin(builtin, from, start, count);
      default ->
          throw Thrown.type(
              "%sonly a function can be called; this is %s"
                  .formatted(calledName(fiber), Values.kind(callee)));
    };
  }

  /** What the source calls the value that is being called, for people. */
  private String calledName(Fiber fiber) {
    if (!(fiber.top() instanceof CodeFrame frame)) {
      return "";
    }
    String name = machine.script.source().nameAt(frame.function.placeBefore(frame.address));
    return name.isEmpty() ? "" : "`" + name + "(…)`: ";
  }

  Object builtin(Builtin builtin, Object[] from, int start, int count) {
    return builtin.body.call(machine, arguments.of(builtin.name(), from, start, count));
  }

  /** {@code receiver.name(…)}; the receiver stands just before the arguments. */
  boolean invoke(Fiber fiber, String name, int method, Object[] from, int start, int count) {
    Object receiver = from[start - 1];
    Object result;
    if (receiver instanceof ObjectValue object) {
      Object callee = object.get(name);
      if (callee instanceof Closure closure && !closure.code.isAsync) {
        push(fiber, closure, from, start, count);
        return true;
      }
      result = start(fiber, callable(object, name, callee), from, start, count);
    } else {
      Arguments given = arguments.of(name, from, start, count);
      result = Methods.call(machine, receiver, name, method, given);
    }
    return settle(fiber, result);
  }

  private static Object callable(ObjectValue object, String name, Object callee) {
    if (callee == Null.UNSET) {
      return Access.get(object, name);
    }
    if (!(callee instanceof Callable)) {
      throw Thrown.type("`" + name + "` is not a function but " + Values.kind(callee));
    }
    return callee;
  }

  /** Puts a frame for the function on top. */
  void push(Fiber fiber, Closure closure, Object[] from, int start, int count) {
    if (fiber.depth + fiber.baseDepth >= machine.limits.depth()) {
      throw new LimitExceeded(
          "more than "
              + machine.limits.depth()
              + " calls stand inside each other, in `"
              + name(closure.code)
              + "`: is there an end to the recursion?");
    }
    FunctionCode code = closure.code;
    CodeFrame frame = new CodeFrame(closure);
    Object[] slots = frame.slots;
    int parameters = code.parameters;
    int given = Math.min(count, parameters);
    System.arraycopy(from, start, slots, 0, given);
    for (int i = given; i < parameters; i++) {
      slots[i] = code.defaulted[i] ? Null.UNSET : Null.NULL;
    }
    if (code.hasRest) {
      ListValue rest = new ListValue();
      if (count > parameters) {
        rest.addAll(from, start + parameters, count - parameters);
      }
      machine.allocate(Machine.OBJECT_BYTES + (long) rest.size * Machine.ELEMENT_BYTES);
      slots[parameters] = rest;
    }
    machine.allocate(Machine.FRAME_BYTES);
    fiber.push(frame);
  }

  /** The new fiber runs at once, up to its first await; then the caller has its promise. */
  private void startAsync(Fiber caller, Closure closure, Object[] from, int start, int count) {
    Fiber fiber = machine.newFiber(caller.baseDepth + caller.depth);
    push(fiber, closure, from, start, count);
    caller.resumeWith(fiber.promise);
    machine.giveWay(caller, fiber);
  }

  /** Hands a result to the frame on top, or ends the fiber with it. */
  void deliver(Fiber fiber, Object value) {
    Object result = value;
    while (fiber.depth > 0) {
      switch (fiber.top()) {
        case CodeFrame frame -> {
          frame.push(result);
          return;
        }
        case LoopFrame loop -> result = loop.resume(machine, fiber, result);
        case SortFrame sort -> result = sort.resume(machine, fiber, result);
      }
      if (result == Machine.CALLED) {
        return;
      }
      fiber.pop();
    }
    machine.end(fiber, result);
  }

  /** Finds who catches an error; if nobody does, the fiber ends with it. */
  void unwind(Fiber fiber, Object error) {
    place(fiber, error);
    while (fiber.depth > 0) {
      if (fiber.top() instanceof CodeFrame frame) {
        for (Handler handler : frame.function.handlers) {
          int at = frame.address - 1;
          if (handler.start() <= at && at < handler.end()) {
            frame.top = frame.function.locals;
            frame.push(error);
            frame.address = handler.target();
            return;
          }
        }
      }
      fiber.pop();
    }
    machine.endWithError(fiber, error);
  }

  void thrownAt(CodeFrame frame) {
    Span at = span(frame, frame.address + 1);
    thrownLine = at.line();
    thrownColumn = at.column();
  }

  int thrownLine() {
    return thrownLine;
  }

  int thrownColumn() {
    return thrownColumn;
  }

  /** Tells an error where it happened, unless it knows. */
  void place(Fiber fiber, Object error) {
    if (!(error instanceof ErrorValue value) || value.isPlaced()) {
      return;
    }
    StringBuilder stack = new StringBuilder(value.stack);
    int shown = 0;
    for (int i = fiber.depth - 1; i >= 0 && shown < LONGEST_STACK; i--) {
      if (fiber.frames[i] instanceof CodeFrame frame) {
        Span at = span(frame, frame.address);
        if (!value.isPlaced()) {
          value.line = at.line();
          value.column = at.column();
        }
        stack.append(stack.isEmpty() ? "" : "\n").append("at ").append(name(frame.function));
        stack.append(" (").append(machine.script.name()).append(':').append(at.line());
        stack.append(':').append(at.column()).append(')');
        shown++;
      }
    }
    value.stack = stack.toString();
  }

  Span span(CodeFrame frame, int address) {
    int offset = frame.function.placeBefore(address);
    return machine.script.source().span(offset, offset);
  }

  static String name(FunctionCode code) {
    if (code.index == 0) {
      return "the script";
    }
    return code.name.isEmpty() ? "(function)" : code.name;
  }
}
