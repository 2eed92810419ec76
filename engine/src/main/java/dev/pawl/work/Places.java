package dev.pawl.work;

import dev.pawl.time.Platform;
import dev.pawl.time.Ticker;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * The room a worker has for turns. A turn takes a slot while its code runs, and gives it up as soon
 * as that is done, so that the next can be claimed while its end is committed. Of turns that are
 * ending there are at most as many again; a worker that carries out one turn at a time does not
 * begin the next before the last is over. Thread-safe.
 */
final class Places {
  /** One in so many slots is not taken by claims, as long as another is free. */
  private static final int PART_FOR_STARTS = 4;

  private final Platform platform;
  private final int count;
  private final int most;
  private final Semaphore slots;
  private final Semaphore endings;

  Places(int count, Platform platform) {
    this.platform = platform;
    this.count = count;
    this.most = count == 1 ? 0 : count;
    this.slots = new Semaphore(count);
    this.endings = new Semaphore(most);
  }

  /** Takes a slot, if there is one. */
  boolean take() {
    return slots.tryAcquire();
  }

  /** Takes a slot, if there is one before so much time has passed. */
  boolean take(long millis) throws InterruptedException {
    return platform.tryAcquire(slots, 1, millis);
  }

  /**
   * Takes slots for a claim, of those that are left; returns how many. Some are left to runs that
   * are started here while the claim is under way: one that finds no room has to be claimed, and
   * would call for the next claim.
   */
  int takeRest() {
    int taken = slots.drainPermits();
    int left = Math.min(taken, count / PART_FOR_STARTS);
    slots.release(left);
    return taken - left;
  }

  /** Takes slots that turns are just giving up; none, if the number is not positive. */
  void takeMore(int missing) {
    if (missing > 0) {
      slots.acquireUninterruptibly(missing);
    }
  }

  /** Gives back slots that no turn was begun in. */
  void giveBack(int unused) {
    slots.release(unused);
  }

  /** How many slots are taken. */
  int taken() {
    return count - slots.availablePermits();
  }

  /** The code of a turn is done. Returns whether its slot is free now, to be told to leave. */
  boolean moveOn() {
    boolean moved = endings.tryAcquire();
    if (moved) {
      slots.release();
    }
    return moved;
  }

  /** A turn is over. */
  void leave(boolean moved) {
    (moved ? endings : slots).release();
  }

  /** Waits, at most so long, until no turn is left. */
  void awaitEmpty(Duration limit) throws InterruptedException {
    Ticker ticker = platform.ticker();
    long start = ticker.nanos();
    if (platform.tryAcquire(slots, count, limit.toMillis())) {
      slots.release(count);
    }
    Duration left = limit.minus(ticker.since(start));
    if (platform.tryAcquire(endings, most, Math.max(0, left.toMillis()))) {
      endings.release(most);
    }
  }
}
