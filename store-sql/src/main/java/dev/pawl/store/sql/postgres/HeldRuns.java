package dev.pawl.store.sql.postgres;

import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The runs that were leased through this store and whose turns have not ended: their rows as we
 * last wrote them, so that the next write need not read them first. It may be out of date; whoever
 * uses it writes on condition that the version is still the same, or the next place in the log
 * free.
 *
 * <p>What was written through other connections than those there are now is not believed: with a
 * new one we may have come to a standby that had not heard of our last writes. Thread-safe.
 */
final class HeldRuns {
  /** A run as it was after a commit. */
  record Held(Run run, long version, long lastSeq, long cancelId, long era) {
    Held lastSeq(long seq) {
      return new Held(run, version, seq, cancelId, era);
    }
  }

  private static final int MAX_RUNS = 10_000;
  private static final int MAX_PAYLOAD_CHARS = 64 * 1024;

  private final Map<RunId, Held> runs = new ConcurrentHashMap<>();
  private final Set<Object> connections = Collections.newSetFromMap(new WeakHashMap<>());
  private long eras;

  /**
   * Begins a transaction on a connection; returns the era it is in.
   *
   * @param connection the connection itself, not a pool's cover of it; empty if it is not known
   *     where it leads
   */
  synchronized long enter(Optional<Object> connection) {
    if (connection.isEmpty() || connections.add(connection.get())) {
      eras++;
    }
    return eras;
  }

  /** What is remembered of a run, if it is what the writer of this epoch and place expects. */
  Optional<Held> find(RunId id, long epoch, long seq, long era) {
    return Optional.ofNullable(runs.get(id))
        .filter(
            held -> held.era() == era && held.run().epoch() == epoch && held.lastSeq() + 1 == seq);
  }

  /** Whether a run may be held here: then what is written to it must be learned. */
  boolean holds(RunId id) {
    return runs.containsKey(id);
  }

  /** After a commit of a transaction that began in an era. */
  void learn(KnownRun known, long era) {
    if (known.presumed) {
      runs.computeIfPresent(
          known.id,
          (id, held) ->
              held.run().epoch() == known.epoch && held.lastSeq() < known.lastSeq
                  ? held.lastSeq(known.lastSeq)
                  : held);
    } else if (isWorthKeeping(known)) {
      if (runs.size() >= MAX_RUNS) {
        // Others have taken over what is never heard of again.
        runs.clear();
      }
      runs.merge(
          known.id,
          new Held(known.current(), known.version, known.lastSeq, known.cancelId, era),
          HeldRuns::newer);
    } else {
      runs.computeIfPresent(known.id, (id, held) -> held.version() <= known.version ? null : held);
    }
  }

  /**
   * After a commit of which nobody knows what came: it may still be under way, and what it adds to
   * a log take a place that was believed to be free. For as long as the lease lasts the run is
   * locked and read, and all that is written to its log guarded by the index.
   */
  void forget(RunId id) {
    runs.remove(id);
  }

  private boolean isWorthKeeping(KnownRun known) {
    return known.status == Status.RUNNING
        && known.run != null
        && known.run.payload().text().length() <= MAX_PAYLOAD_CHARS
        && (known.leasedHere || runs.containsKey(known.id));
  }

  /** Two lanes may have written at once, one the row and the other the log. */
  private static Held newer(Held one, Held other) {
    if (one.era() != other.era()) {
      return one.era() > other.era() ? one : other;
    }
    Held row = one.version() > other.version() ? one : other;
    long lastSeq =
        one.run().epoch() == other.run().epoch()
            ? Math.max(one.lastSeq(), other.lastSeq())
            : row.lastSeq();
    return row.lastSeq(lastSeq);
  }
}
