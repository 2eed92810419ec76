package dev.pawl.script.lang;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Everything around a script of the corpus: a clock that jumps, tasks whose outcomes are given, a
 * mailbox. Runs the script straight through, or takes it down and up again at every chance.
 */
final class SpecWorld implements Host {
  enum Mode {
    STRAIGHT,
    RESTORED_AT_AWAITS,
    RESTORED_AT_STATEMENTS
  }

  private static final int MOST_TURNS = 200_000;

  final List<String> log = new ArrayList<>();
  final List<String> started = new ArrayList<>();
  final Map<String, List<String>> inputs = new HashMap<>();
  final Map<String, List<String>> options = new HashMap<>();
  final List<Integer> snapshotSizes = new ArrayList<>();
  int turns;

  private final SpecCase file;
  private final Script script;
  private final Mode mode;
  private final List<Due> due = new ArrayList<>();
  private final List<SpecCase.Message> mailbox = new ArrayList<>();
  private final List<SpecCase.Message> coming;
  private final Map<String, Integer> calls = new HashMap<>();
  private Machine machine;
  private long elapsed;
  private long chance = 42;

  private record Due(long at, int rank, long order, Runnable happens) {}

  SpecWorld(SpecCase file, Script script, Mode mode) {
    this.file = file;
    this.script = script;
    this.mode = mode;
    this.coming = new ArrayList<>(file.messages);
    arrive();
    String type =
        script.declaredName().orElse(file.name.replaceAll(".*/", "").replaceAll("\\.flow$", ""));
    this.machine =
        Machine.start(script, file.inputs, new RunContext("run-1", type, 1), this, file.limits);
    machine.stopAtStatements(mode == Mode.RESTORED_AT_STATEMENTS);
  }

  /** The last step: an end, or waiting for what never comes. */
  Step run() {
    while (true) {
      Step step = machine.run();
      if (++turns > MOST_TURNS) {
        throw new AssertionError("no end after " + turns + " turns");
      }
      step.started().forEach(this::carryOut);
      if (step instanceof Step.Done || step instanceof Step.Threw) {
        return step;
      }
      restore();
      if (step instanceof Step.Waiting waiting && !goOn(waiting)) {
        return step;
      }
    }
  }

  long elapsed() {
    return elapsed;
  }

  List<View> views() {
    return machine.views();
  }

  private void restore() {
    if (mode == Mode.STRAIGHT) {
      return;
    }
    byte[] snapshot = machine.snapshot();
    snapshotSizes.add(snapshot.length);
    machine = Machine.restore(script, snapshot, this, file.limits);
    machine.stopAtStatements(mode == Mode.RESTORED_AT_STATEMENTS);
  }

  private void carryOut(Operation operation) {
    switch (operation) {
      case Operation.Log line -> log.add(line.text());
      case Operation.StartTask task ->
          start(task.op(), task.name(), task.inputs(), task.options(), file.tasks);
      case Operation.StartWorkflow flow ->
          start(flow.op(), flow.name(), flow.inputs(), flow.options(), file.workflows);
      case Operation.Sleep sleep ->
          add(elapsed + sleep.millis(), 2, sleep.op(), () -> machine.settle(sleep.op(), "null"));
      case Operation.SleepUntil until -> {
        long at = Math.max(elapsed, until.epochMillis() - file.startMillis);
        add(at, 2, until.op(), () -> machine.settle(until.op(), "null"));
      }
      case Operation.NextSignal signal ->
          timeout(signal.op(), signal.name(), signal.timeoutMillis());
      case Operation.NextEvent event -> timeout(event.op(), event.topic(), event.timeoutMillis());
    }
  }

  private void timeout(long op, String name, OptionalLong millis) {
    if (millis.isPresent()) {
      Failure late = Failure.of("TIMEOUT", "no " + name + " came in time");
      add(elapsed + millis.getAsLong(), 2, op, () -> machine.fail(op, late));
    }
  }

  private void add(long at, int rank, long order, Runnable happens) {
    due.add(new Due(at, rank, order, happens));
  }

