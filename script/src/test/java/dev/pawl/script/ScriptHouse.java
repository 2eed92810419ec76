package dev.pawl.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.doctor.Doctor;
import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.script.lang.Limits;
import dev.pawl.store.Query;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.ManualClock;
import dev.pawl.work.FailedException;
import dev.pawl.work.Task;
import dev.pawl.work.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An engine with a worker for scripts, on a store in memory whose time moves on when nothing is
 * left to do.
 */
final class ScriptHouse implements AutoCloseable {
  static final String TYPE = "test.script.v1";
  private static final Duration POLL = Duration.ofMillis(2);
  private static final Duration LEASE = Duration.ofDays(1000);

  final ManualClock clock = new ManualClock();
  final Store store;
  final Pawl pawl;
  final List<String> done = new ArrayList<>();
  private final Set<String> tasks = new HashSet<>();
  private Worker worker;

  ScriptHouse() {
    this(Limits.DEFAULT);
  }

  ScriptHouse(Limits limits) {
    this.store = new MemoryStore(clock);
    this.pawl = Pawl.open(store).register(Scripts.all(limits));
  }

  /** A task that answers with the same thing each time; {@link #done} keeps what it was asked. */
  ScriptHouse task(String type, String answer) {
    return task(type, (context, input) -> Json.parse(answer));
  }

  ScriptHouse echo(String type) {
    return task(type, (context, input) -> input);
  }

  ScriptHouse failing(String type, String message) {
    return task(
        type,
        (context, input) -> {
          throw FailedException.permanent("BROKEN", message);
        });
  }

  ScriptHouse task(String type, Task.Handler<Json, Json> handler) {
    Task.Handler<Json, Json> noted =
        (context, input) -> {
          synchronized (done) {
            done.add(context.type() + " " + input.text());
          }
          return handler.handle(context, input);
        };
    pawl.register(Task.json(type, noted));
    tasks.add(type);
    return this;
  }

  ScriptHouse work() {
    worker = pawl.work(w -> w.poll(POLL).lease(LEASE).drain(Duration.ZERO));
    return this;
  }

  /** Starts a run of this source. */
  RunId start(String source, String inputs) {
    Scripts.deploy(pawl, TYPE, source);
    return pawl.start(TYPE, Json.parse(inputs), o -> o).id();
  }

  /** Starts a run of this source and lets it come to its end, or to where nothing happens. */
  Run run(String source, String inputs) {
    if (worker == null) {
      work();
    }
    return finish(start(source, inputs));
  }

  Run finish(RunId id) {
    Await.until(
        "run " + id + " ends or waits for ever",
        () -> {
          if (pawl.get(id).status().isTerminal()) {
            return true;
          }
          return isQuiet() && !letTimePass();
        });
    return pawl.get(id);
  }

  /** Waits until nothing happens any more without time passing. */
  void settle() {
    Await.until("nothing happens", this::isQuiet);
  }

  private boolean isQuiet() {
    return worker.isIdle()
        && live().stream()
            .allMatch(run ->
                run.status() != Status.RUNNING
                    && run.due().filter(due -> !due.isAfter(clock.instant())).isEmpty())
        && worker.isIdle();
  }

  /**
   * The runs that somebody here takes care of and that have not ended: those that have may fill a
   * page.
   */
  private List<Run> live() {
    List<String> scripts = store.definedTypes();
    Query live = Query.all().withStatus(Status.PENDING, Status.RUNNING, Status.SUSPENDED);
    return pawl.list(live.withLimit(Query.MAX_LIMIT)).stream()
        .filter(run -> tasks.contains(run.type()) || scripts.contains(run.type()))
        .toList();
  }

  private boolean letTimePass() {
    Optional<Instant> next =
        live().stream().flatMap(run -> run.due().stream()).min(Instant::compareTo);
    next.filter(clock.instant()::isBefore).ifPresent(clock::set);
    return next.isPresent();
  }

  List<Event> events(RunId id) {
    return pawl.log(id).stream().map(Entry::event).toList();
  }

  <E extends Event> List<E> events(RunId id, Class<E> kind) {
    return events(id).stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** How often the run was taken up again. */
  long resumes(RunId id) {
    return events(id, Event.Leased.class).stream().filter(Event.Leased::resumed).count();
  }

  void checkHealth() {
    List<Object> violations = new ArrayList<>();
    Doctor.check(store, violations::add);
    assertThat(violations).isEmpty();
  }

  @Override
  public void close() {
    pawl.close();
  }
}
