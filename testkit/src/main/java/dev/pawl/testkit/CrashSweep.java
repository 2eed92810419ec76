package dev.pawl.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.error.PawlException;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.History;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Definition;
import dev.pawl.store.Query;
import dev.pawl.store.Store;
import dev.pawl.work.DefinedProgram;
import dev.pawl.work.Retry;
import dev.pawl.work.RunType;
import dev.pawl.work.Worker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Plays a story again and again, and each time kills the process that carries it out at another of
 * its checkpoints; a fresh one then goes on. However it was killed, the story must end as it does
 * when nobody is.
 *
 * <p>Time is the sweep's own: it moves on when nothing is left to do, so hours of sleep cost
 * nothing, and leases last until their holder has died.
 */
public final class CrashSweep {
  private static final Duration LEASE = Duration.ofDays(100);
  private static final Duration POLL = Duration.ofMillis(5);
  private static final long LOOK_MILLIS = 2;
  private static final int PATIENT_LOOKS = 15_000;

  private final Function<InstantSource, Store> stores;

  /** What happens, and what must be true in the end. */
  public interface Story {
    /** Makes the types known to a process. */
    void register(Pawl process);

    /** Starts the run that the story is about, and sends what has to be sent. */
    RunId begin(Pawl outside);

    /** Checks how it has ended. */
    void check(Pawl outside, Run run);

    /** Whether nothing more will happen: every run has ended. */
    default boolean isOver(Pawl outside) {
      return outside.list(Query.all().withLimit(Query.MAX_LIMIT)).stream()
          .allMatch(run -> run.status().isTerminal());
    }
  }

  /** Where a process dies. */
  private record Plan(int checkpoint, MortalStore.Death how) {}

  /**
   * A sweep over a type of your own. It is played once undisturbed and then once for every place at
   * which the process that carries it out can die: before and after each of its commits. Each time
   * a fresh process goes on, and it must end the same way.
   *
   * <pre>{@code
   * CrashSweep.of(CHECKOUT).input(order).run().assertSound();
   * }</pre>
   */
  public static <I> Sweep<I> of(RunType<I, ?> type) {
    return new Sweep<I>(type.type(), type.retry()).with(type);
  }

  /**
   * As {@link #of(RunType)}, of a type whose fakes note in {@link Effects} what they do to the
   * world. It is made anew for each process, and the effects begin anew with each time:
   *
   * <pre>{@code
   * CrashSweep.of(effects -> checkout(new FakeShop(effects))).input(order).run().assertSound();
   * }</pre>
   */
  public static <I> Sweep<I> of(Function<Effects, ? extends RunType<I, ?>> type) {
    RunType<I, ?> one = type.apply(new Effects());
    return new Sweep<I>(one.type(), one.retry()).with(type);
  }

  /**
   * As {@link #of(RunType)}, of a program whose source is kept in the store: {@code
   * CrashSweep.of(Scripts::all, Scripts.read(file))}. The first definition is the one that is
   * started; others are those it calls.
   */
  public static Sweep<Object> of(
      Supplier<DefinedProgram> kind, Definition started, Definition... others) {
    return new Sweep<Object>(started.type(), Retry.standard())
        .with(kind, started)
        .deploying(others);
  }

  /** A sweep over stores that this opens on a clock, a new one for each time. */
  public CrashSweep(Function<InstantSource, Store> stores) {
    this.stores = stores;
  }

  /** Kills a process at each checkpoint in turn, before and after; returns how many died. */
  public int killAtEveryCheckpoint(Story story) {
    int deaths = 0;
    boolean died = true;
    for (int at = 1; died; at++) {
      died = false;
      for (MortalStore.Death how : MortalStore.Death.values()) {
        Optional<Plan> plan = Optional.of(new Plan(at, how));
        int dead = play(story, process -> process == 0 ? plan : Optional.empty());
        deaths += dead;
        died |= dead > 0;
      }
    }
    return deaths;
  }

  /**
   * Kills every process after so many checkpoints, until the story is over; returns how many died.
   */
  public int killAfterEvery(int checkpoints, Story story) {
    Plan plan = new Plan(checkpoints, MortalStore.Death.AFTER_THE_COMMIT);
    return play(story, process -> Optional.of(plan));
  }

