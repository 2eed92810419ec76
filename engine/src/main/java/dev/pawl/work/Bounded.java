package dev.pawl.work;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Calls user code so that it can be interrupted: by a cancellation, by the loss of the lease, by a
 * time limit.
 */
public final class Bounded {
  private Bounded() {}

  /**
   * Calls the body, on this thread if there is no limit. With one, on a thread of its own: when the
   * limit passes, that thread is interrupted and left to itself, and this returns at once.
   *
   * @param what what it is, for the message if it takes too long
   * @throws TimedOutException when the limit passed
   */
  public static <T> T call(
      Supplier<String> what, Turn turn, Optional<Duration> limit, Callable<T> body)
      throws Exception {
    return limit.isEmpty() ? here(turn, body) : elsewhere(what.get(), turn, limit.get(), body);
  }

  private static <T> T here(Turn turn, Callable<T> body) throws Exception {
    Turn.Interruptible interruptible = turn.interruptible(Thread.currentThread());
    try {
      return body.call();
    } finally {
      interruptible.close();
      Thread.interrupted();
    }
  }

  @SuppressWarnings("Interruption") // The body's thread is ours to interrupt.
  private static <T> T elsewhere(String what, Turn turn, Duration limit, Callable<T> body)
      throws Exception {
    FutureTask<T> future = new FutureTask<>(body);
    Thread thread = Thread.ofVirtual().name("pawl-" + what).start(future);
    Turn.Interruptible interruptible = turn.interruptible(thread);
    try {
      return turn.platform().get(future, limit.toMillis());
    } catch (TimeoutException e) {
      future.cancel(true);
      throw new TimedOutException(
          "the " + what + " took longer than its limit of " + limit.toMillis() + " ms");
    } catch (ExecutionException e) {
      throw cause(e);
    } finally {
      interruptible.close();
    }
  }

  private static Exception cause(ExecutionException e) {
    if (e.getCause() instanceof Error error) {
      throw error;
    }
    return e.getCause() instanceof Exception cause ? cause : e;
  }
}
