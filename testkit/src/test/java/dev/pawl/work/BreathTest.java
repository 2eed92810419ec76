package dev.pawl.work;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.doctor.Doctor;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.flow.Flow;
import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Decide;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Routes;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.ForwardingStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Flows that stand ready in memory go on while the claim of their runs is under way. */
@Timeout(60)
class BreathTest {
  private static final Duration SOON = ofSeconds(20);

  private final MemoryStore memory = new MemoryStore(InstantSource.system());
  private final Trouble store = new Trouble(memory);
  private final AtomicInteger entries = new AtomicInteger();
  private final AtomicInteger bodies = new AtomicInteger();
  private final AtomicReference<Thread> goneOn = new AtomicReference<>();
  private final Pawl pawl = Pawl.open(store);
  private Worker worker;

  private final Flow<Integer, Integer> waits =
      Flow.define(
          "test.waits.v1",
          Integer.class,
          Integer.class,
          (ctx, in) -> {
            entries.incrementAndGet();
            return in + ctx.awaitSignal("go", Integer.class);
          });

  private final Flow<Integer, Integer> twice =
      Flow.define(
          "test.twice.v1",
          Integer.class,
          Integer.class,
          (ctx, in) -> {
            entries.incrementAndGet();
            int first = ctx.awaitSignal("go", Integer.class);
            return in + first + ctx.awaitSignal("go", Integer.class);
          });

  private final Flow<Integer, Integer> works =
      Flow.define(
          "test.works.v1",
          Integer.class,
          Integer.class,
          (ctx, in) -> {
            int got = ctx.awaitSignal("go", Integer.class);
            goneOn.set(Thread.currentThread());
            return ctx.step("body", Integer.class, () -> got + bodies.incrementAndGet());
          });

  /** What happens to the claim of a run that stands ready. */
  private interface Fate {
    List<Outcome> meet(List<Command> commands, Trouble store);
  }

  /** A store on the way to which something happens to the claims that are made after a signal. */
  private static final class Trouble extends ForwardingStore {
    final List<Outcome.Claimed> claims = new CopyOnWriteArrayList<>();
    final List<Command.Advance> advances = new CopyOnWriteArrayList<>();
    final AtomicReference<Fate> fate = new AtomicReference<>();
    private volatile boolean signalled;

    Trouble(MemoryStore memory) {
      super(memory);
    }

    @Override
    public List<Outcome> commit(List<Command> commands) {
      boolean claims = commands.stream().anyMatch(Command.Claim.class::isInstance);
      Fate now = signalled && claims ? fate.getAndSet(null) : null;
      return now == null ? pass(commands) : now.meet(commands, this);
    }

    List<Outcome> pass(List<Command> commands) {
      List<Outcome> outcomes = super.commit(commands);
      signalled |= commands.stream().anyMatch(Command.Send.class::isInstance);
      for (int i = 0; i < commands.size(); i++) {
        if (outcomes.get(i) instanceof Outcome.Claimed claimed) {
          claims.add(claimed);
        } else if (commands.get(i) instanceof Command.Advance advance) {
          advances.add(advance);
        }
      }
      return outcomes;
    }

    boolean wentOn(RunId run) {
      return claims.stream()
          .anyMatch(claimed -> claimed.onward().get(run) instanceof Outcome.Advanced);
    }
  }

  @AfterEach
  void close() {
    Await.until("every slot is given back", () -> worker.busy() == 0);
    pawl.close();
    assertThat(Doctor.check(memory, each -> {}).isHealthy()).isTrue();
  }

  private RunHandle<Integer> suspended(Flow<Integer, Integer> flow) {
    worker = pawl.register(flow).work(with -> with.drain(ofMillis(100)).poll(ofMillis(50)));
    RunHandle<Integer> run = pawl.start(flow, 1);
    Await.until("it waits", () -> run.run().status() == Status.SUSPENDED);
    return run;
  }

  private List<String> kinds(RunId run) {
    return memory.log(run, 0, 100).stream()
        .map(Entry::event)
        .map(event -> event.getClass().getSimpleName())
        .toList();
  }

  @Test
  void theEndIsWrittenWithTheLease() {
    RunHandle<Integer> run = suspended(waits);

    run.signal("go", 2);

    assertThat(run.result(SOON)).isEqualTo(3);
    Await.until("it went on with its claim", () -> store.wentOn(run.id()));
    assertThat(store.advances).as("nothing is written but the suspension").hasSize(1);
    assertThat(kinds(run.id()))
        .containsExactly("Created", "Leased", "Suspended", "Leased", "SignalReceived", "Succeeded");
  }

  @Test
  void noBodyBeginsBeforeTheLeaseIsDurable() {
    RunHandle<Integer> run = suspended(works);
    AtomicInteger begunEarly = new AtomicInteger(-1);
    store.fate.set((commands, there) -> {
      List<Outcome> outcomes = there.pass(commands);
      Await.until("it waits for its lease, or does not", () -> waits(goneOn) || bodies.get() > 0);
      begunEarly.set(bodies.get());
      return outcomes;
    });

    run.signal("go", 2);

    assertThat(run.result(SOON)).isEqualTo(3);
    assertThat(begunEarly).hasValue(0);
    Await.until("what it received was written with its lease", () -> store.wentOn(run.id()));
  }

