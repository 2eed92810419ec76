package dev.pawl.script.lang;

import dev.pawl.script.lang.FunctionCode.Capture;
import dev.pawl.script.lang.FunctionCode.LocalRange;
import dev.pawl.script.lang.syntax.Span;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Looks at a machine that stands still. */
final class Views {
  private static final int DEEPEST = 20;
  private static final int MOST_PARTS = 100;

  private final Machine machine;

  private Views(Machine machine) {
    this.machine = machine;
  }

  static List<View> of(Machine machine) {
    Views views = new Views(machine);
    List<View> all = new ArrayList<>();
    machine.blocked.forEach(fiber -> views.add(fiber, all));
    machine.ready.forEach(fiber -> views.add(fiber, all));
    all.sort((a, b) -> Boolean.compare(b.main(), a.main()));
    return all;
  }

  private void add(Fiber fiber, List<View> to) {
    StringBuilder path = new StringBuilder();
    CodeFrame innermost = null;
    for (int i = 0; i < fiber.depth; i++) {
      if (fiber.frames[i] instanceof CodeFrame frame) {
        path.append(path.isEmpty() ? "" : "/");
        path.append(Calls.name(frame.function)).append(':').append(place(frame).line());
        innermost = frame;
      }
    }
    if (innermost != null) {
      Span at = place(innermost);
      to.add(
          new View(
              machine.isMain(fiber),
              Calls.name(innermost.function),
              at.line(),
              at.column(),
              path.toString(),
              locals(innermost),
              suspended(fiber.awaiting, 0)));
    }
  }

  private Span place(CodeFrame frame) {
    boolean atStart = frame.function.statementStarts[frame.address];
    return machine.calls.span(frame, atStart ? frame.address + 1 : frame.address);
  }

  private Map<String, String> locals(CodeFrame frame) {
    Map<String, String> found = new LinkedHashMap<>();
    LocalRange[] ranges = frame.function.ranges;
    for (LocalRange range : ranges) {
      if (!range.name().isEmpty() && range.contains(frame.address)) {
        show(range.name(), frame.slots[range.slot()], found);
      }
    }
    Capture[] captures = frame.function.captures;
    for (int i = 0; i < captures.length; i++) {
      show(captures[i].name(), frame.closure.captured[i], found);
    }
    return found;
  }

  private void show(String name, Object held, Map<String, String> to) {
    Object value = held instanceof Cell cell ? cell.value : held;
    if (value == Null.UNSET || value instanceof Callable) {
      return;
    }
    to.putIfAbsent(name, json(value));
  }

  private String json(Object value) {
    try {
      return JsonWriter.write(value, machine);
    } catch (Thrown | LimitExceeded e) {
      return JsonWriter.quote("(" + Values.kind(value).replaceAll(" \\(.*", "") + ")");
    }
  }

  private String suspended(Object awaiting, int depth) {
    if (!(awaiting instanceof PromiseValue promise)) {
      return "null";
    }
    Operation.Awaitable operation = promise.operation;
    return operation != null ? operation(operation) : combined(promise, depth);
  }

  private static String operation(Operation.Awaitable operation) {
    return switch (operation) {
      case Operation.StartTask task -> described("run", task.op(), "name", task.name());
      case Operation.StartWorkflow flow -> described("workflow", flow.op(), "name", flow.name());
      case Operation.Sleep sleep ->
          "{\"type\":\"delay\",\"op\":%d,\"millis\":%d}".formatted(sleep.op(), sleep.millis());
      case Operation.SleepUntil until ->
          "{\"type\":\"until\",\"op\":%d,\"millis\":%d}".formatted(until.op(), until.epochMillis());
      case Operation.NextSignal signal -> described("signal", signal.op(), "name", signal.name());
      case Operation.NextEvent event -> described("event", event.op(), "topic", event.topic());
    };
  }

  private static String described(String type, long op, String key, String name) {
    return "{\"type\":\"%s\",\"op\":%d,\"%s\":%s}".formatted(type, op, key, JsonWriter.quote(name));
  }

  private String combined(PromiseValue promise, int depth) {
    if (!promise.isPending()) {
      return "{\"type\":\"settled\"}";
    }
    if (promise.kind == PromiseValue.Kind.FIBER) {
      return promise.parts.isEmpty() || depth > DEEPEST
          ? "{\"type\":\"async\"}"
          : suspended(promise.parts.get(0), depth + 1);
    }
    StringBuilder tasks = new StringBuilder();
    for (Object part : promise.parts.subList(0, Math.min(MOST_PARTS, promise.parts.size()))) {
      tasks.append(tasks.isEmpty() ? "" : ",");
      boolean open = part instanceof PromiseValue p && p.isPending() && depth < DEEPEST;
      tasks.append(open ? suspended(part, depth + 1) : "{\"type\":\"settled\"}");
    }
    String type = TextMethods.camel(promise.kind.name());
    return "{\"type\":\"%s\",\"count\":%d,\"tasks\":[%s]}"
        .formatted(type, promise.parts.size(), tasks);
  }
}
