package dev.pawl.store.memory;

import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The runs with a due time that one claim may take, by type. They change while it takes them, and
 * none is given to it twice. Loops and no streams, because every look for work comes by here.
 */
final class Queues {
  private final Instant now;
  private final List<SortedSet<Run>> queues = new ArrayList<>();
  private final Set<RunId> given = new HashSet<>();

  Queues(Instant now, Map<String, ? extends SortedSet<Run>> due, Predicate<String> wanted) {
    this.now = now;
    due.forEach((type, queue) -> {
      if (wanted.test(type)) {
        queues.add(queue);
      }
    });
  }

  /** The first in the order of claims that is due; null if there is none. */
  @Nullable Run next() {
    @Nullable Run first = null;
    for (SortedSet<Run> queue : queues) {
      Run head = head(queue);
      if (head != null && (first == null || Tables.CLAIM_ORDER.compare(head, first) < 0)) {
        first = head;
      }
    }
    if (first != null) {
      given.add(first.id());
    }
    return first;
  }

  private @Nullable Run head(SortedSet<Run> queue) {
    for (Run run : queue) {
      if (!run.due().orElseThrow().isAfter(now) && !given.contains(run.id())) {
        return run;
      }
    }
    return null;
  }

  /** When the next is due that is not due yet. */
  Optional<Instant> later() {
    @Nullable Instant soonest = null;
    for (SortedSet<Run> queue : queues) {
      for (Run run : queue) {
        Instant due = run.due().orElseThrow();
        if (due.isAfter(now) && (soonest == null || due.isBefore(soonest))) {
          soonest = due;
        }
      }
    }
    return Optional.ofNullable(soonest);
  }
}
