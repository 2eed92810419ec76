package dev.pawl.doctor;

import dev.pawl.log.Bond;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Mail;
import dev.pawl.store.Store;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Parents against children: S8. The parents met last are remembered, because the children of one
 * parent lie close together. Not thread-safe.
 */
final class Families {
  private static final int MAX_PARENTS = 1000;

  /** Children of remembered parents, in all. */
  private static final int MAX_LINKS = 200_000;

  private final Store store;
  private final Map<RunId, ParentLog> parents = new LinkedHashMap<>(16, 0.75f, true);

  Families(Store store) {
    this.store = store;
  }

  // ---- the child's side ----

  /** Whether the parent has this child on record, and an outcome only if it came to that. */
  void checkChild(Run child, LogScan log, Findings findings) {
    if (child.parent().isEmpty()) {
      return;
    }
    RunId parent = child.parent().get();
    ParentLog known = remember(parent);
    if (known.isPurged()) {
      return;
    }
    if (known.find(child.id()).isEmpty()) {
      known.readOn(store);
    }
    Optional<ParentLog.Link> link = known.find(child.id());
    Optional<Bond> bond = link.flatMap(ParentLog.Link::bond);
    if (!bond.equals(Optional.of(child.bond()))) {
      findings.add(
          "S8",
          "its parent "
              + parent
              + " should have it on record as started, "
              + child.bond()
              + "; "
              + bond.map(found -> "it is on record as " + found).orElse("it is not on record"));
    }
    link.ifPresent(on -> on.outcomes().forEach(seq -> checkOutcome(parent, seq, log, findings)));
  }

  private void checkOutcome(RunId parent, long seq, LogScan log, Findings findings) {
    for (Entry entry : store.log(parent, seq - 1, 1)) {
      if (entry.event() instanceof Event.ChildFinished outcome
          && !log.ends().contains(outcome.result())) {
        findings.add(
            "S8",
            "its parent "
                + parent
                + " has at seq "
                + seq
                + " that it ended with "
                + Findings.show(outcome.result())
                + "; by its own log "
                + (log.ends().isEmpty()
                    ? "it has not ended"
                    : "it ended with " + Findings.show(log.ends().getLast())));
      }
    }
  }

  // ---- the parent's side ----

  /**
   * Whether each child that the parent counts on exists, and is still out. What ended before the
   * parent was reopened is looked up by its program when it asks, and need not be in the mailbox.
   */
  void checkParent(Run parent, LogScan log, List<Mail> mail, Findings findings) {
    ParentLog known = remember(parent.id());
    known.readOn(store);
    Set<RunId> arrived =
        mail.stream()
            .filter(Mail.ChildOutcome.class::isInstance)
            .map(message -> ((Mail.ChildOutcome) message).child())
            .collect(Collectors.toSet());
    arrived.forEach(child -> isNotTwice(child, known, mail, findings));
    known
        .links()
        .forEach((child, link) -> {
          if (link.bond().isEmpty()) {
            findings.add("S8", "it has an outcome of child " + child + ", which it never started");
          } else if (!parent.status().isTerminal() && link.isOpen() && !arrived.contains(child)) {
            checkOpen(child, log.reopenedAt(), findings);
          }
        });
  }

  /** A child tells each of its ends once. */
  private void isNotTwice(RunId child, ParentLog known, List<Mail> mail, Findings findings) {
    long waiting =
        mail.stream()
            .filter(message ->
                message instanceof Mail.ChildOutcome outcome && outcome.child().equals(child))
            .count();
    long told = waiting + known.find(child).map(ParentLog.Link::told).orElse(0);
    if (told > 1 && told > ends(child)) {
      findings.add(
          "S8",
          "its child "
              + child
              + " has ended "
              + ends(child)
              + " times; of its outcomes "
              + waiting
              + " are in the mailbox and "
              + (told - waiting)
              + " on record");
    }
  }

  private long ends(RunId child) {
    return store.log(child, 0, Integer.MAX_VALUE).stream()
        .filter(entry -> entry.event() instanceof Event.Terminal)
        .count();
  }

  private void checkOpen(RunId child, Instant reopened, Findings findings) {
    Optional<Run> row = store.run(child);
    if (row.isEmpty()) {
      findings.add("S8", "its child " + child + " should be there; it is not, and left no outcome");
    } else if (row.get().finishedAt().filter(reopened::isBefore).isPresent()) {
      findings.add(
          "S8",
          "its child "
              + child
              + " has "
              + row.get().status().word()
              + ", so the outcome should be in its mailbox or on record; it is in neither");
    }
  }

  // ---- remembering ----

  private ParentLog remember(RunId parent) {
    ParentLog known = parents.get(parent);
    if (known == null) {
      known = new ParentLog(parent);
      known.readOn(store);
      parents.put(parent, known);
      forgetOldest();
    }
    return known;
  }

  private void forgetOldest() {
    long links = parents.values().stream().mapToLong(ParentLog::size).sum();
    Iterator<ParentLog> oldest = parents.values().iterator();
    while (parents.size() > 1 && (parents.size() > MAX_PARENTS || links > MAX_LINKS)) {
      links -= oldest.next().size();
      oldest.remove();
    }
  }
}
