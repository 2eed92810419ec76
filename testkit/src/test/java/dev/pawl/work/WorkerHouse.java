package dev.pawl.work;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.Invariants;
import dev.pawl.testkit.MortalStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;

/** A store with several engines on it, for tests of what workers do. */
abstract class WorkerHouse {
  static final Duration SOON = ofSeconds(30);

  /** Longer than any test: what happens in spite of it was not found by looking. */
  static final Duration NO_POLL = ofDays(1);

  final MemoryStore memory = new MemoryStore(InstantSource.system());
  final List<String> done = Collections.synchronizedList(new ArrayList<>());
  private final List<Pawl> engines = new ArrayList<>();

  @AfterEach
  void closeAll() {
    engines.forEach(Pawl::close);
    memory.close();
  }

  /** An engine of its own on the one store. */
  final Pawl engine(RunType<?, ?>... types) {
    return engine(memory, types);
  }

  final Pawl engine(Store store, RunType<?, ?>... types) {
    Pawl pawl = Pawl.open(new MortalStore(store));
    engines.add(pawl);
    for (RunType<?, ?> type : types) {
      pawl.register(type);
    }
    return pawl;
  }

  /** An engine that works, and finds out by hints alone. */
  final Pawl working(RunType<?, ?>... types) {
    Pawl pawl = engine(types);
    pawl.work(patient());
    return pawl;
  }

  static UnaryOperator<WorkerOptions> patient() {
    return w -> w.poll(NO_POLL).drain(ofMillis(100));
  }

  /** Claims like a worker that then dies: nobody ever works on what it got. */
  final int claimAndDie(String type, Duration lease) {
    Command.Claimant dead = new Command.Claimant("dead", lease, 1);
    Outcome.Claimed claimed =
        (Outcome.Claimed)
            memory.commit(List.of(new Command.Claim(dead, Routes.of(type), 100))).get(0);
    return claimed.activations().size();
  }

  final Run run(RunId id) {
    return memory.run(id).orElseThrow();
  }

  final List<Entry> log(RunId id) {
    return memory.log(id, 0, 10_000);
  }

  final <E extends Event> List<E> events(RunHandle<?> run, Class<E> kind) {
    return log(run.id()).stream()
        .map(Entry::event)
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  final void awaitStatus(RunHandle<?> run, Status status) {
    Await.until("run is " + status, () -> run(run.id()).status() == status);
  }

  /** Waits for so long by the store's clock. */
  final void letPass(Duration time) {
    var until = memory.now().plus(time);
    Await.until("time passes", () -> memory.now().isAfter(until));
  }

  final void check(RunHandle<?> run) {
    Invariants.check(memory, run.id());
  }
}