  private static boolean waits(AtomicReference<Thread> thread) {
    return thread.get() != null
        && EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING)
            .contains(thread.get().getState());
  }

  @Test
  void aClaimThatFailsIsMadeAgainAndTheFlowRunsFromTheTop() {
    RunHandle<Integer> run = suspended(waits);
    store.fate.set((commands, there) -> {
      goOnInVain(commands);
      throw new PawlException(ErrorCode.STORE_UNAVAILABLE, "made up: the server is gone");
    });

    run.signal("go", 2);

    assertThat(run.result(SOON)).isEqualTo(3);
    assertThat(entries).as("the thread had gone on in vain").hasValue(2);
  }

  /** As a store does that begins a transaction and never ends it. */
  private void goOnInVain(List<Command> commands) {
    for (Command command : commands) {
      if (command instanceof Command.Claim claim) {
        List<Activation> likely =
            memory.list(Query.all()).stream().map(run -> likely(run, claim)).toList();
        assertThat(claim.onward().goOn(likely)).hasSize(1);
      }
    }
  }

  private Activation likely(Run run, Command.Claim claim) {
    long last = memory.log(run.id(), 0, 100).size();
    Event.Lifecycle lease = Decide.claim(run, false, claim.claimant(), memory.now());
    Entry entry = new Entry(last + 1, memory.now(), run.epoch() + 1, lease);
    return new Activation(run.apply(entry), last + 1, memory.mail(run.id()), memory.now());
  }

  @Test
  void anAnswerThatIsLostIsReadBack() {
    RunHandle<Integer> run = suspended(works);
    store.fate.set((commands, there) -> {
      there.pass(commands);
      throw new PawlException(ErrorCode.UNKNOWN_OUTCOME, "made up: no answer");
    });

    run.signal("go", 2);

    assertThat(run.result(SOON)).as("it goes on under the lease that it has").isEqualTo(3);
    assertThat(kinds(run.id()))
        .containsExactly(
            "Created",
            "Leased",
            "Suspended",
            "Leased",
            "SignalReceived",
            "StepCompleted",
            "Succeeded");
  }

  @Test
  void aClaimThatWasLostOnItsWayIsMadeAgainWithTheSameTurns() {
    RunHandle<Integer> run = suspended(waits);
    store.fate.set((commands, there) -> {
      goOnInVain(commands);
      throw new PawlException(ErrorCode.UNKNOWN_OUTCOME, "made up: no answer");
    });

    run.signal("go", 2);

    assertThat(run.result(SOON)).isEqualTo(3);
    assertThat(entries).as("what it had to say is said by the second claim").hasValue(1);
    Await.until("it went on with its claim", () -> store.wentOn(run.id()));
  }

  @Test
  void aRunThatAnotherTookMeanwhileIsLeftToIt() {
    RunHandle<Integer> run = suspended(waits);
    store.fate.set((commands, there) -> {
      goOnInVain(commands);
      Command.Claimant other = new Command.Claimant("other", ofMillis(1), 1);
      memory.commit(List.of(new Command.Claim(other, Routes.of(waits.type()), 1)));
      return there.pass(commands);
    });

    run.signal("go", 2);

    assertThat(run.result(SOON)).isEqualTo(3);
    assertThat(entries).as("its thread is never used again").hasValue(2);
    assertThat(kinds(run.id()))
        .containsExactly(
            "Created", "Leased", "Suspended", "Leased", "Leased", "SignalReceived", "Succeeded");
  }

  /** The other's turn has the number that ours would have had, and ends at the same place. */
  @Test
  void aThreadThatWentOnInVainIsNotTakenForTheOneThatDidNot() {
    RunHandle<Integer> run = suspended(twice);
    store.fate.set((commands, there) -> {
      goOnInVain(commands);
      receiveElsewhere(run.id());
      return there.pass(commands);
    });
    run.signal("go", 2);
    Await.until("the other has suspended it", () -> memory.log(run.id(), 0, 100).size() == 6);
    Await.until("and nobody holds it", () -> run.run().status() == Status.SUSPENDED);

    run.signal("go", 5);

    assertThat(run.result(SOON)).isEqualTo(1 + 40 + 5);
    assertThat(entries).as("what counts is what the other has on record").hasValue(2);
  }

  /** Another worker takes the run, receives something else than the signal says, and suspends. */
  private void receiveElsewhere(RunId run) {
    Command.Claimant other = new Command.Claimant("other", SOON, 1);
    Outcome.Claimed claimed =
        (Outcome.Claimed)
            memory.commit(List.of(new Command.Claim(other, Routes.of(twice.type()), 1))).get(0);
    Activation held = claimed.activations().get(0);
    Mail.Signal signal = (Mail.Signal) held.mail().get(0);
    Event got = new Event.SignalReceived(0, "go", signal.message(), Json.number(40));
    Event waits =
        new Event.Suspended(
            Optional.empty(), List.of(new Wait.Signal(1, "go")), 1, true, Json.NULL);
    memory.commit(
        List.of(
            new Command.Advance(
                    run,
                    held.run().epoch(),
                    held.seq() + 1,
                    held.run().wakes(),
                    List.of(got, waits))
                .withConsumed(List.of(signal.id()))));
  }
}
