package dev.pawl.script.lang;

import dev.pawl.script.lang.PromiseValue.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/** {@code Task Workflow Timer Signal Event Promise}: what can be awaited. */
final class AsyncLibrary {
  private static final List<String> RUN_OPTIONS =
      List.of("queue", "priority", "retry", "timeout", "key", "delay");
  private static final List<String> WAIT_OPTIONS = List.of("timeout");

  private AsyncLibrary() {}

  static void register() {
    Library.add("Task.run", (m, a) -> run(m, a, false));
    Library.add("Workflow.run", (m, a) -> run(m, a, true));
    Library.add("Timer.delay", (m, a) -> delay(m, a));
    Library.add("Task.delay", (m, a) -> delay(m, a));
    Library.add("Timer.until", (m, a) -> until(m, a));
    Library.add("Signal.next", (m, a) -> signal(m, a));
    Library.add("Signal.when", (m, a) -> signal(m, a));
    Library.add("wait_for_signal", (m, a) -> signal(m, a));
    Library.add("Event.next", (m, a) -> event(m, a));
    Library.add("Promise.all", (m, a) -> combine(m, a, Kind.ALL));
    Library.add("Promise.allSettled", (m, a) -> combine(m, a, Kind.ALL_SETTLED));
    Library.add("Promise.any", (m, a) -> combine(m, a, Kind.ANY));
    Library.add("Promise.race", (m, a) -> combine(m, a, Kind.RACE));
    Library.add("Promise.any_kv", (m, a) -> combine(m, a, Kind.ANY_KV));
    Library.add("Promise.race_kv", (m, a) -> combine(m, a, Kind.RACE_KV));
    Library.add("Promise.timeout", (m, a) -> timeout(m, a));
    Library.add("Task.all", (m, a) -> combine(m, a, Kind.ALL));
    Library.add("Task.any", (m, a) -> combine(m, a, Kind.ANY));
    Library.add("Task.race", (m, a) -> combine(m, a, Kind.RACE));
  }

  private static Object run(Machine machine, Arguments a, boolean workflow) {
    String name = name(a);
    String inputs = JsonWriter.write(a.get(1), machine);
    String options = "{}";
    if (a.has(2)) {
      ObjectValue given = a.object(2);
      Options.check(a.function, given, RUN_OPTIONS);
      checkDuration(given, "timeout", a.function);
      checkDuration(given, "delay", a.function);
      options = JsonWriter.write(given, machine);
    }
    String checked = options;
    machine.allocate(2L * (inputs.length() + options.length()));
    return machine.ask(op ->
        workflow
            ? new Operation.StartWorkflow(op, name, inputs, checked)
            : new Operation.StartTask(op, name, inputs, checked));
  }

  private static String name(Arguments a) {
    String name = a.text(0);
    if (name.isBlank()) {
      throw Thrown.input("`" + a.function + "` needs a name; it got an empty text");
    }
    return name;
  }

  private static void checkDuration(ObjectValue options, String option, String function) {
    Object value = options.get(option);
    if (value != Null.UNSET && value != Null.NULL) {
      Durations.millis(value, function);
    }
  }

  private static Object delay(Machine machine, Arguments a) {
    long millis = Durations.millis(a.get(0), a.function);
    return machine.ask(op -> new Operation.Sleep(op, millis));
  }

  private static Object until(Machine machine, Arguments a) {
    long moment = Durations.moment(a.get(0), a.function);
    return machine.ask(op -> new Operation.SleepUntil(op, moment));
  }

  private static Object signal(Machine machine, Arguments a) {
    String name = name(a);
    OptionalLong timeout = timeoutOption(a);
    return machine.ask(op -> new Operation.NextSignal(op, name, timeout));
  }

  private static Object event(Machine machine, Arguments a) {
    String topic = name(a);
    OptionalLong timeout = timeoutOption(a);
    return machine.ask(op -> new Operation.NextEvent(op, topic, timeout));
  }

  private static OptionalLong timeoutOption(Arguments a) {
    if (!a.has(1)) {
      return OptionalLong.empty();
    }
    ObjectValue options = a.object(1);
    Options.check(a.function, options, WAIT_OPTIONS);
    Object timeout = options.get("timeout");
    return timeout == Null.UNSET || timeout == Null.NULL
        ? OptionalLong.empty()
        : OptionalLong.of(Durations.millis(timeout, a.function));
  }

  private static Object combine(Machine machine, Arguments a, Kind kind) {
    List<Object> parts = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    switch (a.get(0)) {
      case ListValue list -> parts.addAll(Arrays.asList(list.items).subList(0, list.size));
      case ObjectValue object -> {
        parts.addAll(Arrays.asList(object.values).subList(0, object.size));
        keys.addAll(Arrays.asList(object.keys).subList(0, object.size));
        if (object.size == 0 && (kind == Kind.ALL || kind == Kind.ALL_SETTLED)) {
          return settled(machine, new ObjectValue());
        }
      }
      default -> throw a.wrong(0, "a list or an object of promises", a.get(0));
    }
    if (parts.isEmpty() && (kind == Kind.RACE || kind == Kind.RACE_KV)) {
      throw Thrown.input("`" + a.function + "` of nothing would never end");
    }
    return machine.promises.combine(kind, parts, keys);
  }

  private static PromiseValue settled(Machine machine, Object value) {
    PromiseValue promise = new PromiseValue(Kind.FIBER);
    machine.promises.fulfil(promise, value);
    return promise;
  }

  private static Object timeout(Machine machine, Arguments a) {
    long millis = Durations.millis(a.get(1), a.function);
    if (!(a.get(0) instanceof PromiseValue promise)) {
      return settled(machine, a.get(0));
    }
    String allowed = a.get(1) instanceof String text ? text : Values.text(a.get(1), machine) + " s";
    Object timer = machine.ask(op -> new Operation.Sleep(op, millis));
    return machine.promises.combine(Kind.TIMEOUT, List.of(promise, timer), List.of(allowed, ""));
  }
}
