package dev.pawl;

import dev.pawl.time.Platform;
import dev.pawl.time.Ticker;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Nudges those who wait, when their time has come: one thread for all. It is not woken for anybody
 * whose time comes after it wakes anyway; so a wait that is over before its time, as most are,
 * costs no more than an entry in a queue. Thread-safe.
 */
final class Nudges<T> implements AutoCloseable {
  private static final long MILLI = 1_000_000;

  private final Platform platform;
  private final Ticker ticker;
  private final T word;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition sooner = lock.newCondition();

  /** By their times; those whose wait is over are dropped when it is their turn. */
  private final PriorityQueue<Nudge<T>> queue =
      new PriorityQueue<>(Comparator.comparingLong(Nudge::atNanos));

  private boolean started;
  private boolean closed;

  /** Nanoseconds from the start of this, as all times here: those of a ticker may overflow. */
  private final long startNanos;

  private long wakesNanos = Long.MAX_VALUE;

  private record Nudge<T>(long atNanos, CompletableFuture<T> waiting) {}

  /**
   * @param word what a wait is completed with
   */
  Nudges(Platform platform, T word) {
    this.platform = platform;
    this.ticker = platform.ticker();
    this.word = word;
    this.startNanos = ticker.nanos();
  }

  /** Ends a wait with the word, once so much time has passed, if it is not over by then. */
  void after(long millis, CompletableFuture<T> wait) {
    lock.lock();
    try {
      long at = now() + millis * MILLI;
      queue.add(new Nudge<>(at, wait));
      if (closed) {
        nudge(Long.MAX_VALUE);
      } else if (!started) {
        started = true;
        platform.startThread("pawl-nudge", this::nudgeAll);
      } else if (at < wakesNanos) {
        wakesNanos = at;
        sooner.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private long now() {
    return ticker.nanos() - startNanos;
  }

  private void nudgeAll() {
    lock.lock();
    try {
      while (!closed) {
        nudge(now());
        rest();
      }
    } finally {
      lock.unlock();
    }
  }

  private void nudge(long nowNanos) {
    for (Nudge<T> first = queue.peek();
        first != null && (first.atNanos() <= nowNanos || first.waiting().isDone());
        first = queue.peek()) {
      queue.remove();
      first.waiting().complete(word);
    }
  }

  /** Until the next is to be nudged, or somebody comes who is to be sooner. */
  private void rest() {
    try {
      while (queue.isEmpty() && !closed) {
        wakesNanos = Long.MAX_VALUE;
        sooner.await();
      }
      Nudge<T> next = queue.peek();
      if (next != null) {
        wakesNanos = next.atNanos();
        boolean unused = platform.await(sooner, (wakesNanos - now() + MILLI - 1) / MILLI);
      }
    } catch (InterruptedException e) {
      // Nobody has a reason to interrupt this thread; the loop looks again.
    }
  }

  /** Nudges everybody, and whoever still comes at once. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      nudge(Long.MAX_VALUE);
      sooner.signal();
    } finally {
      lock.unlock();
    }
  }
}