  /**
   * Kills up to {@code most} processes, each at a checkpoint and in a way that chance decides;
   * returns how many died.
   */
  public int killAtRandom(SplittableRandom chance, int most, Story story) {
    List<Optional<Plan>> plans = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      MortalStore.Death how =
          chance.nextBoolean()
              ? MortalStore.Death.BEFORE_THE_COMMIT
              : MortalStore.Death.AFTER_THE_COMMIT;
      plans.add(Optional.of(new Plan(1 + chance.nextInt(1 + 3 * i), how)));
    }
    return play(story, process -> process < most ? plans.get(process) : Optional.empty());
  }

  private int play(Story story, IntFunction<Optional<Plan>> plans) {
    ManualClock clock = new ManualClock();
    try (Store store = stores.apply(clock);
        Pawl outside = Pawl.open(new MortalStore(store))) {
      RunId run = story.begin(outside);
      int deaths = 0;
      for (boolean over = false; !over; ) {
        over = live(story, outside, new MortalStore(store), plans.apply(deaths), clock);
        deaths += over ? 0 : 1;
      }
      try {
        story.check(outside, outside.get(run));
        outside.list(Query.all().withLimit(Query.MAX_LIMIT)).forEach(each -> check(store, each));
      } catch (AssertionError e) {
        throw new AssertionError(
            "killed " + deaths + " times by " + plans.apply(0) + logs(outside), e);
      }
      return deaths;
    }
  }

  /** One life of a process; true if the story came to its end, false if the process died. */
  private static boolean live(
      Story story, Pawl outside, MortalStore store, Optional<Plan> plan, ManualClock clock) {
    plan.ifPresent(fate -> store.dieAt(fate.checkpoint(), fate.how()));
    Pawl process = Pawl.open(store);
    story.register(process);
    Worker worker = process.work(w -> w.lease(LEASE).poll(POLL).drain(Duration.ZERO));
    boolean over = awaitEnd(story, outside, store, worker, clock);
    worker.stopClaiming();
    boolean dead = store.isDead();
    // Whoever is only just dying in a commit must not be waited for.
    store.bury();
    if (dead) {
      clock.advance(LEASE.plusMillis(1));
    }
    process.close();
    return over;
  }

  private static boolean awaitEnd(
      Story story, Pawl outside, MortalStore store, Worker worker, ManualClock clock) {
    for (int looks = 0; looks < PATIENT_LOOKS; looks++) {
      boolean dead = awaitDeath(store);
      if (dead || story.isOver(outside)) {
        return story.isOver(outside);
      }
      if (worker.isIdle()) {
        nextDue(outside).filter(clock.instant()::isBefore).ifPresent(clock::set);
      }
    }
    throw new AssertionError("the story does not end" + logs(outside));
  }

  /** When the next run falls due that nobody holds. */
  private static Optional<Instant> nextDue(Pawl outside) {
    return outside.list(Query.all().withLimit(Query.MAX_LIMIT)).stream()
        .filter(run -> run.lease().isEmpty())
        .flatMap(run -> run.due().stream())
        .min(Instant::compareTo);
  }

  private static boolean awaitDeath(MortalStore store) {
    try {
      return store.death().await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void check(Store store, Run run) {
    Invariants.check(store, run.id());
    List<Entry> log = store.log(run.id(), 0, Integer.MAX_VALUE);
    Set<String> results = new HashSet<>();
    for (Entry entry : History.of(log).entries()) {
      result(entry.event())
          .ifPresent(step ->
              assertThat(results.add(step)).as("S4: step %s has one result", step).isTrue());
      if (entry.event() instanceof Event.Suspended suspended) {
        assertThat(suspended.waits()).noneMatch(Wait.Operator.class::isInstance);
      }
    }
  }

  private static Optional<String> result(Event event) {
    return switch (event) {
      case Event.StepCompleted done -> Optional.of(done.name() + "#" + done.n());
      case Event.StepFailed failed when failed.retryAt().isEmpty() ->
          Optional.of(failed.name() + "#" + failed.n());
      default -> Optional.empty();
    };
  }

  private static String logs(Pawl outside) {
    StringBuilder text = new StringBuilder();
    try {
      for (Run run : outside.list(Query.all().withLimit(Query.MAX_LIMIT))) {
        text.append("\n").append(run);
        outside.log(run.id()).forEach(entry -> text.append("\n    ").append(entry));
      }
    } catch (PawlException e) {
      text.append("\n").append(e);
    }
    return text.toString();
  }
}
