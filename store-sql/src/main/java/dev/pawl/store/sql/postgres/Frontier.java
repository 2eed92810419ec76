package dev.pawl.store.sql.postgres;

import dev.pawl.log.Run;
import dev.pawl.store.Routes;
import dev.pawl.time.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How far claims have come in a queue that does not run dry.
 *
 * <p>What was claimed leaves dead entries in the index until the next vacuum, and a claim that
 * begins at the front has to pass over all of them. So one that follows a claim which got all it
 * wanted goes on from where that one began. For a little while only: what others put in front of it
 * meanwhile, late or under a more urgent priority, must not wait long. Thread-safe.
 */
final class Frontier {
  /** A type and a rank in it that had something to claim. */
  record Head(String type, long rank) {
    static Head of(Run run) {
      return new Head(run.type(), run.priority() * 2L + (run.begun() ? 0 : 1));
    }
  }

  /** Where a claim may begin. */
  record Line(List<Head> heads, Instant from, long since) {
    private boolean leavesOut(Run run) {
      return run.due().filter(due -> !due.isBefore(from)).isEmpty()
          || !heads.contains(Head.of(run));
    }
  }

  private record Queue(Routes routes, String runtime) {}

  /** The fewest that a claim must ask for to go on where another was. */
  private static final int LARGE = 16;

  private static final Duration TRUSTED = Duration.ofMillis(250);
  private static final int MAX_QUEUES = 64;

  private final Ticker ticker = Ticker.system();
  private final Map<Queue, Line> lines = new ConcurrentHashMap<>();

  Optional<Line> find(Routes routes, String runtime, int max) {
    return max < LARGE
        ? Optional.empty()
        : Optional.ofNullable(lines.get(new Queue(routes, runtime)))
            .filter(line -> ticker.since(line.since()).compareTo(TRUSTED) < 0);
  }

  /**
   * Takes note of what a claim found.
   *
   * @param line where it began, if not at the front
   * @param found the runs as they were before they were leased
   */
  void learn(
      Routes routes,
      String runtime,
      int max,
      Optional<Line> line,
      List<Head> heads,
      Collection<Run> found) {
    Queue queue = new Queue(routes, runtime);
    if (max < LARGE || found.size() < max) {
      lines.remove(queue);
      return;
    }
    Instant from =
        found.stream()
            .flatMap(run -> run.due().stream())
            .min(Instant::compareTo)
            .orElse(Instant.EPOCH)
            // Others write microseconds.
            .minusMillis(1);
    if (lines.size() >= MAX_QUEUES) {
      lines.clear();
    }
    long since = line.map(Line::since).orElseGet(ticker::nanos);
    lines.put(queue, new Line(heads, from, since));
  }

  /** These were written here, and may be in front. */
  void written(Collection<KnownRun> runs) {
    if (!lines.isEmpty()) {
      lines.values().removeIf(line -> runs.stream().anyMatch(run -> isLeftOut(line, run)));
    }
  }

  private static boolean isLeftOut(Line line, KnownRun known) {
    return known.run != null
        && known.run.lease().isEmpty()
        && !known.run.status().isTerminal()
        && known.run.due().isPresent()
        && line.leavesOut(known.run);
  }
}
