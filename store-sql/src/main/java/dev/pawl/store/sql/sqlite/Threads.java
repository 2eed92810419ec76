package dev.pawl.store.sql.sqlite;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Platform threads that do the store's work while the caller, often a virtual thread, waits.
 * Thread-safe.
 */
final class Threads implements AutoCloseable {
  /** A thread that knows whose it is. */
  private static final class Own extends Thread {
    private final Threads owner;

    Own(Threads owner, Runnable work, String name) {
      super(work, name);
      this.owner = owner;
      setDaemon(true);
    }
  }

  private final ExecutorService executor;
  private final Supplier<PawlException> closed;

  Threads(String name, int count, Supplier<PawlException> closed) {
    this.closed = closed;
    this.executor = Executors.newFixedThreadPool(count, work -> new Own(this, work, name));
  }

  /** Does the work on one of the threads, and gives back its result or its exception. */
  <T> T call(Callable<T> work) {
    if (isOwn()) {
      throw new PawlException(
          ErrorCode.BAD_INPUT,
          "the store was called from within one of its own transactions or listeners; do it"
              + " afterwards, on another thread");
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    start(() -> {
      try {
        result.complete(work.call());
      } catch (Throwable e) {
        result.completeExceptionally(e);
      }
    });
    return await(result);
  }

  /** Has the work done some time soon. */
  void start(Runnable work) {
    try {
      executor.execute(work);
    } catch (RejectedExecutionException e) {
      throw closed.get();
    }
  }

  boolean isOwn() {
    return Thread.currentThread() instanceof Own thread && thread.owner.equals(this);
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

  /** Lets what was begun end. */
  @Override
  public void close() {
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
