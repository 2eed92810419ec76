package dev.pawl.work;

import dev.pawl.time.Platform;
import dev.pawl.time.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The runs that are leased ahead: this worker has them, and they wait for one of its slots. A slot
 * that gets free is given to the first of them; to a claim only if there is none, or if it just
 * looks whether anything waits in the store.
 *
 * <p>There are at most as many as will presumably begin within {@link #HORIZON}, by the {@link
 * Pace} of the turns before them, so a worker whose turns take long leaves the work to others. If
 * turns get slower all of a sudden nobody waits for much longer than {@link #LONGEST}: then all who
 * wait are given back. A worker that carries out one turn at a time leases nothing ahead.
 * Thread-safe.
 */
final class Ahead {
  static final Duration HORIZON = Duration.ofMillis(100);
  static final Duration LONGEST = Duration.ofSeconds(1);
  static final int MOST = 4096;

  /** How long a bulk waits for room: until all who wait have begun, and then a claim was made. */
  private static final Duration PATIENCE = HORIZON.multipliedBy(3);

  /** How long the payloads of all of them may be together. */
  static final long MOST_CHARS = 16L * 1024 * 1024;

  private final int count;
  private final Semaphore slots;
  private final Platform platform;
  private final Ticker ticker;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition roomier = lock.newCondition();
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private Pace pace = Pace.UNKNOWN;
  private int held;
  private long chars;
  private volatile boolean storeFirst = true;
  private boolean watched;
  private boolean givesWay;
  private boolean closed;

  /** A leased run. One of its methods is called, once; neither waits for anything. */
  interface Guest {
    /** There is a slot for it, which is now its own. */
    void begin();

    /** It is not to begin here. Its room is given up when it is back in the store. */
    void giveBack();
  }

  private record Waiting(Guest guest, int chars, long sinceNanos) {}

  /**
   * Nobody waits yet.
   *
   * @param count how many slots there are
   * @param slots those that are free; all that get free go through {@link #free}
   */
  Ahead(int count, Semaphore slots, Platform platform) {
    this.count = count;
    this.slots = slots;
    this.platform = platform;
    this.ticker = platform.ticker();
  }

  // ---- room ----

  /** Takes room for one more run with such a payload, if there is; it is entered or given up. */
  boolean take(int payloadChars) {
    lock.lock();
    try {
      boolean room = !closed && held < most() && chars + payloadChars <= MOST_CHARS;
      if (room) {
        held++;
        chars += payloadChars;
      }
      return room;
    } finally {
      lock.unlock();
    }
  }

  /** Gives up room: its run was not leased after all, or is back in the store. */
  void giveUp(int payloadChars) {
    lock.lock();
    try {
      held--;
      chars -= payloadChars;
      roomier.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many there is room for in all, by what is known now. */
  private int most() {
    return count == 1 ? 0 : (int) Math.min(MOST, pace.turns(count, HORIZON));
  }

  /** Says whether something waits in the store, which goes first. */
  void storeFirst(boolean first) {
    lock.lock();
    try {
      storeFirst = first;
      roomier.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isStoreFirst() {
    return storeFirst;
  }

  /**
   * Waits until there is room for so many more, where that is no long wait: not if turns are so
   * slow that it would take more than half of {@link #HORIZON} to begin as many. False if it took
   * much longer than that all the same.
   */
  boolean awaitRoom(int more) {
    return await(
        PATIENCE, () -> closed || most() < 2 * more || (!storeFirst && held + more <= most()));
  }

  /** Waits until nobody is here; false if somebody was for so long. */
  boolean awaitEmpty(Duration limit) {
    return await(limit, () -> held == 0);
  }

  private interface State {
    boolean isReached();
  }

  private boolean await(Duration limit, State state) {
    lock.lock();
    try {
      long start = ticker.nanos();
      while (!state.isReached()) {
        long left = limit.minus(ticker.since(start)).toMillis();
        if (left <= 0) {
          return false;
        }
        platform.await(roomier, left);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  boolean isEmpty() {
    lock.lock();
    try {
      return held == 0;
    } finally {
      lock.unlock();
    }
  }

  // ---- those who wait ----

  /**
   * A run for which room was taken is leased: it begins now if there is a slot, else when one gets
   * free. Returns whether somebody has to begin to {@link #watch}.
   */
  boolean enter(Guest guest, int payloadChars) {
    boolean leaves = false;
    boolean begins = false;
    boolean watch = false;
    lock.lock();
    try {
      leaves = closed;
      begins = !leaves && slots.tryAcquire();
      if (begins) {
        giveUp(payloadChars);
      } else if (!leaves) {
        waiting.add(new Waiting(guest, payloadChars, ticker.nanos()));
        watch = !watched;
        watched = true;
      }
    } finally {
      lock.unlock();
    }
    if (leaves) {
      guest.giveBack();
    } else if (begins) {
      guest.begin();
    }
    return watch;
  }

  /** Says whether a claim waits for the next slot that gets free. */
  void giveWay(boolean now) {
    lock.lock();
    try {
      givesWay = now;
    } finally {
      lock.unlock();
    }
  }

  /** Makes slots free, or rather gives them to those who wait for them. */
  void free(int freed) {
    List<Guest> next = new ArrayList<>(0);
    lock.lock();
    try {
      int mine = freed - (givesWay && slots.availablePermits() <= 0 ? 1 : 0);
      while (next.size() < mine && !waiting.isEmpty()) {
        Waiting first = waiting.remove();
        giveUp(first.chars());
        next.add(first.guest());
      }
      slots.release(freed - next.size());
    } finally {
      lock.unlock();
    }
    next.forEach(Guest::begin);
  }

  /** The code of a turn has taken so long. */
  void measured(long heldNanos) {
    lock.lock();
    try {
      pace = pace.after(heldNanos);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives back all who wait, if the first does so for too long: the pace was wrong, and is unknown
   * from now on. Returns when to look again, in milliseconds, or that nobody needs to.
   */
  OptionalLong watch() {
    List<Waiting> overdue;
    lock.lock();
    try {
      if (waiting.isEmpty()) {
        watched = false;
        return OptionalLong.empty();
      }
      long left = LONGEST.minus(ticker.since(waiting.element().sinceNanos())).toMillis();
      if (left > 0) {
        return OptionalLong.of(left);
      }
      pace = Pace.UNKNOWN;
      overdue = removeAll();
    } finally {
      lock.unlock();
    }
    overdue.forEach(each -> each.guest().giveBack());
    return OptionalLong.of(LONGEST.toMillis());
  }

  /** Gives back all who wait, and takes in nobody any more. */
  void close() {
    List<Waiting> all;
    lock.lock();
    try {
      closed = true;
      all = removeAll();
      roomier.signalAll();
    } finally {
      lock.unlock();
    }
    all.forEach(each -> each.guest().giveBack());
  }

  private List<Waiting> removeAll() {
    List<Waiting> all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }
}
