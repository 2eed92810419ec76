package dev.pawl.store;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Event;
import dev.pawl.log.Names;
import dev.pawl.log.RunId;
import dev.pawl.time.Millis;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run to be recorded. It is due at {@code at}, or now, plus {@code delay}.
 *
 * @param deadline how long after its creation it may take in all
 * @param ttl how long it is kept once it has ended, in whole milliseconds; what is finer is rounded
 *     up
 * @param origin the run it was forked from, with the history it starts with
 */
public record NewRun(
    RunId id,
    String type,
    Json payload,
    int priority,
    Optional<Instant> at,
    Duration delay,
    Optional<String> key,
    int maxAttempts,
    Optional<Parent> parent,
    Optional<String> definition,
    Map<String, String> tags,
    Optional<Duration> deadline,
    Optional<Duration> ttl,
    Optional<Origin> origin) {

  public static final int DEFAULT_PRIORITY = 100;
  public static final int DEFAULT_MAX_ATTEMPTS = 3;

  private static final Duration SHORTEST_TTL = Duration.ofMillis(1);
  private static final Duration LONGEST_TTL = Duration.ofDays(365_000);

  /** The run that starts this one as its child. */
  public record Parent(RunId id, RunId root, Bond bond) {}

  /**
   * Where a fork comes from: the checkpoints it starts with and the position from which it sees
   * topic events.
   */
  public record Origin(RunId run, long since, List<Event> history) {}

  public NewRun {
    Names.checkType(type);
    key.ifPresent(text -> Names.check("an idempotency key", text));
    tags.forEach((name, value) -> Names.check("a tag's name", name));
    tags = Map.copyOf(tags);
    ttl = ttl.map(NewRun::checkTtl);
    if (maxAttempts < 1) {
      throw PawlException.badInput("a run needs at least 1 attempt, not " + maxAttempts);
    }
    if (delay.isNegative()) {
      throw PawlException.badInput("a delay cannot be negative: " + delay);
    }
  }

  /**
   * A time to live as it is kept.
   *
   * @throws PawlException if it is none
   */
  public static Duration checkTtl(Duration ttl) {
    if (ttl.compareTo(SHORTEST_TTL) < 0 || ttl.compareTo(LONGEST_TTL) > 0) {
      throw PawlException.badInput(
          "a run's time to live is at least a millisecond and at most "
              + LONGEST_TTL.toDays()
              + " days, not "
              + ttl);
    }
    return Millis.up(ttl);
  }

  /** A run of the type with every default. */
  public static NewRun of(RunId id, String type, Json payload) {
    return new NewRun(
        id,
        type,
        payload,
        DEFAULT_PRIORITY,
        Optional.empty(),
        Duration.ZERO,
        Optional.empty(),
        DEFAULT_MAX_ATTEMPTS,
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public NewRun withPriority(int number) {
    return new NewRun(
        id,
        type,
        payload,
        number,
        at,
        delay,
        key,
        maxAttempts,
        parent,
        definition,
        tags,
        deadline,
        ttl,
        origin);
  }

  public NewRun withKey(String text) {
    return new NewRun(
        id,
        type,
        payload,
        priority,
        at,
        delay,
        Optional.of(text),
        maxAttempts,
        parent,
        definition,
        tags,
        deadline,
        ttl,
        origin);
  }

  public NewRun withDelay(Duration wait) {
    return new NewRun(
        id,
        type,
        payload,
        priority,
        at,
        wait,
        key,
        maxAttempts,
        parent,
        definition,
        tags,
        deadline,
        ttl,
        origin);
  }

  public NewRun withMaxAttempts(int number) {
    return new NewRun(
        id,
        type,
        payload,
        priority,
        at,
        delay,
        key,
        number,
        parent,
        definition,
        tags,
        deadline,
        ttl,
        origin);
  }

  public NewRun withTags(Map<String, String> labels) {
    return new NewRun(
        id,
        type,
        payload,
        priority,
        at,
        delay,
        key,
        maxAttempts,
        parent,
        definition,
        labels,
        deadline,
        ttl,
        origin);
  }

  public NewRun withParent(RunId parentId, RunId root, Bond bond) {
    return new NewRun(
        id,
        type,
        payload,
        priority,
        at,
        delay,
        key,
        maxAttempts,
        Optional.of(new Parent(parentId, root, bond)),
        definition,
        tags,
        deadline,
        ttl,
        origin);
  }

  public NewRun withDeadline(Duration limit) {
    return new NewRun(
        id,
        type,
        payload,
        priority,
        at,
        delay,
        key,
        maxAttempts,
        parent,
        definition,
        tags,
        Optional.of(limit),
        ttl,
        origin);
  }

  public NewRun withTtl(Duration kept) {
    return withTtl(Optional.of(kept));
  }

  public NewRun withTtl(Optional<Duration> kept) {
    return new NewRun(
        id,
        type,
        payload,
        priority,
        at,
        delay,
        key,
        maxAttempts,
        parent,
        definition,
        tags,
        deadline,
        kept,
        origin);
  }

  public NewRun withOrigin(Origin from) {
    return new NewRun(
        id,
        type,
        payload,
        priority,
        at,
        delay,
        key,
        maxAttempts,
        parent,
        definition,
        tags,
        deadline,
        ttl,
        Optional.of(from));
  }

  /**
   * The event that records this run at the given moment, {@code position} being that of the last
   * topic event.
   */
  public Event.Created created(Instant now, long position) {
    return new Event.Created(
        type,
        payload,
        priority,
        Millis.up(at.orElse(now).plus(delay)),
        key,
        maxAttempts,
        parent.map(Parent::id),
        parent.map(Parent::root).orElse(id),
        parent.map(Parent::bond).orElse(Bond.DETACHED),
        definition,
        tags,
        deadline.map(limit -> Millis.up(now.plus(limit))),
        ttl,
        origin.map(Origin::since).orElse(position),
        origin.map(Origin::run));
  }
}
