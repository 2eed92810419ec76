package dev.pawl.script.lang;

import dev.pawl.Pawl;
import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.EventCodec;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.script.Scripts;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Definition;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The real engine around a script of the corpus: a store in memory whose clock jumps, a worker for
 * scripts, and a hand-made one that ends tasks as the file says.
 */
final class SpecEngine implements AutoCloseable {
  private static final Duration LEASE = Duration.ofDays(36_500);

  private final SpecCase file;
  private final ManualClock clock = new ManualClock();
  private final MemoryStore store = new MemoryStore(clock);
  private final Pawl pawl;
  private final String type;
  private final RunId id;
  private final List<Due> due = new ArrayList<>();
  private final Map<String, Integer> calls = new HashMap<>();
  private final Map<RunId, Activation> held = new HashMap<>();
  private long ticket;
  private long seen;

  private record Due(Instant at, int rank, long order, Runnable happens) {}

  SpecEngine(SpecCase file) {
    this.file = file;
    clock.set(Instant.ofEpochMilli(file.startMillis));
    pawl = Pawl.open(store).register(Scripts.all(file.limits));
    Definition definition = Scripts.deploy(pawl, file.name, file.source);
    type = definition.type();
    id = pawl.start(type, Json.parse(file.inputs), o -> o.maxAttempts(1)).id();
    for (SpecCase.Message message : file.messages) {
      add(message.atMillis(), 0, due.size(), () -> send(message));
    }
    while (!due.isEmpty() && !next().at().isAfter(clock.instant())) {
      happen(next());
    }
    pawl.work(w -> w.lease(LEASE).poll(Duration.ofMillis(1)).drain(Duration.ZERO));
  }

  private void add(long afterMillis, int rank, long order, Runnable happens) {
    due.add(new Due(clock.instant().plusMillis(afterMillis), rank, order, happens));
  }

  private Due next() {
    return due.stream()
        .min(
            Comparator.comparing(Due::at).thenComparingInt(Due::rank).thenComparingLong(Due::order))
        .orElseThrow();
  }

  private void happen(Due what) {
    due.remove(what);
    what.happens().run();
  }

  private void send(SpecCase.Message message) {
    if (message.event()) {
      pawl.emit(message.name(), Json.parse(message.json()));
    } else if (!pawl.get(id).status().isTerminal()) {
      pawl.signal(id, message.name(), Json.parse(message.json()));
    }
  }

  /** Lets everything happen that will; returns the run as it stands then. */
  Run run() {
    while (true) {
      Await.until("the run rests", this::isResting);
      Run run = pawl.get(id);
      if (run.status().isTerminal()) {
        return run;
      }
      notice();
      Optional<Instant> timer = run.due();
      boolean first = !due.isEmpty() && timer.filter(at -> at.isBefore(next().at())).isEmpty();
      if (first) {
        pawl.pause(type);
        Due what = next();
        clock.set(what.at());
        happen(what);
        pawl.resume(type);
      } else if (timer.isPresent()) {
        clock.set(timer.get());
      } else {
        return run;
      }
    }
  }

  private boolean isResting() {
    Run run = pawl.get(id);
    return run.status().isTerminal()
        || (run.status() == Status.SUSPENDED
            && run.due().filter(at -> !at.isAfter(clock.instant())).isEmpty());
  }

  /** Plans the ends of tasks that were started meanwhile. */
  private void notice() {
    for (Entry entry : store.log(id, seen, Integer.MAX_VALUE)) {
      seen = entry.seq();
      if (entry.event() instanceof Event.ChildStarted child) {
        plan(child);
      }
    }
  }

  private void plan(Event.ChildStarted child) {
    Run run = pawl.get(child.child());
    List<SpecCase.Outcome> all = file.tasks.getOrDefault(child.type(), List.of());
    if (all.isEmpty()) {
      all = file.workflows.get(child.type());
    }
    int call = calls.merge(child.type(), 1, Integer::sum) - 1;
    SpecCase.Outcome outcome = all.get(Math.min(call, all.size() - 1));
    long delay = Duration.between(run.createdAt(), run.due().orElseThrow()).toMillis();
    Optional<Long> timeout = timeout(run);
    boolean late = timeout.filter(limit -> outcome.afterMillis() > limit).isPresent();
    if (late || (timeout.isPresent() && outcome.kind().equals("never"))) {
      Failure failure = Failure.of("TIMEOUT", "the task took longer than allowed");
      add(delay + timeout.get(), 1, child.op(), () -> end(run, new Event.Failed(failure)));
      return;
    }
    switch (outcome.kind()) {
      case "->" -> plan(child, run, delay, outcome, Json.parse(outcome.json()));
      case "echoes" -> plan(child, run, delay, outcome, run.payload());
      case "fails" -> {
        Failure failure = EventCodec.readFailure(Json.parse(outcome.json()));
        add(
            delay + outcome.afterMillis(),
            1,
            child.op(),
            () -> end(run, new Event.Failed(failure)));
      }
      default -> {}
    }
  }

  private void plan(
      Event.ChildStarted child, Run run, long delay, SpecCase.Outcome outcome, Json value) {
    add(delay + outcome.afterMillis(), 1, child.op(), () -> end(run, new Event.Succeeded(value)));
  }

  private static Optional<Long> timeout(Run run) {
    return Optional.ofNullable(run.tags().get("pawl.timeout"))
        .map(text -> Duration.parse(text).toMillis())
        .or(() -> run.deadline().map(at -> Duration.between(run.createdAt(), at).toMillis()));
  }

  private void end(Run child, Event.Terminal end) {
    if (!held.containsKey(child.id())) {
      Command.Claimant by = new Command.Claimant("spec", LEASE, ++ticket);
      Outcome.Claimed claimed =
          (Outcome.Claimed)
              pawl.commits()
                  .commit(new Command.Claim(by, Routes.of(child.type()), Integer.MAX_VALUE));
      claimed.activations().forEach(each -> held.put(each.run().id(), each));
    }
    Activation activation = held.get(child.id());
    pawl.commits()
        .commit(
            new Command.Advance(
                child.id(),
                activation.run().epoch(),
                activation.seq() + 1,
                activation.run().wakes(),
                List.of(end)));
  }

  MemoryStore store() {
    return store;
  }

  List<Event> events() {
    return pawl.log(id).stream().map(Entry::event).toList();
  }

  /** The tasks and workflows that were started, in order. */
  List<Run> children() {
    return events().stream()
        .filter(Event.ChildStarted.class::isInstance)
        .map(event -> pawl.get(((Event.ChildStarted) event).child()))
        .toList();
  }

  @Override
  public void close() {
    pawl.close();
  }
}
