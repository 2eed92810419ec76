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
  GRAPH("graph"),
  /** A graph that was taken back to a node succeeds. */
  GRAPH_REWIND("graph"),
  /** A fork of a graph succeeds. */
  GRAPH_FORK("graph");

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
    log.forEach(entry -> of(entry.event()).ifPresent(deed -> add(deed, into)));
    if (run.status() == Status.SUCCEEDED) {
      boolean graph = GRAPH.isOf(run);
      if (run.forkedFrom().isPresent()) {
        add(graph ? GRAPH_FORK : FORK, into);
      } else if (run.parent().isEmpty()) {
        add(START, into);
      }
      List.of(SCRIPT, GRAPH).stream()
          .filter(kind -> kind.isOf(run))
          .forEach(kind -> add(kind, into));
      reopened(log, graph).ifPresent(deed -> add(deed, into));
    }
  }

  private boolean isOf(Run run) {
    return kind.filter(its -> Cast.isWrittenIn(its, run.type())).isPresent();
  }

  /** How the run was last reopened, if it was. */
  private static Optional<Deed> reopened(List<Entry> log, boolean graph) {
    Optional<Deed> reopened = Optional.empty();
    for (Entry entry : log) {
      if (entry.event() instanceof Event.Rewound rewound) {
        Deed rewind = graph ? GRAPH_REWIND : REWIND;
        reopened = Optional.of(rewound.how().equals("retry") ? RETRY : rewind);
      }
    }
    return reopened;
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
