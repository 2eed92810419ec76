package dev.pawl.graph.run;

import dev.pawl.time.Platform;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counts the actors that could go on by themselves. Whoever is about to wait says so; whoever ends
 * another's wait counts it in again before it does. So the count is zero only if nobody is left who
 * could change anything: the graph stands still. Thread-safe.
 */
final class Activity {
  private final AtomicInteger moving = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean called;

  /** One more goes on. */
  void resume() {
    moving.incrementAndGet();
  }

  /** One less does. */
  void rest() {
    if (moving.decrementAndGet() == 0) {
      tell(false);
    }
  }

  boolean isStill() {
    return moving.get() == 0;
  }

  /** Has whoever waits here look around. */
  void call() {
    tell(true);
  }

  private void tell(boolean call) {
    lock.lock();
    try {
      called |= call;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until nothing moves, somebody calls, or the time is over. */
  void awaitStill(Platform platform, Duration longest) {
    await(platform, longest, true);
  }

  /** Waits until somebody calls or the time is over. */
  void awaitCall(Platform platform, Duration longest) {
    await(platform, longest, false);
  }

  private void await(Platform platform, Duration longest, boolean still) {
    long begun = platform.ticker().nanos();
    Duration left = longest;
    lock.lock();
    try {
      while (!called && left.isPositive() && !(still && isStill())) {
        boolean unused = platform.await(changed, Math.max(1, left.toMillis()));
        left = longest.minus(platform.ticker().since(begun));
      }
      called = false;
    } catch (InterruptedException e) {
      // Whatever it was about shows in the turn.
    } finally {
      lock.unlock();
    }
  }
}
