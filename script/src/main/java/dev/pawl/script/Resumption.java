package dev.pawl.script;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.work.Archive;
import dev.pawl.work.Turn;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Where a run goes on: its last suspension that still counts, and what was recorded behind it. The
 * log is read from its end, so what it costs does not depend on the run's history. Something that
 * the script was given is behind a suspension only if an operator took the run back into the middle
 * of a turn, or if a worker that could not go on gave it back there.
 *
 * @param suspension empty if the script begins at the top
 * @param tail the entries behind the suspension that count, in order
 * @param reopenedAt when an operator took the run back, if that was behind the suspension
 */
record Resumption(
    Optional<Event.Suspended> suspension, List<Entry> tail, Optional<Instant> reopenedAt) {
  /**
   * A part of a turn that is played again: the script is given an answer, and goes on as far as it
   * gets with that.
   *
   * @param answer empty for what comes before the first
   * @param leased when its turn began; empty if nothing of it is on record
   * @param drawn where its chance comes from; empty if it used none, or goes on with what the one
   *     before it used
   */
  record Stretch(Optional<Event> answer, Optional<Instant> leased, Optional<UUID> drawn) {
    private static final Stretch FIRST =
        new Stretch(Optional.empty(), Optional.empty(), Optional.empty());

    private Stretch at(Optional<Instant> lease) {
      return new Stretch(answer, leased.or(() -> lease), drawn);
    }

    private Stretch with(Event.Drawn draw) {
      return new Stretch(answer, leased, drawn.or(() -> Optional.of(draw.seed())));
    }
  }

  /** The tail as the script went through it. */
  List<Stretch> stretches() {
    List<Stretch> before = new ArrayList<>();
    Stretch last = Stretch.FIRST;
    Optional<Instant> lease = Optional.empty();
    for (Entry entry : tail) {
      switch (entry.event()) {
        case Event.Leased leased -> lease = Optional.of(entry.at());
        case Event.Drawn draw -> last = last.at(lease).with(draw);
        case Event.ChildStarted child -> last = last.at(lease);
        case Event.Logged line -> last = last.at(lease);
        case Event event when isAnswer(event) -> {
          before.add(last.at(lease));
          last = new Stretch(Optional.of(event), lease, Optional.empty());
        }
        default -> {}
      }
    }
    before.add(last);
    return before;
  }

  private static boolean isAnswer(Event event) {
    return event instanceof Event.ChildFinished
        || event instanceof Event.SignalReceived
        || event instanceof Event.EventReceived
        || event instanceof Event.TimerFired
        || event instanceof Event.CancelRequested
        || event instanceof Event.DeadlinePassed;
  }

  /** A run's first claim is the second entry of its log. */
  private static final long FIRST_CLAIM = 2;

  private static final int FIRST_PAGE = 2;
  private static final int LARGEST_PAGE = 512;

  static Resumption find(Turn turn) {
    long claim = turn.activation().seq();
    return claim <= FIRST_CLAIM ? atTheTop() : new Search(turn.archive()).from(claim - 1);
  }

  private static Resumption atTheTop() {
    return new Resumption(Optional.empty(), List.of(), Optional.empty());
  }

  /** Goes back through the log, over what was taken back. */
  private static final class Search {
    private final Archive archive;
    private final Deque<Entry> tail = new ArrayDeque<>();
    private Optional<Instant> reopenedAt = Optional.empty();
    private Optional<Resumption> found = Optional.empty();
    private long last;

    Search(Archive archive) {
      this.archive = archive;
    }

    Resumption from(long seq) {
      last = seq;
      int size = FIRST_PAGE;
      while (found.isEmpty() && last > 0) {
        List<Entry> page = archive.between(Math.max(0, last - size), last);
        for (int i = page.size() - 1; i >= 0 && found.isEmpty(); i--) {
          if (page.get(i).seq() == last) {
            look(page.get(i));
          }
        }
        size = Math.min(LARGEST_PAGE, size * 4);
      }
      return found.orElseGet(() -> result(Optional.empty()));
    }

    private void look(Entry entry) {
      last = entry.seq() - 1;
      switch (entry.event()) {
        case Event.Suspended suspended -> found = Optional.of(result(Optional.of(suspended)));
        case Event.Retried retried -> found = Optional.of(result(Optional.empty()));
        case Event.Rewound rewound -> {
          reopenedAt = reopenedAt.or(() -> Optional.of(entry.at()));
          last = rewound.keep();
        }
        default -> tail.addFirst(entry);
      }
    }

    private Resumption result(Optional<Event.Suspended> suspension) {
      return new Resumption(suspension, List.copyOf(tail), reopenedAt);
    }
  }
}
