package dev.pawl.graph.fold;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The fold of a graph's log: the state of its nodes and triggers, its children, the messages that
 * are on their way. Not thread-safe; not changed once the log is folded.
 */
public final class Projection {
  private final Map<String, NodeState> nodes = new LinkedHashMap<>();
  private final Map<String, TriggerState> triggers = new LinkedHashMap<>();
  private final Map<String, RunId> children = new HashMap<>();
  private final Map<RunId, Event.ChildResult> results = new HashMap<>();
  private final Map<RunId, Integer> ops = new LinkedHashMap<>();
  private final Map<String, Instant> timers = new HashMap<>();
  private final Set<String> enqueued = new HashSet<>();
  private final Set<String> unsent = new LinkedHashSet<>();
  private Optional<Instant> reopenedAt = Optional.empty();
  private int childOps;
  private boolean orderly = true;
  private boolean over;

  private Projection() {}

  /** What a log adds up to; what an operator has taken back does not count. */
  public static Projection of(List<Entry> log) {
    List<Entry> effective = new ArrayList<>();
    for (Entry entry : log) {
      if (entry.event() instanceof Event.Rewound rewound) {
        effective.removeIf(earlier ->
            earlier.seq() > rewound.keep() && !(earlier.event() instanceof NodeEvent.OfTrigger));
      }
      effective.add(entry);
    }
    Projection projection = new Projection();
    effective.forEach(projection::apply);
    return projection;
  }

  private void apply(Entry entry) {
    switch (entry.event()) {
      case NodeEvent event -> apply(event, entry.at());
      case Event.Leased leased -> {
        if (!orderly) {
          nodes.values().forEach(NodeState::crashed);
        }
        orderly = false;
      }
      case Event.Suspended suspended -> {
        orderly = true;
        timers.clear();
        suspended.waits().forEach(this::remember);
      }
      case Event.Released released -> orderly = true;
      case Event.Retried retried -> orderly = true;
      case Event.Terminal end -> over = true;
      case Event.Rewound rewound -> {
        orderly = true;
        over = false;
        reopenedAt = Optional.of(entry.at());
        nodes.values().forEach(NodeState::reopened);
      }
      case Event.ChildStarted started -> {
        ops.put(started.child(), started.op());
        childOps = Math.max(childOps, started.op() + 1);
      }
      case Event.ChildFinished finished -> results.put(finished.child(), finished.result());
      default -> {}
    }
  }

  private void remember(Wait wait) {
    if (wait instanceof Wait.Timer timer && !timer.why().isEmpty()) {
      timers.put(timer.why(), timer.at());
    }
  }

  private void apply(NodeEvent event, Instant at) {
    NodeState node = nodes.computeIfAbsent(event.node(), id -> new NodeState());
    switch (event) {
      case NodeEvent.Scheduled e -> node.scheduled(e);
      case NodeEvent.Started e -> node.started(e, at);
      case NodeEvent.Checkpointed e -> node.checkpointed(e);
      case NodeEvent.Completed e -> node.completed(e, at);
      case NodeEvent.Failed e -> node.failed(e, at);
      case NodeEvent.TriggerRegistered e -> trigger(e);
      case NodeEvent.TriggerInput e -> trigger(e);
      case NodeEvent.TriggerAdvanced e -> trigger(e);
      case NodeEvent.OutboxEnqueued e -> {
        enqueued.add(e.message());
        unsent.add(e.message());
        if (e.edge().startsWith(CHILD)) {
          children.put(e.message(), RunId.parse(e.edge().substring(CHILD.length())));
        }
      }
      case NodeEvent.OutboxSent e -> unsent.remove(e.message());
    }
  }

  private void trigger(NodeEvent event) {
    triggers.computeIfAbsent(event.node(), id -> new TriggerState()).take(event);
  }

  /** What the edge of a message to a child begins with; its id follows. */
  public static final String CHILD = "child:";

  public NodeState node(String id) {
    NodeState known = nodes.get(id);
    return known == null ? new NodeState() : known;
  }

  public TriggerState trigger(String id) {
    TriggerState known = triggers.get(id);
    return known == null ? new TriggerState() : known;
  }

  /** The child that was started with this message. */
  public Optional<RunId> child(String message) {
    return Optional.ofNullable(children.get(message));
  }

  /** The children that were ever started, with their numbers. */
  public Map<RunId, Integer> childOps() {
    return ops;
  }

  /** How a child has ended, if that is on record. */
  public Optional<Event.ChildResult> result(RunId child) {
    return Optional.ofNullable(results.get(child));
  }

  /** When a sleep that was begun before the last suspension is over, by its name. */
  public Optional<Instant> timer(String name) {
    return Optional.ofNullable(timers.get(name));
  }

  /** Whether the message was put on record. */
  public boolean isEnqueued(String message) {
    return enqueued.contains(message);
  }

  /** The messages that have not got through. */
  public Set<String> unsent() {
    return unsent;
  }

  /** When an operator last took the run back: messages from before may have been lost to it. */
  public Optional<Instant> reopenedAt() {
    return reopenedAt;
  }

  /** Whether the run has ended. */
  public boolean isOver() {
    return over;
  }

  /** The number for the next child. */
  public int nextChildOp() {
    return childOps;
  }
}
