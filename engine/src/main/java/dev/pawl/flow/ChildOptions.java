package dev.pawl.flow;

import dev.pawl.log.Bond;
import dev.pawl.store.NewRun;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How a child is started. Immutable: each method returns a changed copy.
 *
 * @param ttl how long the child is kept once it has ended; its outcome is in its parent's mailbox
 *     or log by then
 */
public record ChildOptions(
    int priority,
    Duration delay,
    Optional<Integer> maxAttempts,
    Bond bond,
    Optional<Duration> ttl,
    Map<String, String> tags) {

  static final ChildOptions DEFAULTS =
      new ChildOptions(
          NewRun.DEFAULT_PRIORITY,
          Duration.ZERO,
          Optional.empty(),
          Bond.AWAITED,
          Optional.empty(),
          Map.of());

  /** Of a child that lives on by itself. */
  static final ChildOptions DETACHED =
      new ChildOptions(
          NewRun.DEFAULT_PRIORITY,
          Duration.ZERO,
          Optional.empty(),
          Bond.DETACHED,
          Optional.empty(),
          Map.of());

  public ChildOptions priority(int number) {
    return new ChildOptions(number, delay, maxAttempts, bond, ttl, tags);
  }

  public ChildOptions delay(Duration wait) {
    return new ChildOptions(priority, wait, maxAttempts, bond, ttl, tags);
  }

  public ChildOptions maxAttempts(int number) {
    return new ChildOptions(priority, delay, Optional.of(number), bond, ttl, tags);
  }

  /** The child survives the cancellation of its parent. */
  public ChildOptions abandon() {
    return new ChildOptions(priority, delay, maxAttempts, Bond.ABANDONED, ttl, tags);
  }

  public ChildOptions ttl(Duration kept) {
    return new ChildOptions(
        priority, delay, maxAttempts, bond, Optional.of(NewRun.checkTtl(kept)), tags);
  }

  public ChildOptions tag(String name, String value) {
    Map<String, String> more = new TreeMap<>(tags);
    more.put(name, value);
    return new ChildOptions(priority, delay, maxAttempts, bond, ttl, Map.copyOf(more));
  }
}
