package dev.pawl.store.sql.sqlite;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the store's work is done, so many pieces at a time, always on platform threads: a native
 * call from a virtual thread would stall others. A caller that is a platform thread does its work
 * itself, which saves two changes of threads; a virtual one waits while a thread kept here does it.
 * Thread-safe.
 */
final class Threads {
  private final int count;
  private final ExecutorService executor;
  private final Semaphore places;
  private final Set<Thread> atWork = ConcurrentHashMap.newKeySet();
  private final Supplier<PawlException> whenClosed;
  private volatile boolean closed;

  Threads(String name, int count, Supplier<PawlException> whenClosed) {
    this.count = count;
    this.whenClosed = whenClosed;
    this.places = new Semaphore(count, true);
    this.executor =
        Executors.newFixedThreadPool(
            count, work -> Thread.ofPlatform().name(name).daemon().unstarted(work));
  }

  /** Does the work, and gives back its result or its exception. */
  <T> T call(Callable<T> work) {
    if (atWork.contains(Thread.currentThread())) {
      throw new PawlException(
          ErrorCode.BAD_INPUT,
          "the store was called from within one of its own transactions or listeners; do it"
              + " afterwards, on another thread");
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    if (Thread.currentThread().isVirtual()) {
      execute(() -> perform(work, result));
    } else {
      perform(work, result);
    }
    return await(result);
  }

  /** Has the work done some time soon; not at all if that would be after the end. */
  void start(Runnable work) {
    execute(() -> perform(Executors.callable(work), new CompletableFuture<>()));
  }

  private void execute(Runnable work) {
    try {
      executor.execute(work);
    } catch (RejectedExecutionException e) {
      throw whenClosed.get();
    }
  }

  private <T> void perform(Callable<T> work, CompletableFuture<T> result) {
    places.acquireUninterruptibly();
    atWork.add(Thread.currentThread());
    try {
      if (closed) {
        result.completeExceptionally(whenClosed.get());
      } else {
        result.complete(work.call());
      }
    } catch (Throwable e) {
      result.completeExceptionally(e);
    } finally {
      atWork.remove(Thread.currentThread());
      places.release();
    }
  }

  /** An interrupt does not cut this short: whether a commit took place must not be left open. */
  private static <T> T await(CompletableFuture<T> result) {
    try {
      return result.join();
    } catch (CompletionException e) {
      @Nullable Throwable cause = e.getCause();
      if (cause instanceof PawlException problem) {
        throw problem;
      }
      if (cause instanceof Error error) {
        throw error;
      }
      throw new PawlException(ErrorCode.INTERNAL, "the store failed: " + cause, cause);
    }
  }

  /** Lets what was begun end, refuses everything else, and does one last thing. */
  void close(Runnable last) {
    closed = true;
    places.acquireUninterruptibly(count);
    places.release(count);
    executor.execute(last);
    executor.shutdown();
    boolean interrupted = false;
    while (true) {
      try {
        if (executor.awaitTermination(1, TimeUnit.MINUTES)) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
