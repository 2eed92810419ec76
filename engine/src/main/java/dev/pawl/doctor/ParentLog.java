package dev.pawl.doctor;

import dev.pawl.log.Bond;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.store.Store;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a parent's log says of its children. The children of the run that a fork was taken from are
 * left out. It can be read on when the log has grown. Not thread-safe.
 */
final class ParentLog {
  private static final int PAGE = 200;

  private final RunId parent;
  private final Map<RunId, Link> links = new LinkedHashMap<>();

  /** The children of the other run: how they ended may be told a fork again that was rewound. */
  private final Set<RunId> inherited = new HashSet<>();

  private boolean forked;
  private long lastSeq;

  /** A child on record. */
  static final class Link {
    private Optional<Bond> bond = Optional.empty();
    private final List<Long> outcomes = new ArrayList<>(1);
    private final List<Long> kept = new ArrayList<>(1);
    private boolean standing;
    private long started;

    /** What it was started as; empty if its start is not on record. */
    Optional<Bond> bond() {
      return bond;
    }

    /** Where in the log its outcomes are, also those that were rewound over. */
    List<Long> outcomes() {
      return outcomes;
    }

    /** How many of its outcomes stand: a program that was rewound over one is told it again. */
    int told() {
      return kept.size();
    }

    /** Whether its parent still counts on an outcome. */
    boolean isOpen() {
      return standing && kept.isEmpty() && !bond.equals(Optional.of(Bond.DETACHED));
    }

    private void takeBack(long keep) {
      standing &= started <= keep;
      kept.removeIf(seq -> seq > keep);
    }
  }

  ParentLog(RunId parent) {
    this.parent = parent;
  }

  void readOn(Store store) {
    int got = PAGE;
    while (got == PAGE) {
      long from = lastSeq;
      List<Entry> page = store.log(parent, from, PAGE);
      page.forEach(this::take);
      got = lastSeq > from ? page.size() : 0;
    }
  }

  private void take(Entry entry) {
    lastSeq = Math.max(lastSeq, entry.seq());
    if (forked && entry.epoch() == 0) {
      if (entry.event() instanceof Event.ChildStarted started) {
        inherited.add(started.child());
      }
      return;
    }
    switch (entry.event()) {
      case Event.Created created -> forked = created.forkedFrom().isPresent();
      case Event.ChildStarted started -> {
        Link link = link(started.child());
        link.bond = Optional.of(started.bond());
        link.started = entry.seq();
        link.standing = true;
      }
      case Event.ChildFinished finished when inherited.contains(finished.child()) -> {}
      case Event.ChildFinished finished -> {
        Link link = link(finished.child());
        link.outcomes.add(entry.seq());
        link.kept.add(entry.seq());
      }
      case Event.Rewound rewound -> links.values().forEach(link -> link.takeBack(rewound.keep()));
      default -> {}
    }
  }

  private Link link(RunId child) {
    return links.computeIfAbsent(child, id -> new Link());
  }

  /** Whether there is nothing left of the parent. */
  boolean isPurged() {
    return lastSeq == 0;
  }

  Optional<Link> find(RunId child) {
    return Optional.ofNullable(links.get(child));
  }

  Map<RunId, Link> links() {
    return links;
  }

  int size() {
    return links.size();
  }
}
