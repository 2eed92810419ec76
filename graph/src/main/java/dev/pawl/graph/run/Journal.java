package dev.pawl.graph.run;

import dev.pawl.graph.check.Wiring;
import dev.pawl.graph.definition.Tree;
import dev.pawl.graph.fold.OutputsJson;
import dev.pawl.graph.fold.OutputsJson.Output;
import dev.pawl.graph.fold.Projection;
import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.RunId;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.work.Retry;
import dev.pawl.work.RunPolicy;
import dev.pawl.work.Turn;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes the log of a graph. What belongs together is recorded together; nothing here waits, but
 * {@link #flush}. Thread-safe.
 */
final class Journal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<String> enqueued = new HashSet<>();
  private final Set<Integer> receiversDone = new HashSet<>();
  private final Map<String, RunId> children = new HashMap<>();
  private final Map<RunId, Integer> ops = new HashMap<>();
  private final Map<RunId, String> messages = new HashMap<>();
  private final Map<RunId, String> parents = new HashMap<>();
  private final Set<String> answered = new HashSet<>();
  private final Projection past;
  private volatile Turn turn;
  private int nextOp;

  Journal(Turn turn, Projection past) {
    this.turn = turn;
    this.past = past;
    this.nextOp = past.nextChildOp();
    ops.putAll(past.childOps());
  }

  void turn(Turn next) {
    turn = next;
  }

  Turn turn() {
    return turn;
  }

  /** Waits until everything recorded is durable. */
  void flush() {
    turn.flush();
  }

  // ---- nodes ----

  void started(Wiring.Place place, int attempt, boolean again, Json inputs) {
    Turn held = turn;
    if (!again) {
      held.record(new NodeEvent.Scheduled(place.id(), place.type().name(), attempt));
    }
    held.record(new NodeEvent.Started(place.id(), attempt, inputs));
  }

  void checkpointed(
      Wiring.Place place,
      int attempt,
      Json state,
      Optional<Map<String, Long>> positions,
      Map<String, Output> fresh) {
    Json outputs = fresh.isEmpty() ? Json.NULL : OutputsJson.write(fresh);
    Json reached = positions.map(Tree::write).orElse(Json.NULL);
    turn.record(new NodeEvent.Checkpointed(place.id(), attempt, state, reached, outputs));
  }

  /**
   * The node's result, with the messages it sends by it and those it is done with.
   *
   * @param counts how many messages were put out, by handle
   */
  void completed(
      Wiring.Place place,
      int attempt,
      Map<String, Output> outputs,
      Map<String, Long> counts,
      long millis) {
    lock.lock();
    try {
      turn.record(new NodeEvent.Completed(place.id(), attempt, OutputsJson.write(outputs), millis));
      for (Wiring.Wire wire : place.out()) {
        if (counts.getOrDefault(wire.edge().sourceHandle(), 0L) > 0) {
          enqueued(wire);
        }
      }
      received(place);
    } finally {
      lock.unlock();
    }
  }

  /** The failure of an attempt; of the last one, if there is no time for another. */
  void failed(Wiring.Place place, int attempt, Failure failure, Optional<Instant> retryAt) {
    lock.lock();
    try {
      turn.record(new NodeEvent.Failed(place.id(), attempt, failure, retryAt));
      if (retryAt.isEmpty() && place.hasErrorEdge()) {
        place.out().stream()
            .filter(wire -> wire.output().name().equals(Wiring.ERROR))
            .filter(wire -> wire.edge().id().contains("!error>"))
            .forEach(this::enqueued);
        received(place);
      }
    } finally {
      lock.unlock();
    }
  }

  private void enqueued(Wiring.Wire wire) {
    if (!past.isEnqueued(wire.id()) && enqueued.add(wire.id())) {
      turn.record(
          new NodeEvent.OutboxEnqueued(wire.edge().source(), wire.id(), wire.id(), Json.NULL));
      if (receiversDone.contains(wire.target())) {
        sent(wire);
      }
    }
  }

  private void received(Wiring.Place place) {
    receiversDone.add(place.index());
    for (Wiring.Wire wire : place.in()) {
      boolean before = past.isEnqueued(wire.id()) && past.unsent().contains(wire.id());
      if (before || enqueued.contains(wire.id())) {
        sent(wire);
      }
    }
  }

  private void sent(Wiring.Wire wire) {
    turn.record(new NodeEvent.OutboxSent(wire.edge().source(), wire.id(), wire.id()));
  }

  /** Nodes that had ended before this turn are done with whatever may still come to them. */
  void receiverDone(int place) {
    receiversDone.add(place);
  }

  // ---- triggers ----

  void registered(String node, String trigger, Json properties) {
    Map<String, @Nullable Object> config = new LinkedHashMap<>(Tree.object(properties));
    config.put("since", turn.now().toEpochMilli());
    turn.record(new NodeEvent.TriggerRegistered(node, trigger, Tree.write(config)));
  }

  void input(NodeEvent.TriggerInput input, Optional<Mail> mail) {
    if (mail.isPresent()) {
      turn.record(input, mail.get());
    } else {
      turn.record(input);
    }
  }

  /** Takes a signal out of the mailbox that says nothing new. */
  void duplicate(int node, Mail.Signal mail) {
    turn.record(new Event.SignalReceived(node, mail.name(), mail.message(), Json.NULL), mail);
  }

  void advanced(String node, String cursor, long count) {
    turn.record(new NodeEvent.TriggerAdvanced(node, cursor, count));
  }

  // ---- children ----

  /** The child that the message starts: a new one, or the one it has started before. */
  RunId child(Wiring.Place place, String message, String type, Json payload) {
    String node = place.id();
    lock.lock();
    try {
      RunId known = childOf(message).orElse(null);
      if (known != null) {
        messages.put(known, message);
        parents.put(known, node);
        return known;
      }
      RunId id = new RunId(turn.platform().newId());
      NewRun run =
          withPolicy(NewRun.of(id, type, payload), place)
              .withParent(turn.run().id(), turn.run().root(), Bond.AWAITED);
      String edge = Projection.CHILD + id;
      turn.record(new NodeEvent.OutboxEnqueued(node, edge, message, Json.NULL));
      turn.record(new Event.ChildStarted(nextOp, id, type, Bond.AWAITED), run);
      ops.put(id, nextOp++);
      children.put(message, id);
      messages.put(id, message);
      parents.put(id, node);
      return id;
    } finally {
      lock.unlock();
    }
  }

  /** What the graph says of the node's attempts, as far as it is for the child. */
  private static NewRun withPolicy(NewRun run, Wiring.Place place) {
    Optional<Retry> given = place.node().retry();
    if (given.isEmpty()) {
      return run;
    }
    Retry retry = given.get();
    return switch (place.type().role()) {
      case TASK -> run.withMaxAttempts(retry.maxAttempts()).withTags(policy(retry).tags());
      case CHILD -> retry.timeout().map(run::withDeadline).orElse(run);
      case PLAIN, INPUT, OUTPUT, TRIGGER -> run;
    };
  }

  private static RunPolicy policy(Retry retry) {
    return new RunPolicy(
        retry.timeout(),
        Optional.of(retry.initial()),
        Optional.of(retry.factor()),
        Optional.of(retry.cap()),
        Optional.of(retry.jitter()),
        List.of());
  }

  /** The child that was started with this message. */
  Optional<RunId> childOf(String message) {
    lock.lock();
    try {
      return past.child(message).or(() -> Optional.ofNullable(children.get(message)));
    } finally {
      lock.unlock();
    }
  }

  /** Whether the run is a child of this graph. */
  boolean knows(RunId child) {
    lock.lock();
    try {
      return ops.containsKey(child);
    } finally {
      lock.unlock();
    }
  }

  void childFinished(RunId child, Event.ChildResult result, Optional<Mail> mail) {
    lock.lock();
    try {
      Event event = new Event.ChildFinished(ops.getOrDefault(child, 0), child, result);
      if (mail.isPresent()) {
        turn.record(event, mail.get());
      } else {
        turn.record(event);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The node has got the child's outcome. */
  void childReceived(RunId child) {
    lock.lock();
    try {
      String message = messages.remove(child);
      String node = parents.remove(child);
      boolean fresh = children.containsKey(message) || past.unsent().contains(message);
      if (message != null && node != null && fresh && answered.add(message)) {
        turn.record(new NodeEvent.OutboxSent(node, Projection.CHILD + child, message));
      }
    } finally {
      lock.unlock();
    }
  }
}
