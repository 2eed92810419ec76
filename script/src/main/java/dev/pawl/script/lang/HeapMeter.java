package dev.pawl.script.lang;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Keeps the size of what a script can reach under its limit. Allocations are only added up; when
 * the sum passes the limit, what is still reachable is measured, and the sum starts from there.
 */
final class HeapMeter {
  private final Machine machine;
  private long allocated;
  private long threshold;

  HeapMeter(Machine machine) {
    this.machine = machine;
    this.threshold = machine.limits.heapBytes();
  }

  /** Begins with what a snapshot held. */
  void restore(long bytes) {
    allocated = bytes;
  }

  void allocate(long bytes) {
    allocated += bytes;
    if (allocated > threshold) {
      measure(bytes);
    }
  }

  private void measure(long bytes) {
    long limit = machine.limits.heapBytes();
    long live = bytes + new Walk().size(machine);
    if (live > limit) {
      throw new LimitExceeded("the values of the script take more than " + limit + " bytes");
    }
    allocated = live;
    threshold = Math.max(limit, live + limit / 4);
  }

  /** Visits everything reachable, each thing once, without recursion. */
  private static final class Walk {
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> open = new ArrayDeque<>();
    private long size;

    long size(Machine machine) {
      visit(machine.inputs);
      visit(machine.context);
      visit(machine.main);
      machine.ready.forEach(this::visitFiber);
      machine.blocked.forEach(this::visitFiber);
      visitFiber(machine.running());
      machine.pending.values().forEach(this::visit);
      while (!open.isEmpty()) {
        enter(open.pop());
      }
      machine.charge(seen.size() / 4);
      return size;
    }

    @SuppressWarnings("NullAway") // slots that were never written
    private void visit(Object value) {
      boolean plain =
          value == null
              || value instanceof Double
              || value instanceof Boolean
              || value instanceof Null
              || value instanceof Builtin;
      if (!plain && seen.add(value)) {
        open.push(value);
      }
    }

    private void visitAll(Object[] values, int count) {
      for (int i = 0; i < count; i++) {
        visit(values[i]);
      }
    }

    private void visitFiber(Fiber fiber) {
      size += Machine.FIBER_BYTES;
      visit(fiber.resumeValue);
      visit(fiber.promise);
      for (int i = 0; i < fiber.depth; i++) {
        size += Machine.FRAME_BYTES;
        switch (fiber.frames[i]) {
          case CodeFrame frame -> {
            visit(frame.closure);
            visitAll(frame.slots, frame.slots.length);
          }
          case LoopFrame frame -> {
            visit(frame.list);
            visit(frame.result);
            visit(frame.function);
          }
          case SortFrame frame -> {
            visitAll(frame.from, frame.from.length);
            visit(frame.list);
          }
        }
      }
    }

    private void enter(Object value) {
      switch (value) {
        case String text -> size += 40 + 2L * text.length();
        case ListValue list -> {
          size += Machine.OBJECT_BYTES + (long) list.size * Machine.ELEMENT_BYTES;
          visitAll(list.items, list.size);
        }
        case ObjectValue object -> {
          size += Machine.OBJECT_BYTES + (long) object.size * Machine.PROPERTY_BYTES;
          visitAll(object.values, object.size);
        }
        case ErrorValue error -> {
          size += Machine.ERROR_BYTES + 2L * error.message.length() + 2L * error.stack.length();
          visit(error.data);
          visit(error.source);
          visit(error.cause);
        }
        case Cell cell -> {
          size += Machine.CELL_BYTES;
          visit(cell.value);
        }
        case Closure closure -> {
          size += Machine.OBJECT_BYTES;
          visitAll(closure.captured, closure.captured.length);
        }
        case PromiseValue promise -> {
          size += Machine.FIBER_BYTES;
          visit(promise.value);
          promise.parts.forEach(this::visit);
        }
        case IteratorValue iterator -> visit(iterator.list);
        default -> size += Machine.OBJECT_BYTES;
      }
    }
  }
}
