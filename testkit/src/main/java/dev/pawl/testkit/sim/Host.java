package dev.pawl.testkit.sim;

import dev.pawl.time.Chance;
import dev.pawl.time.Platform;
import dev.pawl.time.Ticker;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A simulated process: the platform that its engine runs on. It can be paused as a whole, and it
 * can die, after which none of its threads ever moves again. Its clock on the wall may be wrong and
 * may jump; the one it measures durations with is right.
 */
final class Host implements Platform {
  private static final long MILLI = 1_000_000;

  private final Universe universe;
  private final int number;
  private final Dice dice;
  private final Thread.Builder.OfVirtual threads;
  private final List<Runnable> held = new ArrayList<>();
  private final Set<Thread> ofTheSystem = new HashSet<>();
  private long skewMillis;
  private long lastId;
  private boolean dead;
  private boolean paused;

  /**
   * @param uncaught told of what a thread of it died of
   */
  Host(Universe universe, int number, Dice dice, Consumer<Throwable> uncaught) {
    this.universe = universe;
    this.number = number;
    this.dice = dice;
    this.threads =
        OwnScheduler.threads(run -> universe.ready(this, run))
            .uncaughtExceptionHandler((thread, error) -> uncaught.accept(error));
  }

  int number() {
    return number;
  }

  // ---- what befalls it ----

  boolean isDead() {
    return dead;
  }

  boolean isPaused() {
    return paused;
  }

  void die() {
    dead = true;
    held.clear();
  }

  void pause(long nanos) {
    paused = true;
    universe.after(nanos, null, this::goOn);
  }

  void goOn() {
    paused = false;
    List<Runnable> all = List.copyOf(held);
    held.clear();
    if (!dead) {
      all.forEach(run -> universe.ready(this, run));
    }
  }

  /** Keeps what came while it was paused. */
  void hold(Runnable run) {
    held.add(run);
  }

  /** Sets its clock on the wall. */
  void skew(long millis) {
    skewMillis = millis;
  }

  long skewMillis() {
    return skewMillis;
  }

  // ---- what its programs can do ----

  void start(String name, Runnable body) {
    Thread unused = startThread(name, body);
  }

  /** Waits on a thread of this host. */
  void sleep(long nanos) {
    if (nanos <= 0) {
      return;
    }
    Thread sleeper = Thread.currentThread();
    boolean[] over = {false};
    universe.after(
        nanos,
        this,
        () -> {
          over[0] = true;
          LockSupport.unpark(sleeper);
        });
    boolean interrupted = false;
    while (!over[0]) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      sleeper.interrupt();
    }
  }

  // ---- the platform ----

  @Override
  public Ticker ticker() {
    return universe::nanos;
  }

  @Override
  public Chance chance() {
    return dice::fraction;
  }

  @Override
  public UUID newId() {
    long wall = Epoch.MILLIS + universe.nanos() / MILLI + skewMillis;
    lastId = Math.max(lastId + 1, wall << 12);
    long high = (lastId >>> 12 << 16) | 0x7000 | (lastId & 0xfff);
    return new UUID(high, (dice.next() >>> 2) | 0x8000_0000_0000_0000L);
  }

  @Override
  public Thread startThread(String name, Runnable body) {
    Thread thread =
        threads
            .name(name)
            .unstarted(() -> {
              try {
                body.run();
              } finally {
                ofTheSystem.remove(Thread.currentThread());
              }
            });
    ofTheSystem.add(thread);
    thread.start();
    return thread;
  }

  /** Played as such, though everything here is a virtual thread. */
  @Override
  public boolean isOfTheSystem(Thread thread) {
    return ofTheSystem.contains(thread);
  }

  @Override
  public boolean tryAcquire(Semaphore semaphore, int permits, long millis)
      throws InterruptedException {
    try {
      return within(
          millis,
          () -> {
            semaphore.acquire(permits);
            return true;
          },
          () -> semaphore.tryAcquire(permits));
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean await(CountDownLatch latch, long millis) throws InterruptedException {
    try {
      return within(
          millis,
          () -> {
            latch.await();
            return true;
          },
          () -> latch.getCount() == 0);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // The loop is the caller's.
  public boolean await(Condition condition, long millis) throws InterruptedException {
    try {
      return within(
          millis,
          () -> {
            condition.await();
            return true;
          },
          () -> false);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public <T> T get(Future<T> future, long millis)
      throws InterruptedException, ExecutionException, TimeoutException {
    boolean done =
        within(
            millis,
            () -> {
              T unused = future.get();
              return true;
            },
            future::isDone);
    if (!done) {
      throw new TimeoutException();
    }
    return future.get();
  }

  /** A wait without a limit. */
  private interface Wait {
    boolean run() throws InterruptedException, ExecutionException;
  }

  /** What a wait comes to whose time is over. */
  private interface Late {
    boolean run();
  }

  /**
   * Puts a limit to a wait: when the time is over its thread is interrupted, and the interrupt
   * taken away again.
   */
  private boolean within(long millis, Wait wait, Late late)
      throws InterruptedException, ExecutionException {
    Thread waiter = Thread.currentThread();
    boolean[] rang = {false};
    Universe.Timer alarm =
        universe.after(
            millis * MILLI,
            this,
            () -> {
              rang[0] = true;
              waiter.interrupt();
            });
    try {
      return wait.run();
    } catch (InterruptedException e) {
      if (!rang[0]) {
        throw e;
      }
      return late.run();
    } finally {
      alarm.cancel();
      if (rang[0]) {
        Thread.interrupted();
      }
    }
  }
}
