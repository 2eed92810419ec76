package dev.pawl.time;

import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;

/**
 * What a process takes from the machine it runs on: time that passes, chance, ids, threads of the
 * operating system, and waits that end after a time. Nothing in the engine gets these elsewhere, so
 * that another platform can play a whole process over again, move by move.
 *
 * <p>Virtual threads are not among them: a thread that a virtual thread starts runs where its maker
 * runs. Thread-safe.
 */
public interface Platform {

  /** The real one. */
  static Platform system() {
    return SystemPlatform.INSTANCE;
  }

  Ticker ticker();

  Chance chance();

  /** An id that sorts by the time it was made. */
  UUID newId();

  /** Starts a thread that no virtual thread can starve, and that keeps no process alive. */
  Thread startThread(String name, Runnable body);

  /** Whether this is a thread of the operating system, which may do what blocks it. */
  boolean isOfTheSystem(Thread thread);

  /** Waits, at most this long, for permits; false if they were not to be had. */
  boolean tryAcquire(Semaphore semaphore, int permits, long millis) throws InterruptedException;

  /** Waits, at most this long, for a latch to open; false if it did not. */
  boolean await(CountDownLatch latch, long millis) throws InterruptedException;

  /** Waits, at most this long, for a condition; the caller holds its lock and looks again. */
  boolean await(Condition condition, long millis) throws InterruptedException;

  /** Waits, at most this long, for what a future brings. */
  <T> T get(Future<T> future, long millis)
      throws InterruptedException, ExecutionException, TimeoutException;
}
