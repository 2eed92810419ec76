package dev.pawl.doctor;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A store to be tampered with, and short words for what the tests do to it. */
abstract class Examination {
  static final Duration LEASE = ofSeconds(30);
  static final String TYPE = "test.run.v1";

  Instant now = Instant.parse("2030-01-01T00:00:00Z");
  final TamperedStore store = new TamperedStore(new MemoryStore(() -> now));
  long tickets;

  // ---- what the tests do to the store ----

  Outcome commit(Command command) {
    now = now.plusMillis(10);
    return store.commit(List.of(command)).getFirst();
  }

  static NewRun newRun() {
    return NewRun.of(new RunId(Ids.next()), TYPE, Json.EMPTY_OBJECT);
  }

  RunId start(NewRun run) {
    assertThat(commit(new Command.Start(run))).isInstanceOf(Outcome.Started.class);
    return run.id();
  }

  Activation claim(RunId run) {
    var claimant = new Command.Claimant("worker-1", LEASE, ++tickets);
    var claimed = (Outcome.Claimed) commit(new Command.Claim(claimant, Routes.of(TYPE), 100));
    return claimed.activations().stream()
        .filter(activation -> activation.run().id().equals(run))
        .findFirst()
        .orElseThrow();
  }

  Activation begin() {
    return claim(start(newRun()));
  }

  void write(Activation turn, Event... events) {
    write(turn, List.of(), List.of(), events);
  }

  void write(Activation turn, List<Mail> consumed, List<NewRun> children, Event... events) {
    RunId id = turn.run().id();
    long seq = store.log(id, 0, Integer.MAX_VALUE).getLast().seq() + 1;
    Outcome outcome =
        commit(
            new Command.Advance(
                id,
                turn.run().epoch(),
                seq,
                turn.run().wakes(),
                List.of(events),
                consumed.stream().map(Mail::id).toList(),
                children,
                List.of(),
                List.of()));
    assertThat(outcome).isInstanceOf(Outcome.Advanced.class);
  }

  void send(RunId run, String name) {
    assertThat(commit(new Command.Send(run, Ids.next(), name, Json.NULL)))
        .isInstanceOf(Outcome.Sent.class);
  }

  static Event step(int op, String name) {
    return new Event.StepCompleted(op, name, 0, 1, Json.NULL, 0);
  }

  static Event succeeded() {
    return new Event.Succeeded(Json.TRUE);
  }

  static Event waitingFor(Wait... waits) {
    return new Event.Suspended(Optional.empty(), List.of(waits), waits.length, true, Json.NULL);
  }

  static Wait signal(String name) {
    return new Wait.Signal(1, name);
  }

  RunId finished() {
    Activation turn = begin();
    write(turn, step(0, "a"));
    write(turn, succeeded());
    return turn.run().id();
  }

  RunId suspended() {
    Activation turn = begin();
    write(turn, step(0, "a"), waitingFor(signal("go")));
    return turn.run().id();
  }

  void change(RunId run, long seq, UnaryOperator<Entry> change) {
    store.serveLog(
        run,
        log ->
            log.stream().map(entry -> entry.seq() == seq ? change.apply(entry) : entry).toList());
  }

  void replace(RunId run, long seq, Event event) {
    change(run, seq, entry -> new Entry(entry.seq(), entry.at(), entry.epoch(), event));
  }

  List<Violation> violations() {
    List<Violation> found = new ArrayList<>();
    Report report = Doctor.check(store, found::add);
    assertThat(report.violations()).isEqualTo(found.size());
    assertThat(found)
        .allSatisfy(each -> assertThat(each.message()).contains(each.run().toString()));
    return found;
  }

  void assertReported(RunId run, String... invariants) {
    assertThat(violations())
        .as("violations")
        .allSatisfy(each -> assertThat(each.run()).isEqualTo(run))
        .extracting(Violation::invariant)
        .containsOnly(invariants);
  }

  void assertHealthy() {
    assertThat(violations()).isEmpty();
  }
}
