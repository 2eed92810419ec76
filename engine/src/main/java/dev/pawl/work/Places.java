package dev.pawl.work;

import dev.pawl.time.Platform;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * The room a worker has for turns. A turn takes a slot while its code runs, and gives it up as soon
 * as that is done, so that the next can be claimed while its end is committed. Of turns that are
 * ending there are at most {@link #ENDING} times as many; a worker that carries out one turn at a
 * time does not begin the next before the last is over. Thread-safe.
 */
final class Places {
  /** One in so many slots is not taken by claims, as long as another is free. */
  private static final int PART_FOR_STARTS = 4;

  /**
   * With fewer, those whose ends are in one large commit would leave no room for as large a next.
   */
  static final int ENDING = 8;

  private final Platform platform;
  private final int count;
  private final int most;
  private final Slots slots;
  private final Semaphore endings;
  private final Ahead ahead;

  /** Slots of which there may be fewer than none: then as many turns end before the next begins. */
  private static final class Slots extends Semaphore {
    private static final long serialVersionUID = 1L;

    Slots(int count) {
      super(count);
    }

    void overdraw(int missing) {
      reducePermits(missing);
    }
  }

  Places(int count, Platform platform) {
    this.platform = platform;
    this.count = count;
    this.most = count == 1 ? 0 : ENDING * count;
    this.slots = new Slots(count);
    this.endings = new Semaphore(most);
    this.ahead = new Ahead(count, slots, platform);
  }

  /** Those who wait for a slot, and get it before anybody else. */
  Ahead ahead() {
    return ahead;
  }

  /** Takes a slot, if there is one. */
  boolean take() {
    return slots.tryAcquire();
  }

  /** Takes a slot, if there is one left for it before so much time has passed. */
  boolean take(long millis) throws InterruptedException {
    return platform.tryAcquire(slots, 1, millis);
  }

  /** Takes the next slot that gets free, if one does before so much time has passed. */
  boolean takeNext(long millis) throws InterruptedException {
    boolean taken = false;
    ahead.giveWay(true);
    try {
      taken = platform.tryAcquire(slots, 1, millis);
      return taken;
    } finally {
      ahead.giveWay(false);
      // One that was left for it at the last moment is somebody else's.
      if (!taken && slots.tryAcquire()) {
        giveBack(1);
      }
    }
  }

  /**
   * Takes slots for a claim, of those that are left; returns how many. Some are left to runs that
   * are started here while the claim is under way: one that finds no room has to be claimed, and
   * would call for the next claim.
   */
  int takeRest() {
    int taken = slots.drainPermits();
    int left = Math.min(taken, count / PART_FOR_STARTS);
    ahead.free(left);
    return taken - left;
  }

  /** Takes slots whether they are there or not, for runs that are leased already. */
  void overdraw(int missing) {
    slots.overdraw(missing);
  }

  /** Gives back slots that no turn was begun in. */
  void giveBack(int unused) {
    ahead.free(unused);
  }

  /** How many slots are taken. */
  int taken() {
    return count - slots.availablePermits();
  }

  /**
   * The code of a turn is done, that was begun then. Returns whether its slot is free now, to be
   * told to leave.
   */
  boolean moveOn(long begunNanos) {
    ahead.measured(platform.ticker().nanos() - begunNanos);
    boolean moved = endings.tryAcquire();
    if (moved) {
      ahead.free(1);
    }
    return moved;
  }

  /** A turn is over. */
  void leave(boolean moved) {
    if (moved) {
      endings.release();
    } else {
      ahead.free(1);
    }
  }

  /** Waits, at most so long, until no turn is left, and nobody who waits for a slot. */
  void awaitEmpty(Duration limit) throws InterruptedException {
    long start = platform.ticker().nanos();
    boolean unused = ahead.awaitEmpty(limit);
    if (platform.tryAcquire(slots, count, leftMillis(limit, start))) {
      ahead.free(count);
    }
    if (platform.tryAcquire(endings, most, leftMillis(limit, start))) {
      endings.release(most);
    }
  }

  private long leftMillis(Duration limit, long startNanos) {
    return Math.max(0, limit.minus(platform.ticker().since(startNanos)).toMillis());
  }
}
