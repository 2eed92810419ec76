package dev.pawl.time;

import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;

/** The machine as it is. */
final class SystemPlatform implements Platform {
  static final SystemPlatform INSTANCE = new SystemPlatform();

  private final Ticker ticker = Ticker.system();
  private final Chance chance = Chance.system();

  private SystemPlatform() {}

  @Override
  public Ticker ticker() {
    return ticker;
  }

  @Override
  public Chance chance() {
    return chance;
  }

  @Override
  public UUID newId() {
    return Ids.next();
  }

  @Override
  public Thread startThread(String name, Runnable body) {
    return Thread.ofPlatform().name(name).daemon().start(body);
  }

  @Override
  public boolean isOfTheSystem(Thread thread) {
    return !thread.isVirtual();
  }

  @Override
  public boolean tryAcquire(Semaphore semaphore, int permits, long millis)
      throws InterruptedException {
    return semaphore.tryAcquire(permits, millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public boolean await(CountDownLatch latch, long millis) throws InterruptedException {
    return latch.await(millis, TimeUnit.MILLISECONDS);
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // The loop is the caller's.
  public boolean await(Condition condition, long millis) throws InterruptedException {
    return condition.await(millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public <T> T get(Future<T> future, long millis)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(millis, TimeUnit.MILLISECONDS);
  }
}
