package dev.pawl.work;

import dev.pawl.error.PawlException;
import dev.pawl.time.Chance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What happens after a failure: how often it is tried again, after how long, and for which errors
 * not at all. The n-th wait is {@code initial × factor^(n-1)}, at most {@code cap}; with jitter, a
 * random part of that.
 *
 * @param maxAttempts how many attempts there are in all, the first included
 * @param timeout how long one attempt may take
 * @param permanent exceptions that are not tried again
 */
public record Retry(
    int maxAttempts,
    Duration initial,
    double factor,
    Duration cap,
    boolean jitter,
    Optional<Duration> timeout,
    List<Class<? extends Throwable>> permanent) {

  private static final Duration INITIAL = Duration.ofSeconds(2);
  private static final Duration CAP = Duration.ofMinutes(5);

  public Retry {
    if (maxAttempts < 1) {
      throw PawlException.badInput("a retry policy needs at least 1 attempt, not " + maxAttempts);
    }
    if (initial.isNegative() || cap.isNegative() || factor < 1) {
      throw PawlException.badInput(
          "a retry policy waits longer each time: initial and cap >= 0, factor >= 1");
    }
    permanent = List.copyOf(permanent);
  }

  /** Waits of 2 s, 4 s, 8 s … up to 5 minutes, with full jitter. */
  public static Retry exponential(int maxAttempts) {
    return new Retry(maxAttempts, INITIAL, 2, CAP, true, Optional.empty(), List.of());
  }

  /** The same wait before each attempt. */
  public static Retry fixed(int maxAttempts, Duration wait) {
    return new Retry(maxAttempts, wait, 1, wait, false, Optional.empty(), List.of());
  }

  /** One attempt. */
  public static Retry none() {
    return exponential(1);
  }

  /** What applies where nothing was said: three attempts. */
  public static Retry standard() {
    return exponential(3);
  }

  /** Fails for good on this exception and its subclasses. */
  public Retry unless(Class<? extends Throwable> type) {
    List<Class<? extends Throwable>> all = new ArrayList<>(permanent);
    all.add(type);
    return new Retry(maxAttempts, initial, factor, cap, jitter, timeout, all);
  }

  /**
   * Limits each attempt; one that takes longer is interrupted and fails with code {@code TIMEOUT}.
   */
  public Retry timeout(Duration limit) {
    return new Retry(maxAttempts, initial, factor, cap, jitter, Optional.of(limit), permanent);
  }

  public Retry initial(Duration wait) {
    return new Retry(
        maxAttempts,
        wait,
        factor,
        cap.compareTo(wait) < 0 ? wait : cap,
        jitter,
        timeout,
        permanent);
  }

  public Retry cap(Duration longest) {
    return new Retry(maxAttempts, initial, factor, longest, jitter, timeout, permanent);
  }

  public Retry jitter(boolean random) {
    return new Retry(maxAttempts, initial, factor, cap, random, timeout, permanent);
  }

  public Retry maxAttempts(int number) {
    return new Retry(number, initial, factor, cap, jitter, timeout, permanent);
  }

  /** Whether this error is worth another attempt at all. */
  public boolean allows(Throwable error) {
    if (error instanceof FailedException failed && !failed.failure().retryable()) {
      return false;
    }
    return permanent.stream().noneMatch(type -> type.isInstance(error));
  }

  /** How long to wait after the attempt with this number (from 1) has failed. */
  public Duration backoff(int attempt, Chance chance) {
    double millis = (double) initial.toMillis() * Math.pow(factor, attempt - 1);
    double limited = Math.min(millis, (double) cap.toMillis());
    return Duration.ofMillis(Math.round(jitter ? limited * chance.next() : limited));
  }
}
