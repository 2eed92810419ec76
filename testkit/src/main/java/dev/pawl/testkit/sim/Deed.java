package dev.pawl.testkit.sim;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What runs and those who use them do. A play in which one of them never succeeded has shown
 * nothing about it, and is no pass.
 */
public enum Deed {
  START,
  CHILD,
  STEP,
  SLEEP,
  SIGNAL,
  EMIT,
  CANCEL,
  RETRY,
  REWIND,
  FORK,
  /** A run of a script succeeds. */
  SCRIPT("script"),
  /** A run of a graph succeeds. */
  GRAPH("graph");

  private final Optional<String> kind;

  Deed() {
    this.kind = Optional.empty();
  }

  Deed(String kind) {
    this.kind = Optional.of(kind);
  }

  /** The kind of definition that it takes, if it takes one. */
  Optional<String> kind() {
    return kind;
  }

  /** Counts what succeeded in a run, by its row and its log. */
  static void count(Run run, List<Entry> log, Map<Deed, Long> into) {
    boolean succeeded = run.status() == Status.SUCCEEDED;
    if (succeeded && run.parent().isEmpty()) {
      add(run.forkedFrom().isPresent() ? FORK : START, into);
    }
    for (Deed deed : succeeded ? values() : new Deed[0]) {
      if (deed.kind.filter(kind -> Cast.isWrittenIn(kind, run.type())).isPresent()) {
        add(deed, into);
      }
    }
    Optional<Deed> reopened = Optional.empty();
    for (Entry entry : log) {
      of(entry.event()).ifPresent(deed -> add(deed, into));
      if (entry.event() instanceof Event.Rewound rewound) {
        reopened = Optional.of(rewound.how().equals("retry") ? RETRY : REWIND);
      }
    }
    if (succeeded) {
      reopened.ifPresent(deed -> add(deed, into));
    }
  }

  private static Optional<Deed> of(Event event) {
    return switch (event) {
      case Event.ChildFinished child when child.result() instanceof Event.ChildResult.Succeeded ->
          Optional.of(CHILD);
      case Event.StepCompleted step -> Optional.of(STEP);
      case NodeEvent.Completed node -> Optional.of(STEP);
      case Event.TimerFired timer -> Optional.of(SLEEP);
      case Event.SignalReceived signal -> Optional.of(SIGNAL);
      case Event.EventReceived emitted -> Optional.of(EMIT);
      case Event.Cancelled cancelled -> Optional.of(CANCEL);
      default -> Optional.empty();
    };
  }

  private static void add(Deed deed, Map<Deed, Long> into) {
    into.merge(deed, 1L, Long::sum);
  }

  static Map<Deed, Long> none() {
    return new EnumMap<>(Deed.class);
  }
}
