package dev.pawl.graph.fold;

import dev.pawl.log.NodeEvent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the log says of one trigger. Not thread-safe; not changed once the log is folded. */
public final class TriggerState {
  /** What the id of the input is that ends a trigger. */
  public static final String END = "end";

  private final List<NodeEvent.TriggerInput> inputs = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();
  private boolean registered;
  private String cursor = "";
  private long since;

  void take(NodeEvent event) {
    switch (event) {
      case NodeEvent.TriggerRegistered e -> {
        registered = true;
        since =
            e.config().member("since").isNull()
                ? 0
                : Long.parseLong(e.config().member("since").text());
      }
      case NodeEvent.TriggerInput e -> {
        inputs.add(e);
        ids.add(e.input());
      }
      case NodeEvent.TriggerAdvanced e -> cursor = e.cursor();
      default -> {}
    }
  }

  public boolean isRegistered() {
    return registered;
  }

  /** When it was registered, in milliseconds of the store's clock. */
  public long since() {
    return since;
  }

  /** Every input there was, in order. */
  public List<NodeEvent.TriggerInput> inputs() {
    return inputs;
  }

  /** How many inputs there were, without that which ends it. */
  public long count() {
    return inputs.size() - (ids.contains(END) ? 1L : 0L);
  }

  public Set<String> ids() {
    return ids;
  }

  /** Up to where everything was worked off; empty at the beginning. */
  public String cursor() {
    return cursor;
  }

  /** Whether a cursor lies before another or is the same: as numbers, if both are. */
  public static boolean isReached(String cursor, String by) {
    if (cursor.isEmpty() || by.isEmpty()) {
      return false;
    }
    try {
      return new BigDecimal(cursor).compareTo(new BigDecimal(by)) <= 0;
    } catch (NumberFormatException e) {
      return cursor.compareTo(by) <= 0;
    }
  }
}
