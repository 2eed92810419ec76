package dev.pawl.doctor;

import dev.pawl.error.PawlException;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.EventCodec;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A log read page by page from its first entry on, and checked for what it shows by itself: S3, S4,
 * S5, T1, T2, T3, P1, P2, P3 and, of a graph, G1 to G7. It can be read on when it has grown. Not
 * thread-safe.
 */
final class LogScan {
  private static final int PAGE = 200;

  private final RunId id;
  private final Findings findings;
  private final LeaseTrace leases;
  private final StepResults steps = new StepResults();
  private final GraphTrace nodes = new GraphTrace();
  private final TopicCursors cursors;
  private final List<Event.ChildResult> ends = new ArrayList<>(0);
  private Optional<Run> fold = Optional.empty();
  private Optional<Suspension> suspension = Optional.empty();
  private boolean broken;
  private boolean ended;
  private boolean reopened;
  private Instant reopenedAt = Instant.MIN;
  private boolean hasChildren;
  private boolean forked;
  private Instant claimedAt = Instant.MIN;
  private long lastSeq;
  private long events;
  private long consumed;

  /** The wait a run was left in, and since when its program knew no new messages. */
  record Suspension(Event.Suspended event, Instant claimedAt) {}

  LogScan(RunId id) {
    this.id = id;
    this.findings = new Findings(id);
    this.leases = new LeaseTrace(findings);
    this.cursors = new TopicCursors(findings);
  }

  /** Reads what is new; returns whether there was anything. */
  boolean readOn(Store store) {
    long before = events;
    int got = PAGE;
    while (got == PAGE) {
      long from = lastSeq;
      List<Entry> page = store.log(id, from, PAGE);
      page.forEach(this::take);
      got = lastSeq > from ? page.size() : 0;
    }
    return events > before;
  }

  private void take(Entry entry) {
    events++;
    if (entry.seq() != lastSeq + 1) {
      findings.add(
          "S3",
          "behind seq " + lastSeq + " there should be " + (lastSeq + 1) + "; found " + entry.seq());
    }
    lastSeq = Math.max(lastSeq, entry.seq());
    checkEnd(entry);
    boolean copied = forked && entry.epoch() == 0 && !(entry.event() instanceof Event.Lifecycle);
    if (!copied) {
      leases.take(entry);
      note(entry);
    }
    steps.take(entry);
    nodes.take(entry);
    cursors.take(entry);
    fold.ifPresent(run -> checkAttempt(run, entry));
    apply(entry);
  }

  private void checkEnd(Entry entry) {
    if (ended && !(entry.event() instanceof Event.Rewound)) {
      findings.add(
          "S5",
          "it ended before seq "
              + entry.seq()
              + ", so only a rewind could stand there; found "
              + EventCodec.kind(entry.event()));
    }
    ended = entry.event() instanceof Event.Terminal;
    if (entry.event() instanceof Event.Rewound) {
      reopened = true;
      reopenedAt = entry.at();
    }
  }

  /** A claim counts an attempt exactly if it continues nothing. */
  private void checkAttempt(Run before, Entry entry) {
    if (entry.event() instanceof Event.Leased leased) {
      int expected = before.attempt() + (leased.resumed() ? 0 : 1);
      if (leased.attempt() != expected) {
        findings.add(
            "P3",
            "the claim at seq "
                + entry.seq()
                + (leased.resumed() ? " resumes attempt " : " begins attempt ")
                + expected
                + "; on record is attempt "
                + leased.attempt());
      }
    }
  }

  /** Takes note that a lease was renewed, which no entry tells. */
  void renewed(Run row) {
    leases.renewed(row);
  }

  /** Keeps what other checks want to know. */
  private void note(Entry entry) {
    if (entry.event() instanceof Event.Lifecycle) {
      suspension = Optional.empty();
    }
    switch (entry.event()) {
      case Event.Created created -> forked = created.forkedFrom().isPresent();
      case Event.Leased leased -> claimedAt = entry.at();
      case Event.Suspended waiting -> suspension = Optional.of(new Suspension(waiting, claimedAt));
      case Event.SignalReceived received -> consumed++;
      case Event.CancelRequested asked -> consumed++;
      case NodeEvent.TriggerInput input -> consumed += input.mailed() ? 1 : 0;
      case Event.ChildFinished finished -> {
        hasChildren = true;
        consumed += reopened ? 0 : 1;
      }
      case Event.ChildStarted started -> hasChildren = true;
      case Event.Terminal end -> ends.add(Event.ChildResult.of(end));
      default -> {}
    }
  }

  private void apply(Entry entry) {
    if (broken) {
      return;
    }
    try {
      fold = Optional.of(fold.isPresent() ? fold.get().apply(entry) : Run.created(id, entry));
    } catch (PawlException impossible) {
      broken = true;
      findings.add(
          "T1",
          fold.map(run -> "it is " + run.status().word() + " before seq " + entry.seq())
                  .orElse("a log should begin with created")
              + ", and found there is "
              + EventCodec.kind(entry.event())
              + ", which is not possible; nothing behind it was folded");
    }
  }

  /** What the log shows by itself, in a copy to add to. */
  Findings findings() {
    Findings all = new Findings(id);
    all.addAll(findings);
    steps.report(all);
    nodes.report(all);
    return all;
  }

  /** The run the log describes; empty if it describes none. */
  Optional<Run> fold() {
    return broken ? Optional.empty() : fold;
  }

  /** The wait the log ends with, if it ends with one. */
  Optional<Suspension> suspension() {
    return suspension;
  }

  /** Whether the last entry ends the run. */
  boolean isEnded() {
    return ended;
  }

  /** Whether it was ever taken back. */
  boolean isReopened() {
    return reopened;
  }

  /** When it was last taken back; long ago if it never was. */
  Instant reopenedAt() {
    return reopenedAt;
  }

  /** Each end the run has come to. */
  List<Event.ChildResult> ends() {
    return ends;
  }

  boolean hasChildren() {
    return hasChildren;
  }

  /**
   * How many messages from the run's own mailbox are on record at least: a fork's inherited ones
   * are not, and a run that was reopened finds outcomes of children elsewhere too.
   */
  long consumed() {
    return consumed;
  }

  long lastSeq() {
    return lastSeq;
  }

  long events() {
    return events;
  }
}
