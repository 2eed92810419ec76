package dev.pawl.testkit;

import dev.pawl.Pawl;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.log.Wait;
import dev.pawl.store.Query;
import dev.pawl.store.Routes;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Ticker;
import dev.pawl.work.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * A store with a time of its own, somebody outside who starts runs and looks at them, and one
 * worker process after the other.
 *
 * <p>Time moves only when told, and only while nothing can go on without it: no run is held and
 * none is due. So leases never run out by themselves, and a month costs as little as a second.
 */
final class Stage implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long LOOK_NANOS = 50_000;
  private static final Ticker TICKER = Ticker.system();

  private final ManualClock clock = new ManualClock();
  private final Store store = new MemoryStore(clock);
  private final Pawl outside = Pawl.open(new MortalStore(store));
  private final Cast cast;
  private final Duration lease;

  /** Who plays: the types that a process carries out. */
  interface Cast {
    /** Makes the types known to a process; returns their names. */
    Set<String> enter(Pawl process);
  }

  /** Where a process stands that was left alone for as long as it had something to do. */
  enum Standing {
    /** Nothing goes on without time or a message. */
    STILL,
    /** It has died. */
    DEAD
  }

  /** A worker process. */
  final class Life implements AutoCloseable {
    private final MortalStore door;
    private final Pawl process;
    private final Worker worker;
    private final Routes known;

    private Life(MortalStore door) {
      this.door = door;
      this.process = Pawl.open(door);
      this.known = Routes.of(cast.enter(process).toArray(String[]::new));
      this.worker = process.work(w -> w.lease(lease).poll(POLL).drain(Duration.ZERO));
    }

    MortalStore door() {
      return door;
    }

    /** Lets it do what there is to do. */
    Standing settle() {
      long start = TICKER.nanos();
      while (!door.isDead()) {
        if (live().stream().allMatch(this::isStill)) {
          return Standing.STILL;
        }
        if (TICKER.since(start).compareTo(PATIENCE) > 0) {
          throw new AssertionError(
              "after " + PATIENCE.toSeconds() + " s it is still at work" + logs());
        }
        LockSupport.parkNanos(LOOK_NANOS);
      }
      return Standing.DEAD;
    }

    private boolean isStill(Run run) {
      boolean due = run.due().filter(at -> !at.isAfter(clock.instant())).isPresent();
      return run.lease().isEmpty() && !(due && knows(run));
    }

    private boolean knows(Run run) {
      return known.matches(run.type()) || store.definedTypes().contains(run.type());
    }

    /** Moves time to when the next run falls due, if that is not behind the limit. */
    boolean passTime(Instant limit) {
      Optional<Instant> next =
          live().stream()
              .filter(this::knows)
              .flatMap(run -> run.due().stream())
              .filter(due -> due.isAfter(clock.instant()) && !due.isAfter(limit))
              .min(Instant::compareTo);
      next.ifPresent(clock::set);
      door.nudge();
      return next.isPresent();
    }

    /** Ends the process. If it has died, its leases run out. */
    @Override
    public void close() {
      worker.stopClaiming();
      boolean dead = door.isDead();
      door.bury();
      if (dead) {
        clock.advance(lease.plusMillis(1));
      }
      process.close();
    }
  }

  Stage(Cast cast, Duration lease) {
    this.cast = cast;
    this.lease = lease;
  }

  /** Starts a process that sees the store through this door. */
  Life enter(Fate fate) {
    return new Life(fate.apply(new MortalStore(store)));
  }

  /** Decides how a process will die. */
  interface Fate {
    MortalStore apply(MortalStore door);
  }

  ManualClock clock() {
    return clock;
  }

  Store store() {
    return store;
  }

  Pawl outside() {
    return outside;
  }

  /** The runs that have not ended. */
  List<Run> live() {
    return all(Query.all().withStatus(Status.PENDING, Status.RUNNING, Status.SUSPENDED));
  }

  private List<Run> all(Query query) {
    Query wide = query.withLimit(Query.MAX_LIMIT);
    List<Run> page = store.list(wide);
    List<Run> all = new ArrayList<>(page);
    while (page.size() == Query.MAX_LIMIT) {
      page = store.list(wide.withAfter(page.getLast().id()));
      all.addAll(page);
    }
    return all;
  }

  /** Why the run does not go on, in words. */
  String whyNot(RunId id) {
    Run run = outside.get(id);
    List<Wait> waits = new ArrayList<>();
    for (Entry entry : outside.log(id)) {
      if (entry.event() instanceof Event.Suspended suspended) {
        waits.clear();
        waits.addAll(suspended.waits());
      }
    }
    for (Wait wait : waits) {
      if (wait instanceof Wait.Operator parked) {
        return "it was parked for a person: " + parked;
      }
      if (wait instanceof Wait.Child child) {
        Run waitedFor = outside.get(child.child());
        return "it waits for its child of type "
            + waitedFor.type()
            + (waitedFor.begun()
                ? ", of which: " + whyNot(child.child())
                : ", which nobody carries out: register that type, or a stub for it");
      }
    }
    return run.status() == Status.SUSPENDED
        ? "it waits for something that does not come: " + waits
        : "it is " + run.status().word() + " and nobody carries out " + run.type();
  }

  /** Everything there is, for whoever has to find out what went wrong. */
  String logs() {
    StringBuilder text = new StringBuilder();
    for (Run run : all(Query.all())) {
      text.append("\n").append(run.type()).append(" ").append(run.id());
      text.append(" ").append(run.status().word());
      outside.log(run.id()).forEach(entry -> text.append("\n    ").append(entry));
    }
    return text.toString();
  }

  @Override
  public void close() {
    outside.close();
    store.close();
  }
}
