package dev.pawl.work;

import dev.pawl.blob.Blobs;
import dev.pawl.commit.GroupCommit;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import dev.pawl.time.Platform;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of all that a worker holds, whether it has begun or waits for a slot, and tells
 * the turns what is learned from that: whose lease is lost, whose run is to be cancelled.
 */
final class Heartbeat {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

  /** Leases are renewed so many times before they would end. */
  private static final int BEATS_PER_LEASE = 3;

  private final String worker;
  private final Store store;
  private final GroupCommit commits;
  private final Duration lease;
  private final Platform platform;
  private final Map<RunId, Turn> turns;
  private final Sweeping sweeping;
  private final CountDownLatch stop = new CountDownLatch(1);

  /**
   * The heartbeat of a worker.
   *
   * @param turns what it holds, at any time
   */
  Heartbeat(
      String worker,
      Store store,
      Blobs blobs,
      GroupCommit commits,
      Duration lease,
      Platform platform,
      Map<RunId, Turn> turns) {
    this.worker = worker;
    this.store = store;
    this.commits = commits;
    this.lease = lease;
    this.platform = platform;
    this.turns = turns;
    this.sweeping = new Sweeping(store, blobs, commits, platform.ticker());
  }

  /** Goes on until it is told to stop. */
  void beat() {
    long everyMillis = Math.max(1, lease.toMillis() / BEATS_PER_LEASE);
    while (!isStopped(everyMillis)) {
      try {
        renew();
        sweeping.sweepIfDue();
      } catch (RuntimeException e) {
        LOG.warn("worker {} could not renew {} leases: {}", worker, turns.size(), e.getMessage());
      }
    }
  }

  private boolean isStopped(long millis) {
    try {
      return platform.await(stop, millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  void stop() {
    stop.countDown();
  }

  /** What is told of a run concerns the turn that was asked about, not one that came after it. */
  private void renew() {
    Map<RunId, Turn> asked = new LinkedHashMap<>(turns);
    if (asked.isEmpty()) {
      return;
    }
    List<Command.Held> held =
        asked.values().stream()
            .map(turn -> new Command.Held(turn.run().id(), turn.run().epoch()))
            .toList();
    Outcome outcome = commits.commit(new Command.Extend(worker, held, lease));
    if (outcome instanceof Outcome.Extended extended) {
      extended.lost().stream().flatMap(run -> turn(asked, run)).forEach(Turn::lose);
      extended.cancelled().stream().flatMap(run -> turn(asked, run)).forEach(this::tellCancelled);
    }
  }

  private static Stream<Turn> turn(Map<RunId, Turn> turns, RunId run) {
    return Stream.ofNullable(turns.get(run));
  }

  private void tellCancelled(Turn turn) {
    store.mail(turn.run().id()).stream()
        .filter(Mail.Cancel.class::isInstance)
        .map(Mail.Cancel.class::cast)
        .findFirst()
        .ifPresent(turn::cancel);
  }
}
