package dev.pawl.work;

import dev.pawl.error.PawlException;
import dev.pawl.log.Run;
import dev.pawl.time.Chance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What happens after a failure: how often it is tried again, after how long, and for which errors
 * not at all. A wait is at most {@code cap}; how it grows and what jitter makes of it is its {@link
 * Curve}'s matter.
 *
 * @param maxAttempts how many attempts there are in all, the first included
 * @param factor for exponential waits, how much longer each is
 * @param timeout how long one attempt may take
 * @param permanent exceptions that are not tried again
 */
public record Retry(
    int maxAttempts,
    Curve curve,
    Duration initial,
    double factor,
    Duration cap,
    boolean jitter,
    Optional<Duration> timeout,
    List<Class<? extends Throwable>> permanent) {

  /**
   * The tag by which a run chooses its waits itself: {@code quadratic} for those of {@link
   * #quadratic}. Runs that were inserted in SQL have it.
   */
  public static final String BACKOFF_TAG = "pawl.backoff";

  private static final String QUADRATIC_TAG = "quadratic";
  private static final double TENTH = 0.1;
  private static final Duration YEAR = Duration.ofDays(365);
  private static final Duration INITIAL = Duration.ofSeconds(2);
  private static final Duration CAP = Duration.ofMinutes(5);

  /** How waits grow. */
  public enum Curve {
    /** The n-th wait is {@code initial × factor^(n-1)}; with jitter, a random part of that. */
    EXPONENTIAL,
    /** The n-th wait is {@code initial × n²}; with jitter, up to a tenth more. */
    QUADRATIC
  }

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
    return new Retry(
        maxAttempts, Curve.EXPONENTIAL, INITIAL, 2, CAP, true, Optional.empty(), List.of());
  }

  /** Waits of 1, 4, 9 … minutes, and up to a tenth more by chance. */
  public static Retry quadratic(int maxAttempts) {
    return new Retry(
        maxAttempts,
        Curve.QUADRATIC,
        Duration.ofMinutes(1),
        1,
        YEAR,
        true,
        Optional.empty(),
        List.of());
  }

  /** The same wait before each attempt. */
  public static Retry fixed(int maxAttempts, Duration wait) {
    return new Retry(
        maxAttempts, Curve.EXPONENTIAL, wait, 1, wait, false, Optional.empty(), List.of());
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
    return new Retry(maxAttempts, curve, initial, factor, cap, jitter, timeout, all);
  }

  /**
   * Limits each attempt; one that takes longer is interrupted and fails with code {@code TIMEOUT}.
   */
  public Retry timeout(Duration limit) {
    return new Retry(
        maxAttempts, curve, initial, factor, cap, jitter, Optional.of(limit), permanent);
  }

  public Retry initial(Duration wait) {
    return new Retry(
        maxAttempts,
        curve,
        wait,
        factor,
        cap.compareTo(wait) < 0 ? wait : cap,
        jitter,
        timeout,
        permanent);
  }

  public Retry cap(Duration longest) {
    return new Retry(maxAttempts, curve, initial, factor, longest, jitter, timeout, permanent);
  }

  public Retry jitter(boolean random) {
    return new Retry(maxAttempts, curve, initial, factor, cap, random, timeout, permanent);
  }

  public Retry maxAttempts(int number) {
    return new Retry(number, curve, initial, factor, cap, jitter, timeout, permanent);
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
    return switch (curve) {
      case EXPONENTIAL -> {
        double wait = capped(Math.pow(factor, attempt - 1));
        yield millis(jitter ? wait * chance.next() : wait);
      }
      case QUADRATIC -> {
        double wait = capped((double) attempt * attempt);
        yield millis(jitter ? wait * (1 + TENTH * chance.next()) : wait);
      }
    };
  }

  /**
   * How long to wait after the present attempt at a run has failed: as this policy says, unless the
   * run is tagged with waits of its own.
   */
  public Duration backoff(Run run, Chance chance) {
    boolean tagged = QUADRATIC_TAG.equals(run.tags().get(BACKOFF_TAG));
    return (tagged ? quadratic(maxAttempts) : this).backoff(run.attempt(), chance);
  }

  private double capped(double times) {
    return Math.min((double) initial.toMillis() * times, (double) cap.toMillis());
  }

  private static Duration millis(double wait) {
    return Duration.ofMillis(Math.round(wait));
  }
}
