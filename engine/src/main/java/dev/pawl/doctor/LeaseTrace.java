package dev.pawl.doctor;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.EventCodec;
import dev.pawl.log.Run;
import java.time.Instant;
import java.util.Optional;

/**
 * Follows who held a run: T2, P1 and P2. A claim, an end and a rewind raise the epoch, and each
 * entry bears the one that was current when it was written. Not thread-safe.
 */
final class LeaseTrace {
  private final Findings findings;
  private Optional<Event.Leased> held = Optional.empty();
  private Instant heldUntil = Instant.MIN;
  private long current;
  private long highest;

  LeaseTrace(Findings findings) {
    this.findings = findings;
  }

  void take(Entry entry) {
    if (entry.epoch() < highest) {
      findings.add(
          "T2",
          at(entry)
              + " should bear an epoch of at least "
              + highest
              + ", as the entry before it; it bears "
              + entry.epoch());
    }
    if (entry.event() instanceof Event.Leased leased) {
      claim(entry, leased);
    } else {
      write(entry);
    }
    highest = Math.max(highest, entry.epoch());
  }

  /** Takes note of how long the lease lives by the row. */
  void renewed(Run row) {
    held.filter(lease -> lease.epoch() == row.epoch())
        .flatMap(lease -> row.lease())
        .ifPresent(lease -> heldUntil = lease.until());
  }

  private void claim(Entry entry, Event.Leased leased) {
    if (leased.epoch() <= current) {
      findings.add(
          "T2",
          at(entry) + " should raise the epoch above " + current + "; it is " + leased.epoch());
    }
    if (entry.epoch() != leased.epoch()) {
      findings.add(
          "P1",
          at(entry) + " takes epoch " + leased.epoch() + ", but was written at " + entry.epoch());
    }
    held.filter(before -> entry.at().isBefore(heldUntil))
        .ifPresent(before ->
            findings.add(
                "P2",
                at(entry)
                    + " gives the run to "
                    + leased.worker()
                    + " at "
                    + entry.at()
                    + "; until "
                    + heldUntil
                    + " it belonged to "
                    + before.worker()
                    + " (epoch "
                    + before.epoch()
                    + "), which had not let go"));
    held = Optional.of(leased);
    heldUntil = leased.until();
    current = leased.epoch();
  }

  private void write(Entry entry) {
    if (entry.epoch() != current) {
      findings.add(
          "P1",
          at(entry)
              + " should bear the current epoch "
              + current
              + "; it was written at "
              + entry.epoch());
    } else if (held.isEmpty() && !(entry.event() instanceof Event.Lifecycle)) {
      findings.add("P1", at(entry) + " was written while nobody held the run");
    }
    boolean raises =
        entry.event() instanceof Event.Terminal || entry.event() instanceof Event.Rewound;
    if (raises || entry.event() instanceof Event.TurnEnd) {
      held = Optional.empty();
    }
    current = Math.max(current, entry.epoch()) + (raises ? 1 : 0);
  }

  private static String at(Entry entry) {
    return EventCodec.kind(entry.event()) + " at seq " + entry.seq();
  }
}
