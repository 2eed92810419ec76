package dev.pawl.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.EventCodec;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.store.Store;
import dev.pawl.store.TypeState;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * A store with short words for what tests do to it. It remembers every run that a command named, so
 * that {@link #check} can hold them all to the {@link Invariants}. Thread-safe.
 */
public final class StoreFixture implements AutoCloseable {
  /** The type of a run for which the test has no type in mind. */
  public static final String TYPE = "test.run.v1";

  /** Who claims, if the test does not say. */
  public static final String WORKER = "worker-1";

  /** How long leases last, if the test does not say. */
  public static final Duration LEASE = Duration.ofSeconds(30);

  private final ManualClock clock;
  private final Set<RunId> touched = ConcurrentHashMap.newKeySet();
  private final Set<String> types = ConcurrentHashMap.newKeySet();
  private final AtomicLong tickets = new AtomicLong();
  private volatile Store store;

  public StoreFixture(Store store, ManualClock clock) {
    this.store = store;
    this.clock = clock;
  }

  public Store store() {
    return store;
  }

  public ManualClock clock() {
    return clock;
  }

  public Instant now() {
    return clock.instant();
  }

  /** Puts another store in place of this one: the same data opened again. */
  public void replace(UnaryOperator<Store> reopening) {
    store = reopening.apply(store);
  }

  // ---- committing ----

  public List<Outcome> commit(List<Command> commands) {
    commands.forEach(this::remember);
    List<Outcome> outcomes = store.commit(commands);
    assertThat(outcomes).as("one outcome for each command").hasSameSizeAs(commands);
    return outcomes;
  }

  public List<Outcome> commit(Command... commands) {
    return commit(Arrays.asList(commands));
  }

  public Outcome commitOne(Command command) {
    return commit(List.of(command)).getFirst();
  }

  /** Commits the command alone and insists on the kind of outcome. */
  public <T extends Outcome> T expect(Class<T> kind, Command command) {
    return as(kind, commitOne(command));
  }

  /** The outcome, which must be of the kind. */
  public static <T extends Outcome> T as(Class<T> kind, Outcome outcome) {
    assertThat(outcome).isInstanceOf(kind);
    return kind.cast(outcome);
  }

  private void remember(Command command) {
    if (command instanceof Command.Start start) {
      remember(start.run());
    } else if (command instanceof Command.Advance advance) {
      advance.children().forEach(this::remember);
    }
  }

  private void remember(NewRun run) {
    touched.add(run.id());
    types.add(run.type());
  }

  // ---- starting ----

  /** A run to start, with an id of its own and every default. */
  public static NewRun newRun(String type) {
    return NewRun.of(new RunId(Ids.next()), type, Json.EMPTY_OBJECT);
  }

  public static NewRun newRun() {
    return newRun(TYPE);
  }

  /** A child to start in a parent's advance. */
  public static NewRun newChild(RunId parent, Bond bond) {
    return newRun("test.child.v1").withParent(parent, parent, bond);
  }

  public RunId start() {
    return start(TYPE);
  }

  public RunId start(String type) {
    return start(newRun(type));
  }

  public RunId start(NewRun run) {
    return expect(Outcome.Started.class, new Command.Start(run)).run().id();
  }

  /** Starts a run and claims it in the same breath. */
  public Turn begin() {
    return begin(newRun());
  }

  public Turn begin(NewRun run) {
    Outcome.Started started =
        expect(Outcome.Started.class, new Command.Start(run, Optional.of(claimant())));
    return new Turn(this, started.activation().orElseThrow());
  }

  // ---- claiming ----

  public Command.Claimant claimant() {
    return claimant(WORKER);
  }

  public Command.Claimant claimant(String worker) {
    return new Command.Claimant(worker, LEASE, tickets.incrementAndGet());
  }

  /** A claim of any type that this fixture has started. */
  public Command.Claim claimCommand(int max) {
    return new Command.Claim(claimant(), new Routes(types, Set.of()), max);
  }

  public Outcome.Claimed claimed(Command.Claim claim) {
    Outcome.Claimed claimed = expect(Outcome.Claimed.class, claim);
    assertThat(claimed.activations()).hasSizeLessThanOrEqualTo(claim.max());
    return claimed;
  }

  /** Claims up to so many runs of any type that this fixture has started. */
  public List<Turn> claim(int max) {
    return turns(claimed(claimCommand(max)));
  }

  /** Claims runs of the types or prefixes. */
  public List<Turn> claim(int max, String... patterns) {
    return turns(claimed(new Command.Claim(claimant(), Routes.of(patterns), max)));
  }

  /** Claims the only run there is to claim. */
  public Turn claimOne() {
    return claimOne(WORKER);
  }

  public Turn claimOne(String worker) {
    List<Turn> turns =
        turns(claimed(new Command.Claim(claimant(worker), new Routes(types, Set.of()), 1000)));
    assertThat(turns).as("one run to claim").hasSize(1);
    return turns.getFirst();
  }

  /** Claims the run, which must be claimable; whatever else is claimable may be claimed with it. */
  public Turn claimOnly(RunId run) {
    return claim(1000).stream()
        .filter(turn -> turn.id().equals(run))
        .findFirst()
        .orElseThrow(() -> new AssertionError("run " + run + " is not claimable: " + run(run)));
  }

  public void assertNothingToClaim() {
    assertThat(claimed(claimCommand(1000)).activations()).as("nothing to claim").isEmpty();
  }

  /** The turns of the leased runs, in the order of the claim. */
  public List<Turn> turns(Outcome.Claimed claimed) {
    return claimed.activations().stream().map(activation -> new Turn(this, activation)).toList();
  }

  // ---- messages and operators ----

  public static Command.Send signal(RunId run, String name, Json value) {
    return new Command.Send(run, Ids.next(), name, value);
  }

  public static Command.Emit event(String topic, Json value) {
    return new Command.Emit(Ids.next(), topic, value);
  }

  public void send(RunId run, String name) {
    send(run, name, Json.NULL);
  }

  public void send(RunId run, String name, Json value) {
    expect(Outcome.Sent.class, signal(run, name, value));
  }

  public Outcome.Emitted emit(String topic) {
    return emit(topic, Json.NULL);
  }

  public Outcome.Emitted emit(String topic, Json value) {
    return expect(Outcome.Emitted.class, event(topic, value));
  }

  public Run cancel(RunId run) {
    return expect(Outcome.CancelTaken.class, new Command.Cancel(run, "enough", false)).run();
  }

  public Run forceCancel(RunId run) {
    return expect(Outcome.CancelTaken.class, new Command.Cancel(run, "enough", true)).run();
  }

  public Run retry(RunId run) {
    return expect(Outcome.Reopened.class, new Command.Rewind(run, Ids.next(), "retry", 0, "again"))
        .run();
  }

  public Run rewind(RunId run, long keep) {
    return expect(
            Outcome.Reopened.class, new Command.Rewind(run, Ids.next(), "rewind", keep, "back"))
        .run();
  }

  public void delete(RunId run) {
    expect(Outcome.Done.class, new Command.Delete(run));
  }

  public Outcome.Purged purge(Duration deletedFor, Duration emittedFor, int max) {
    return expect(Outcome.Purged.class, new Command.Purge(deletedFor, emittedFor, max));
  }

  public void configure(TypeState type) {
    expect(Outcome.Done.class, new Command.Configure(type));
  }

  /** Renews the leases of turns that one worker holds, or believes to. */
  public Outcome.Extended extend(Turn... turns) {
    List<Command.Held> held = Arrays.stream(turns).map(Turn::held).toList();
    String worker = turns.length == 0 ? WORKER : turns[0].worker();
    return expect(Outcome.Extended.class, new Command.Extend(worker, held, LEASE));
  }

  // ---- looking ----

  public Run run(RunId id) {
    return store.run(id).orElseThrow(() -> new AssertionError("there is no run " + id));
  }

  /** The whole log, read in pages. */
  public List<Entry> log(RunId id) {
    List<Entry> log = new ArrayList<>();
    List<Entry> page = store.log(id, 0, 100);
    while (!page.isEmpty()) {
      log.addAll(page);
      page = store.log(id, log.getLast().seq(), 100);
    }
    return log;
  }

  public Event lastEvent(RunId id) {
    return log(id).getLast().event();
  }

  /** The kinds of the events in the log, in order. */
  public List<String> kinds(RunId id) {
    return log(id).stream().map(entry -> EventCodec.kind(entry.event())).toList();
  }

  public List<Mail> mail(RunId id) {
    return store.mail(id);
  }

  /** Holds every run that a command of this fixture has named to the invariants. */
  public void check() {
    touched.forEach(id -> Invariants.check(store, id));
  }

  @Override
  public void close() {
    store.close();
  }
}
