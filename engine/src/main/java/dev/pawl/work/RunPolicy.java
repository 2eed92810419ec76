package dev.pawl.work;

import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What whoever started a run said about its attempts, where that differs from what its type says.
 * It travels in the run's tags, under names that begin with {@code pawl.}; how many attempts there
 * are is the run's own {@code maxAttempts}. Immutable.
 *
 * @param timeout how long one attempt may take
 * @param nonRetryable codes of failures that are not tried again
 */
public record RunPolicy(
    Optional<Duration> timeout,
    Optional<Duration> initial,
    Optional<Double> factor,
    Optional<Duration> cap,
    Optional<Boolean> jitter,
    List<String> nonRetryable) {
  private static final String TIMEOUT = "pawl.timeout";
  private static final String INITIAL = "pawl.retry.initial";
  private static final String FACTOR = "pawl.retry.factor";
  private static final String CAP = "pawl.retry.cap";
  private static final String JITTER = "pawl.retry.jitter";
  private static final String NON_RETRYABLE = "pawl.retry.nonRetryable";
  private static final String SEPARATOR = " ";

  /** Nothing was said. */
  public static final RunPolicy NONE =
      new RunPolicy(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          List.of());

  public RunPolicy {
    nonRetryable = List.copyOf(nonRetryable);
  }

  /** What the run's tags say. One that cannot be understood says nothing. */
  public static RunPolicy of(Run run) {
    Map<String, String> tags = run.tags();
    if (tags.isEmpty()) {
      return NONE;
    }
    return new RunPolicy(
        read(tags.get(TIMEOUT), Duration::parse),
        read(tags.get(INITIAL), Duration::parse),
        read(tags.get(FACTOR), Double::valueOf),
        read(tags.get(CAP), Duration::parse),
        read(tags.get(JITTER), Boolean::valueOf),
        read(tags.get(NON_RETRYABLE), codes -> List.of(codes.split(SEPARATOR))).orElse(List.of()));
  }

  private static <T> Optional<T> read(@Nullable String text, Function<String, T> as) {
    try {
      return Optional.ofNullable(text).map(as);
    } catch (DateTimeException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The tags that say this. */
  public Map<String, String> tags() {
    Map<String, String> tags = new TreeMap<>();
    timeout.ifPresent(limit -> tags.put(TIMEOUT, limit.toString()));
    initial.ifPresent(wait -> tags.put(INITIAL, wait.toString()));
    factor.ifPresent(number -> tags.put(FACTOR, number.toString()));
    cap.ifPresent(longest -> tags.put(CAP, longest.toString()));
    jitter.ifPresent(random -> tags.put(JITTER, random.toString()));
    if (!nonRetryable.isEmpty()) {
      tags.put(NON_RETRYABLE, String.join(SEPARATOR, nonRetryable));
    }
    return tags;
  }

  /** The policy of the type, with what was said here in its place. */
  Retry over(Retry retry) {
    if (equals(NONE)) {
      return retry;
    }
    Duration first = initial.orElse(retry.initial());
    return new Retry(
        retry.maxAttempts(),
        retry.curve(),
        first,
        factor.orElse(retry.factor()),
        cap.orElse(retry.cap().compareTo(first) < 0 ? first : retry.cap()),
        jitter.orElse(retry.jitter()),
        timeout.or(retry::timeout),
        retry.permanent());
  }

  /** The failure, not to be tried again if its code is one of those named. */
  Failure judge(Failure failure) {
    return nonRetryable.contains(failure.code()) ? failure.withRetryable(false) : failure;
  }
}