  private void start(
      long op,
      String name,
      String given,
      String chosen,
      Map<String, List<SpecCase.Outcome>> outcomes) {
    started.add(name);
    inputs.computeIfAbsent(name, n -> new ArrayList<>()).add(given);
    options.computeIfAbsent(name, n -> new ArrayList<>()).add(chosen);
    List<SpecCase.Outcome> all = outcomes.get(name);
    if (all == null) {
      throw new AssertionError("nothing is given for " + name);
    }
    int call = calls.merge(name, 1, Integer::sum) - 1;
    SpecCase.Outcome outcome = all.get(Math.min(call, all.size() - 1));
    ObjectValue read = (ObjectValue) machine.fromJson(chosen);
    long delay = millis(read.get("delay")).orElse(0L);
    Optional<Long> timeout = millis(read.get("timeout"));
    if (timeout.isPresent()
        && (outcome.afterMillis() > timeout.get() || outcome.kind().equals("never"))) {
      Failure late = Failure.of("TIMEOUT", "the task took longer than allowed");
      add(elapsed + delay + timeout.get(), 1, op, () -> machine.fail(op, late));
      return;
    }
    long at = elapsed + delay + outcome.afterMillis();
    switch (outcome.kind()) {
      case "->" -> add(at, 1, op, () -> machine.settle(op, outcome.json()));
      case "echoes" -> add(at, 1, op, () -> machine.settle(op, given));
      case "fails" -> add(at, 1, op, () -> machine.fail(op, failure(outcome.json())));
      default -> {}
    }
  }

  private static Optional<Long> millis(Object value) {
    return value == Null.UNSET || value == Null.NULL
        ? Optional.empty()
        : Optional.of(Durations.millis(value, "option"));
  }

  private Failure failure(String json) {
    ObjectValue error = (ObjectValue) machine.fromJson(json);
    Failure plain = Failure.of((String) error.get("code"), (String) error.get("message"));
    if (error.has("data")) {
      plain = plain.withData(JsonWriter.write(error.get("data"), machine));
    }
    plain = plain.withRetryable(Boolean.TRUE.equals(error.get("retryable")));
    Object source = error.get("source");
    Failure.Source from =
        source instanceof ObjectValue s
            ? new Failure.Source(text(s, "kind"), text(s, "id"), text(s, "name"))
            : Failure.Source.NONE;
    Optional<Failure> cause =
        error.has("cause")
            ? Optional.of(failure(JsonWriter.write(error.get("cause"), machine)))
            : Optional.empty();
    int attempt = error.get("attempt") instanceof Double d ? d.intValue() : 0;
    return new Failure(
        plain.code(),
        plain.message(),
        text(error, "type"),
        plain.data(),
        plain.retryable(),
        attempt,
        from,
        cause,
        text(error, "stack"),
        0,
        0);
  }

  private static String text(ObjectValue object, String key) {
    return object.get(key) instanceof String s ? s : "";
  }

  /** Lets the next thing happen; false if there is nothing to come. */
  private boolean goOn(Step.Waiting waiting) {
    if (deliver(waiting)) {
      return true;
    }
    Optional<Due> next =
        due.stream()
            .min(
                Comparator.comparingLong(Due::at)
                    .thenComparingInt(Due::rank)
                    .thenComparingLong(Due::order));
    Optional<SpecCase.Message> message =
        coming.stream().min(Comparator.comparingLong(SpecCase.Message::atMillis));
    boolean messageFirst =
        message.isPresent() && (next.isEmpty() || message.get().atMillis() <= next.get().at());
    if (messageFirst) {
      elapsed = Math.max(elapsed, message.get().atMillis());
      arriveOne(message.get());
      return true;
    }
    if (next.isEmpty()) {
      return false;
    }
    elapsed = Math.max(elapsed, next.get().at());
    due.remove(next.get());
    next.get().happens().run();
    return true;
  }

  private void arrive() {
    List.copyOf(coming).stream().filter(m -> m.atMillis() == 0).forEach(this::arriveOne);
  }

  private void arriveOne(SpecCase.Message message) {
    coming.remove(message);
    mailbox.add(message);
  }

  private boolean deliver(Step.Waiting waiting) {
    for (SpecCase.Message message : mailbox) {
      for (Step.Pending pending : waiting.pending()) {
        boolean fits =
            switch (pending.operation()) {
              case Operation.NextSignal signal ->
                  !message.event() && signal.name().equals(message.name());
              case Operation.NextEvent event ->
                  message.event() && event.topic().equals(message.name());
              default -> false;
            };
        if (fits && pending.awaited()) {
          mailbox.remove(message);
          due.removeIf(d -> d.rank() == 2 && d.order() == pending.operation().op());
          machine.settle(pending.operation().op(), message.json());
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public long nowMillis() {
    return file.startMillis + elapsed;
  }

  @Override
  public double random() {
    chance = chance * 6364136223846793005L + 1442695040888963407L;
    return (chance >>> 11) * 0x1.0p-53;
  }

  @Override
  public String uuid() {
    chance++;
    return "00000000-0000-7000-8000-%012x".formatted(chance & 0xFFFFFFFFFFFFL);
  }
}
