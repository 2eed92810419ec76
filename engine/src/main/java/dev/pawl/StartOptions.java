package dev.pawl;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.RunId;
import dev.pawl.store.NewRun;
import dev.pawl.work.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How a run is started. Immutable: each method returns a changed copy.
 *
 * @param key the idempotency key: a second start with it returns the first run
 * @param priority lower goes first; 100 unless said
 * @param maxAttempts if empty, what the type's retry policy says
 * @param maxDuration how long the run may take in all
 * @param ttl how long the run is kept once it has ended, from a millisecond up; then it is removed
 *     for good with all it has, its result and its key too. If empty, it is kept until it is
 *     deleted
 */
public record StartOptions(
    Optional<String> key,
    IfExists ifExists,
    int priority,
    Duration delay,
    Optional<Instant> at,
    Optional<Integer> maxAttempts,
    Optional<Duration> maxDuration,
    Optional<Duration> ttl,
    Map<String, String> tags) {

  public static final StartOptions DEFAULTS =
      new StartOptions(
          Optional.empty(),
          IfExists.ATTACH,
          NewRun.DEFAULT_PRIORITY,
          Duration.ZERO,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Map.of());

  public StartOptions key(String text) {
    return new StartOptions(
        Optional.of(text), ifExists, priority, delay, at, maxAttempts, maxDuration, ttl, tags);
  }

  public StartOptions ifExists(IfExists policy) {
    return new StartOptions(key, policy, priority, delay, at, maxAttempts, maxDuration, ttl, tags);
  }

  public StartOptions priority(int number) {
    return new StartOptions(key, ifExists, number, delay, at, maxAttempts, maxDuration, ttl, tags);
  }

  public StartOptions delay(Duration wait) {
    return new StartOptions(key, ifExists, priority, wait, at, maxAttempts, maxDuration, ttl, tags);
  }

  public StartOptions at(Instant moment) {
    return new StartOptions(
        key, ifExists, priority, delay, Optional.of(moment), maxAttempts, maxDuration, ttl, tags);
  }

  public StartOptions maxAttempts(int number) {
    return new StartOptions(
        key, ifExists, priority, delay, at, Optional.of(number), maxDuration, ttl, tags);
  }

  public StartOptions maxDuration(Duration limit) {
    if (!limit.isPositive()) {
      throw PawlException.badInput("a run's maximal duration must be positive, not " + limit);
    }
    return new StartOptions(
        key, ifExists, priority, delay, at, maxAttempts, Optional.of(limit), ttl, tags);
  }

  public StartOptions ttl(Duration kept) {
    return new StartOptions(
        key,
        ifExists,
        priority,
        delay,
        at,
        maxAttempts,
        maxDuration,
        Optional.of(NewRun.checkTtl(kept)),
        tags);
  }

  public StartOptions tag(String name, String value) {
    Map<String, String> more = new TreeMap<>(tags);
    more.put(name, value);
    return new StartOptions(
        key, ifExists, priority, delay, at, maxAttempts, maxDuration, ttl, Map.copyOf(more));
  }

  /** A run of the type, to be recorded with these options. */
  NewRun newRun(RunId id, String type, Json payload, Retry retry) {
    return new NewRun(
        id,
        type,
        payload,
        priority,
        at,
        delay,
        key,
        maxAttempts.orElse(retry.maxAttempts()),
        Optional.empty(),
        Optional.empty(),
        tags,
        maxDuration,
        ttl,
        Optional.empty());
  }
}
