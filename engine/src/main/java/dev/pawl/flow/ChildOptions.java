package dev.pawl.flow;

import dev.pawl.log.Bond;
import dev.pawl.store.NewRun;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How a child is started. Immutable: each method returns a changed copy. */
public record ChildOptions(
    int priority,
    Duration delay,
    Optional<Integer> maxAttempts,
    Bond bond,
    Map<String, String> tags) {

  static final ChildOptions DEFAULTS =
      new ChildOptions(
          NewRun.DEFAULT_PRIORITY, Duration.ZERO, Optional.empty(), Bond.AWAITED, Map.of());

  public ChildOptions priority(int number) {
    return new ChildOptions(number, delay, maxAttempts, bond, tags);
  }

  public ChildOptions delay(Duration wait) {
    return new ChildOptions(priority, wait, maxAttempts, bond, tags);
  }

  public ChildOptions maxAttempts(int number) {
    return new ChildOptions(priority, delay, Optional.of(number), bond, tags);
  }

  /** The child survives the cancellation of its parent. */
  public ChildOptions abandon() {
    return new ChildOptions(priority, delay, maxAttempts, Bond.ABANDONED, tags);
  }

  public ChildOptions tag(String name, String value) {
    Map<String, String> more = new TreeMap<>(tags);
    more.put(name, value);
    return new ChildOptions(priority, delay, maxAttempts, bond, Map.copyOf(more));
  }
}
