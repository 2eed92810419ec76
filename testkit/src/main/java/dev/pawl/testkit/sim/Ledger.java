package dev.pawl.testkit.sim;

import dev.pawl.flow.StepContext;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.History;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What flows really did, kept outside of the engine: no body runs without its attempt on record
 * (P3), nor once its result is on record (S4), no timer fires early, what is recorded is the same
 * each time.
 */
final class Ledger {
  private static final long MILLI = 1_000_000;

  private final Universe universe;
  private final Witness witness;
  private final Map<String, Long> asked = new HashMap<>();
  private final Map<String, String> seen = new HashMap<>();
  private long bodies;

  Ledger(Universe universe, Witness witness) {
    this.universe = universe;
    this.witness = witness;
  }

  long bodies() {
    return bodies;
  }

  /** A step's body begins. */
  void began(Host host, RunId run, int attempt, StepContext body, String key) {
    bodies++;
    List<Entry> log = witness.log(run);
    boolean onRecord =
        log.stream()
            .anyMatch(entry ->
                entry.event() instanceof Event.Leased leased
                    && leased.attempt() == attempt
                    && witness.isHolder(run, leased.epoch(), host));
    if (!onRecord) {
      witness.report(
          "P3",
          run,
          "the body of " + key + " began in attempt " + attempt + ", which is not on record");
    }
    if (holds(host, run, attempt) && isFirstLease(log, host, run, attempt)) {
      checkNotDone(run, attempt, log, key, body);
    }
  }

  /** Not so for a body of an earlier attempt, which a host that was paused may still begin. */
  private boolean holds(Host host, RunId id, int attempt) {
    Run run = witness.row(id).orElseThrow();
    return run.status() == Status.RUNNING
        && run.lease()
            .filter(lease -> lease.until().isAfter(Epoch.at(universe.nanos())))
            .isPresent()
        && run.attempt() == attempt
        && witness.isHolder(id, run.epoch(), host);
  }

  /**
   * Whether the host has not held the run in this attempt before: else the body may be of the turn
   * that lost its lease, which the host has not noticed.
   */
  private boolean isFirstLease(List<Entry> log, Host host, RunId run, int attempt) {
    return log.stream()
            .filter(entry ->
                entry.event() instanceof Event.Leased leased
                    && leased.attempt() == attempt
                    && witness.isHolder(run, leased.epoch(), host))
            .count()
        == 1;
  }

  private void checkNotDone(RunId run, int attempt, List<Entry> log, String key, StepContext body) {
    for (Entry entry : History.of(log).entries()) {
      if (entry.event() instanceof Event.StepCompleted done && done.name().equals(key)) {
        witness.report(
            "S4",
            run,
            "the body of "
                + key
                + " began in attempt "
                + attempt
                + ", whose result is on record: "
                + entry);
      }
      if (entry.event() instanceof Event.StepFailed failed
          && failed.name().equals(key)
          && failed.attempt() >= body.attempt()) {
        witness.report(
            "S4", run, "attempt " + body.attempt() + " at " + key + " was made before: " + entry);
      }
    }
  }

  /**
   * The code of a graph's node begins: its start is on record (P3), and neither a result from
   * before that nor, of the same lease, an end behind it (S4). A start that was taken back since is
   * one that its worker may not have heard of yet.
   */
  void nodeBegan(Host host, RunId run, String node, int attempt) {
    bodies++;
    List<Entry> log = History.of(witness.log(run)).entries();
    Optional<Entry> started = start(log, host, run, node, attempt);
    if (started.isEmpty()) {
      if (start(witness.log(run), host, run, node, attempt).isEmpty()) {
        witness.report(
            "P3",
            run,
            "node " + node + " began in attempt " + attempt + ", which is not on record");
      }
      return;
    }
    for (Entry entry : log) {
      boolean before = entry.seq() < started.get().seq();
      boolean own = !before && entry.epoch() == started.get().epoch();
      if ((before && isResultOf(entry, node)) || (own && isEndOf(entry, node))) {
        witness.report("S4", run, "node " + node + " began, whose end is on record: " + entry);
      }
    }
  }

  private Optional<Entry> start(List<Entry> log, Host host, RunId run, String node, int attempt) {
    return log.stream()
        .filter(
            entry -> isStartOf(entry, node, attempt) && witness.isHolder(run, entry.epoch(), host))
        .reduce((one, later) -> later);
  }

  private static boolean isStartOf(Entry entry, String node, int attempt) {
    return entry.event() instanceof NodeEvent.Started started
        && started.node().equals(node)
        && started.attempt() == attempt;
  }

  private static boolean isResultOf(Entry entry, String node) {
    return entry.event() instanceof NodeEvent.Completed completed && completed.node().equals(node);
  }

  private static boolean isEndOf(Entry entry, String node) {
    return isResultOf(entry, node)
        || (entry.event() instanceof NodeEvent.Failed failed && failed.node().equals(node));
  }

  void asks(String place) {
    asked.putIfAbsent(place, universe.nanos());
  }

  void slept(RunId run, String place, int millis) {
    long since = Objects.requireNonNull(asked.get(place));
    boolean inherited = witness.row(run).flatMap(Run::forkedFrom).isPresent();
    if (!inherited && universe.nanos() / MILLI < since / MILLI + millis) {
      witness.report(
          "S10",
          run,
          "a timer of " + millis + " ms fired after " + (universe.nanos() - since) / MILLI);
    }
  }

  void same(RunId run, String name, String value) {
    String before = seen.putIfAbsent(run + name, value);
    if (before != null && !before.equals(value) && !witness.isReopened(run)) {
      witness.report(
          "S4", run, "what was recorded at " + name + " was " + before + " and is now " + value);
    }
  }
}
