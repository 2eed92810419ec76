package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import dev.pawl.store.Query;
import dev.pawl.time.Ticker;
import dev.pawl.work.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Decides whether a worker has nothing left to do. */
final class IdleWatch {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

  private final Pawl pawl;
  private final Worker worker;
  private final Set<String> patterns;
  private final boolean programs;
  private final Duration dueWithin;
  private final Ticker ticker = Ticker.system();
  private long lastLook;

  /**
   * A watch over a worker.
   *
   * @param programs whether it also takes what was deployed
   */
  IdleWatch(Pawl pawl, Worker worker, Set<String> patterns, boolean programs, Duration dueWithin) {
    this.pawl = pawl;
    this.worker = worker;
    this.patterns = patterns;
    this.programs = programs;
    this.dueWithin = dueWithin;
    this.lastLook = ticker.nanos() - BETWEEN_LOOKS.toNanos();
  }

  /** Whether the worker is idle, and nothing it handles falls due soon. */
  boolean isIdle() {
    if (!worker.isIdle()) {
      return false;
    }
    Set<String> all = new HashSet<>(patterns);
    if (programs) {
      all.addAll(pawl.store().definedTypes());
    }
    // What wakes a program may have come a moment ago, and the worker be about to notice.
    if (dueWithin.isZero() && all.size() == patterns.size()) {
      return true;
    }
    if (ticker.since(lastLook).compareTo(BETWEEN_LOOKS) < 0) {
      return false;
    }
    lastLook = ticker.nanos();
    return all.stream().noneMatch(this::isSoonDue) && worker.isIdle();
  }

  private boolean isSoonDue(String pattern) {
    Instant horizon = pawl.store().now().plus(dueWithin);
    Query query =
        Query.all()
            .withStatus(Status.PENDING, Status.RUNNING, Status.SUSPENDED)
            .withType(pattern)
            .withLimit(Query.MAX_LIMIT);
    List<Run> page = pawl.list(query);
    while (!page.isEmpty()) {
      if (page.stream().anyMatch(run -> isDueBy(run, horizon))) {
        return true;
      }
      page = pawl.list(query.withAfter(page.getLast().id()));
    }
    return false;
  }

  private static boolean isDueBy(Run run, Instant horizon) {
    return run.due().isPresent() && !run.due().get().isAfter(horizon);
  }
}
