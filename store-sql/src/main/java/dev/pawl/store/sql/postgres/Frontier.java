package dev.pawl.store.sql.postgres;

import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Routes;
import dev.pawl.time.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

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

  /** A place in the order of claims under one head. */
  record Place(Instant due, RunId run) {
    /** Before anything that a row can say. */
    static final Place FRONT =
        new Place(Instant.parse("-4000-01-01T00:00:00Z"), new RunId(new UUID(0, 0)));

    static Place of(Run run) {
      return run.due().map(due -> new Place(due, run.id())).orElse(FRONT);
    }

    private boolean isBefore(Place other) {
      int order = due.compareTo(other.due);
      return order < 0 || (order == 0 && run.compareTo(other.run) < 0);
    }
  }

  /** Where a claim may begin under each head. */
  record Line(Map<Head, Place> heads, long since) {
    private boolean leavesOut(Run run) {
      @Nullable Place begin = heads.get(Head.of(run));
      return begin == null || Place.of(run).isBefore(begin);
    }
  }

  private record Queue(Routes routes, String runtime) {}

  /** The fewest that a claim must have got for others to go on where it was. */
  private static final int LARGE = 16;

  private static final Duration TRUSTED = Duration.ofMillis(250);
  private static final int MAX_QUEUES = 64;

  private final Ticker ticker = Ticker.system();
  private final Map<Queue, Line> lines = new ConcurrentHashMap<>();

  Optional<Line> find(Routes routes, String runtime) {
    return Optional.ofNullable(lines.get(new Queue(routes, runtime)))
        .filter(line -> ticker.since(line.since()).compareTo(TRUSTED) < 0);
  }

  Optional<Line> find(Command.Claim claim) {
    return find(claim.routes(), claim.claimant().runtime());
  }

  /** Whether a claim of so many that got all of them is worth remembering. */
  static boolean isLarge(int max) {
    return max >= LARGE;
  }

  /**
   * Takes note of what a claim found.
   *
   * @param line where it began, if not at the front
   * @param found the runs as they were before they were leased, in the order of claims
   */
  void learn(Routes routes, String runtime, int max, Line line, Collection<Run> found) {
    Queue queue = new Queue(routes, runtime);
    if (found.size() < max) {
      lines.remove(queue);
    } else if (isLarge(max)) {
      Map<Head, Place> begins = new HashMap<>();
      found.forEach(run -> begins.putIfAbsent(Head.of(run), Place.of(run)));
      line.heads().forEach(begins::putIfAbsent);
      if (lines.size() >= MAX_QUEUES) {
        lines.clear();
      }
      lines.put(queue, new Line(begins, line.since()));
    }
  }

  /** The front of a queue with these heads. */
  Line front(Collection<Head> heads) {
    Map<Head, Place> begins = new HashMap<>();
    heads.forEach(head -> begins.put(head, Place.FRONT));
    return new Line(begins, ticker.nanos());
  }

  /** These were written here, and may be in front. */
  void written(Collection<KnownRun> runs) {
    if (!lines.isEmpty()) {
      lines.values().removeIf(line -> runs.stream().anyMatch(run -> isLeftOut(line, run)));
    }
  }

  /** Something fell due that is not known any closer, and may be in front. */
  void fellDue() {
    lines.clear();
  }

  private static boolean isLeftOut(Line line, KnownRun known) {
    return known.run != null
        && known.run.lease().isEmpty()
        && !known.run.status().isTerminal()
        && known.run.due().isPresent()
        && line.leavesOut(known.run);
  }
}
