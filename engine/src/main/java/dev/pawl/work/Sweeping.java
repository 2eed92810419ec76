package dev.pawl.work;

import dev.pawl.blob.Blobs;
import dev.pawl.commit.GroupCommit;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import dev.pawl.time.Ticker;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Clears away, now and then, what is old enough. Used by one thread. */
final class Sweeping {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeping.class);

  /** How often old things are cleared away, how old they must be, and how many runs at a time. */
  private static final Duration SWEEP_EVERY = Duration.ofMinutes(10);

  private static final Duration KEEP_DELETED = Duration.ofDays(30);
  private static final Duration KEEP_EVENTS = Duration.ofDays(1);
  private static final int SWEEP_RUNS = 200;

  /** How often in a row runs are cleared away while there are more of them. */
  private static final int MAX_SWEEPS = 10;

  /** How long a blob that no run refers to is kept: its run may just be being written. */
  private static final Duration KEEP_BLOBS = Duration.ofDays(1);

  private final Store store;
  private final Blobs blobs;
  private final GroupCommit commits;
  private final Ticker ticker;
  private long sweptNanos;
  private boolean more;

  /** Sweeps for the first time when a while has passed. */
  Sweeping(Store store, Blobs blobs, GroupCommit commits, Ticker ticker) {
    this.store = store;
    this.blobs = blobs;
    this.commits = commits;
    this.ticker = ticker;
    this.sweptNanos = ticker.nanos();
  }

  /** Sweeps if it is time, or if the last time left something; blobs on a thread of their own. */
  void sweepIfDue() {
    if (ticker.since(sweptNanos).compareTo(SWEEP_EVERY) > 0) {
      sweptNanos = ticker.nanos();
      purge();
      Thread.ofVirtual().name("pawl-collect").start(this::collectBlobs);
    } else if (more) {
      purge();
    }
  }

  /** Removes what is old, a share at a time, and notes whether there may be more. */
  private void purge() {
    more = false;
    Command.Purge purge = new Command.Purge(KEEP_DELETED, KEEP_EVENTS, SWEEP_RUNS);
    for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
      if (!(commits.commit(purge) instanceof Outcome.Purged purged) || purged.runs() < SWEEP_RUNS) {
        return;
      }
    }
    more = true;
  }

  private void collectBlobs() {
    try {
      int gone = blobs.collect(store.now().minus(KEEP_BLOBS));
      LOG.debug("collected {} blobs", gone);
    } catch (RuntimeException e) {
      LOG.warn("blobs could not be collected: {}", e.getMessage());
    }
  }
}
