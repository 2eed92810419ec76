package dev.pawl.log;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The part of a log that still counts: entries that an operator's rewind has taken back are left
 * out. Immutable, pure.
 *
 * @param entries in order
 */
public record History(List<Entry> entries) {
  /** What is kept when a run starts over: the entry that records it. */
  public static final long FROM_THE_TOP = 1;

  public static History of(List<Entry> log) {
    List<Entry> effective = new ArrayList<>(log.size());
    for (Entry entry : log) {
      if (entry.event() instanceof Event.Rewound rewound) {
        effective.removeIf(earlier -> earlier.seq() > rewound.keep());
      } else {
        effective.add(entry);
      }
    }
    return new History(List.copyOf(effective));
  }

  /** When an operator last took the run back, if one ever did. */
  public static Optional<Instant> reopenedAt(List<Entry> log) {
    return log.stream()
        .filter(entry -> entry.event() instanceof Event.Rewound)
        .reduce((earlier, later) -> later)
        .map(Entry::at);
  }

  /**
   * Up to where to keep the log so that the step, given as {@code name} or {@code name#2}, or the
   * node of a graph, and all behind it run again.
   */
  public Optional<Long> keepBefore(String step) {
    int hash = step.lastIndexOf('#');
    boolean numbered =
        hash > 0
            && step.substring(hash + 1).chars().allMatch(Character::isDigit)
            && hash + 1 < step.length();
    String name = numbered ? step.substring(0, hash) : step;
    int n = numbered ? Integer.parseInt(step.substring(hash + 1)) : 0;
    return entries.stream()
        .filter(entry -> isStep(entry.event(), name, n))
        .map(entry -> entry.seq() - 1)
        .findFirst();
  }

  private static boolean isStep(Event event, String name, int n) {
    return switch (event) {
      case Event.StepCompleted step -> step.name().equals(name) && step.n() == n;
      case Event.StepFailed step -> step.name().equals(name) && step.n() == n;
      case NodeEvent.Scheduled node -> node.node().equals(name) && n == 0;
      default -> false;
    };
  }

  /**
   * Up to where to keep the log so that a failed or cancelled run gets another chance: everything
   * before the cancellation or the deadline that ended it, and before the failure that did; nothing
   * if it has undone its work already. Of a graph all of it: its nodes know by themselves which of
   * them failed.
   */
  public long keepForRetry() {
    if (entries.stream().anyMatch(entry -> entry.event() instanceof Event.Compensating)) {
      return FROM_THE_TOP;
    }
    boolean graph = entries.stream().anyMatch(entry -> entry.event() instanceof NodeEvent);
    List<Entry> before = entries.subList(0, interrupted());
    for (Entry entry : before.reversed()) {
      switch (entry.event()) {
        case Event.StepFailed failed when failed.retryAt().isEmpty() -> {
          return beginning(event -> op(event).equals(OptionalInt.of(failed.op()))) - 1;
        }
        case Event.ChildFinished child
            when !graph && !(child.result() instanceof Event.ChildResult.Succeeded) -> {
          return beginning(event ->
              event instanceof Event.ChildStarted start && start.child().equals(child.child()))
              - 1;
        }
        case Event.StepCompleted done -> {
          return before.getLast().seq();
        }
        default -> {}
      }
    }
    return before.isEmpty() ? FROM_THE_TOP : before.getLast().seq();
  }

  /** How many entries come before what ended the run from outside; all of them if nothing did. */
  private int interrupted() {
    boolean late =
        !entries.isEmpty()
            && entries.getLast().event() instanceof Event.Failed failed
            && failed.failure().code().equals("TIMEOUT");
    for (int i = 0; i < entries.size(); i++) {
      Event event = entries.get(i).event();
      if (event instanceof Event.CancelRequested
          || (late && event instanceof Event.DeadlinePassed)) {
        return i;
      }
    }
    return entries.size();
  }

  /**
   * The checkpoints up to {@code keep} that another run can start with: no lifecycle, and no child
   * that is still out.
   */
  public List<Event> checkpoints(long keep) {
    Set<RunId> finished = new HashSet<>();
    for (Entry entry : entries) {
      if (entry.seq() <= keep && entry.event() instanceof Event.ChildFinished child) {
        finished.add(child.child());
      }
    }
    return entries.stream()
        .filter(entry -> entry.seq() <= keep)
        .map(Entry::event)
        .filter(event -> op(event).isPresent() && !(event instanceof Event.Lifecycle))
        .filter(event ->
            !(event instanceof Event.ChildStarted child)
                || finished.contains(child.child())
                || child.bond() == Bond.DETACHED)
        .toList();
  }

  /** The children started behind {@code keep} and not known to have finished. */
  public List<RunId> childrenOut(long keep) {
    Set<RunId> out = new LinkedHashSet<>();
    for (Entry entry : entries) {
      if (entry.event() instanceof Event.ChildStarted child
          && entry.seq() > keep
          && child.bond() == Bond.AWAITED) {
        out.add(child.child());
      } else if (entry.event() instanceof Event.ChildFinished child) {
        out.remove(child.child());
      }
    }
    return List.copyOf(out);
  }

  private long beginning(Predicate<Event> first) {
    return entries.stream()
        .filter(entry -> first.test(entry.event()))
        .mapToLong(Entry::seq)
        .findFirst()
        .orElse(FROM_THE_TOP + 1);
  }

  /** The operation of the program that an event belongs to. */
  public static OptionalInt op(Event event) {
    return switch (event) {
      case Event.StepCompleted e -> OptionalInt.of(e.op());
      case Event.StepFailed e -> OptionalInt.of(e.op());
      case Event.Logged e -> OptionalInt.of(e.op());
      case Event.SignalReceived e -> OptionalInt.of(e.op());
      case Event.EventReceived e -> OptionalInt.of(e.op());
      case Event.ChildStarted e -> OptionalInt.of(e.op());
      case Event.ChildFinished e -> OptionalInt.of(e.op());
      case Event.TimerFired e -> OptionalInt.of(e.op());
      case Event.CancelRequested e -> OptionalInt.of(e.op());
      case Event.DeadlinePassed e -> OptionalInt.of(e.op());
      case Event.Created e -> OptionalInt.empty();
      case Event.Leased e -> OptionalInt.empty();
      case Event.Suspended e -> OptionalInt.empty();
      case Event.Retried e -> OptionalInt.empty();
      case Event.Released e -> OptionalInt.empty();
      case Event.Succeeded e -> OptionalInt.empty();
      case Event.Failed e -> OptionalInt.empty();
      case Event.Cancelled e -> OptionalInt.empty();
      case Event.Pinned e -> OptionalInt.empty();
      case Event.Rewound e -> OptionalInt.empty();
      case Event.Heartbeat e -> OptionalInt.empty();
      case Event.Compensating e -> OptionalInt.empty();
      case Event.Drawn e -> OptionalInt.empty();
      case NodeEvent e -> OptionalInt.empty();
    };
  }
}
