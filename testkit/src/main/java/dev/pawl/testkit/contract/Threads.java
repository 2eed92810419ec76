package dev.pawl.testkit.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Threads of a test. What one of them throws is thrown by {@link #join}. */
final class Threads {
  private static final long PATIENCE_SECONDS = 120;

  private final List<FutureTask<?>> tasks = new ArrayList<>();

  private Threads() {}

  /** What a thread does. */
  interface Body {
    void run() throws Exception;
  }

  static Threads start(String name, Body body) {
    return start(1, name, number -> body.run());
  }

  /** What one of several threads does, given its number. */
  interface NumberedBody {
    void run(int number) throws Exception;
  }

  static Threads start(int count, String name, NumberedBody body) {
    Threads threads = new Threads();
    for (int i = 0; i < count; i++) {
      int number = i;
      Callable<Boolean> call =
          () -> {
            body.run(number);
            return true;
          };
      FutureTask<Boolean> task = new FutureTask<>(call);
      threads.tasks.add(task);
      Thread thread = new Thread(task, name + "-" + number);
      thread.setDaemon(true);
      thread.start();
    }
    return threads;
  }

  /** Waits for the others, but not for ever. */
  static void meet(CyclicBarrier barrier) throws Exception {
    barrier.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Waits until all have ended. */
  void join() throws Exception {
    for (FutureTask<?> task : tasks) {
      try {
        task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw new AssertionError("a thread of the test failed", e.getCause());
      }
    }
  }
}
