package dev.pawl.graph.run;

import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** The actors that wait for something outside the graph. Thread-safe. */
final class Parking {
  private final Activity activity;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<Spot> spots = new LinkedHashSet<>();
  private boolean stopped;

  /** What one actor waits for. */
  sealed interface Reason {
    /** A time; {@code name} finds it again after a suspension. */
    record Time(int node, Instant at, String name, Optional<Limit> limit) implements Reason {}

    record Child(int node, RunId child, Optional<Limit> limit) implements Reason {}

    /** Inputs of a trigger, or its next time. */
    record Input(int node, Optional<Wait> message, Optional<Instant> at) implements Reason {}

    /** That everything else has come to rest. */
    record Rest(int node) implements Reason {}
  }

  private static final class Spot {
    final Reason reason;
    boolean taken = true;

    Spot(Reason reason) {
      this.reason = reason;
    }
  }

  Parking(Activity activity) {
    this.activity = activity;
  }

  /** Waits until somebody calls the reason off, unless it is met already. */
  void park(Reason reason, BooleanSupplier met) {
    lock.lock();
    try {
      if (!stopped && !met.getAsBoolean()) {
        Spot spot = new Spot(reason);
        spots.add(spot);
        activity.rest();
        while (spot.taken) {
          changed.awaitUninterruptibly();
        }
      }
      if (stopped) {
        throw new Stopped();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Does something that may meet reasons, and calls these off; returns whether there were any. */
  boolean release(Runnable change, Predicate<Reason> met) {
    lock.lock();
    try {
      change.run();
      List<Spot> free = spots.stream().filter(spot -> met.test(spot.reason)).toList();
      free.forEach(this::free);
      return !free.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private void free(Spot spot) {
    spots.remove(spot);
    spot.taken = false;
    activity.resume();
    changed.signalAll();
  }

  /** Sends everybody home. */
  void stop() {
    release(() -> stopped = true, reason -> true);
  }

  List<Reason> reasons() {
    lock.lock();
    try {
      List<Reason> reasons = new ArrayList<>();
      spots.forEach(spot -> reasons.add(spot.reason));
      return reasons;
    } finally {
      lock.unlock();
    }
  }
}
