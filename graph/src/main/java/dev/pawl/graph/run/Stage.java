package dev.pawl.graph.run;

import dev.pawl.blob.Blob;
import dev.pawl.graph.check.Wiring;
import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.fold.NodeState;
import dev.pawl.graph.fold.Projection;
import dev.pawl.graph.node.Handle;
import dev.pawl.graph.node.NodeType;
import dev.pawl.graph.node.Value;
import dev.pawl.json.Json;
import dev.pawl.log.EventCodec;
import dev.pawl.log.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Everything an execution consists of, set up from the wiring and what the log says: outlets filled
 * with what is on record, lines between them, and a member for each node that has not ended.
 */
final class Stage {
  private static final int USUAL_BUFFER = 1024;

  private final Execution execution;
  private final Wiring wiring;
  private final Projection past;
  private final List<Map<String, Outlet>> outlets = new ArrayList<>();
  private final List<Outlet> errors = new ArrayList<>();
  private final Map<Integer, Line> lines = new HashMap<>();
  private final List<Member> members = new ArrayList<>();
  private final Map<Integer, Member> byPlace = new HashMap<>();
  private final Map<Integer, TriggerActor> triggers = new LinkedHashMap<>();

  Stage(Execution execution, Wiring wiring, Projection past, Activity activity) {
    this.execution = execution;
    this.wiring = wiring;
    this.past = past;
    wiring.places().forEach(this::makeOutlets);
    List<Inbox> inboxes = wiring.places().stream().map(place -> new Inbox(activity)).toList();
    wiring.wires().forEach(wire -> lead(wire, inboxes.get(wire.target())));
    wiring.places().stream().filter(this::isTrigger).forEach(p -> populate(p, inboxes));
    wiring.places().stream().filter(p -> !isTrigger(p)).forEach(this::fill);
    lines.values().forEach(Line::open);
    wiring.places().stream().filter(p -> !isTrigger(p)).forEach(p -> populate(p, inboxes));
    wiring.places().forEach(this::endWhatHasEnded);
    members.forEach(member -> byPlace.put(member.place().index(), member));
  }

  private void makeOutlets(Wiring.Place place) {
    Map<String, Outlet> own = new LinkedHashMap<>();
    for (Handle handle : place.shape().outputs()) {
      own.put(handle.name(), new Outlet(handle.name(), place.streaming(), execution.shelf()));
    }
    outlets.add(own);
    errors.add(new Outlet(Wiring.ERROR, false, execution.shelf()));
  }

  private void lead(Wiring.Wire wire, Inbox inbox) {
    Outlet from = outlet(wire);
    int buffer = wiring.place(wire.target()).node().buffer().orElse(USUAL_BUFFER);
    Line line = inbox.line(from, buffer);
    from.lead(line);
    lines.put(wire.index(), line);
  }

  private Outlet outlet(Wiring.Wire wire) {
    return wire.edge().kind() == Edge.Kind.ERROR
        ? errors.get(wire.source())
        : Objects.requireNonNull(outlets.get(wire.source()).get(wire.edge().sourceHandle()));
  }

  private boolean isTrigger(Wiring.Place place) {
    return place.type().role() == NodeType.Role.TRIGGER;
  }

  private void fill(Wiring.Place place) {
    NodeState state = past.node(place.id());
    outlets
        .get(place.index())
        .forEach((handle, outlet) -> outlet.fill(state.outputs().getOrDefault(handle, List.of())));
    if (state.status() == NodeState.Status.FAILED) {
      state
          .failure()
          .ifPresent(
              failure -> errors.get(place.index()).keep(Value.of(EventCodec.failure(failure))));
    }
  }

  private boolean hasEnded(Wiring.Place place) {
    NodeState.Status status = past.node(place.id()).status();
    return status == NodeState.Status.COMPLETED || status == NodeState.Status.FAILED;
  }

  private void populate(Wiring.Place place, List<Inbox> inboxes) {
    Inbox inbox = inboxes.get(place.index());
    if (isTrigger(place)) {
      if (hasEnded(place)) {
        fill(place);
      } else {
        TriggerActor trigger =
            new TriggerActor(
                execution, place, past.trigger(place.id()), outlets.get(place.index()), inbox);
        triggers.put(place.index(), trigger);
        members.add(trigger);
      }
    } else if (hasEnded(place)) {
      inbox.close();
      execution.journal().receiverDone(place.index());
    } else {
      members.add(actor(place, inbox));
    }
  }

  private Actor actor(Wiring.Place place, Inbox inbox) {
    NodeState state = past.node(place.id());
    Map<String, Outlet> own = outlets.get(place.index());
    return new Actor(
        execution,
        place,
        state,
        inbox,
        new Sync(place, inbox, lines),
        new Emission(place, own, state, execution.shelf()),
        errors.get(place.index()));
  }

  private void endWhatHasEnded(Wiring.Place place) {
    if (hasEnded(place)) {
      boolean failed = past.node(place.id()).status() == NodeState.Status.FAILED;
      outlets.get(place.index()).values().forEach(outlet -> outlet.end(failed));
      errors.get(place.index()).end(false);
    }
  }

  List<Member> members() {
    return members;
  }

  /** How far a node has come. */
  NodeProgress progress(Wiring.Place place) {
    Optional<Member> member = Optional.ofNullable(byPlace.get(place.index()));
    NodeState before = past.node(place.id());
    return new NodeProgress(
        place.id(),
        member.map(Stage::state).orElseGet(() -> state(before)),
        member.map(Member::attempt).orElse(before.attempt()),
        place.in().stream().mapToLong(wire -> taken(wire, member.isPresent())).sum(),
        outlets.get(place.index()).values().stream().mapToLong(Outlet::count).sum(),
        member.map(Member::took).orElse(Duration.ofMillis(before.millis())));
  }

  private long taken(Wiring.Wire wire, boolean here) {
    Line line = lines.get(wire.index());
    return here && line != null ? line.position() : outlet(wire).count();
  }

  private static NodeProgress.State state(Member member) {
    return switch (member.outcome()) {
      case OPEN -> member.isStarted() ? NodeProgress.State.RUNNING : NodeProgress.State.WAITING;
      case COMPLETED -> NodeProgress.State.COMPLETED;
      case FAILED -> NodeProgress.State.FAILED;
      case VOID -> NodeProgress.State.VOID;
    };
  }

  private static NodeProgress.State state(NodeState ended) {
    return ended.status() == NodeState.Status.FAILED
        ? NodeProgress.State.FAILED
        : NodeProgress.State.COMPLETED;
  }

  List<TriggerActor> triggers() {
    return List.copyOf(triggers.values());
  }

  boolean hasInputs(int place) {
    TriggerActor trigger = triggers.get(place);
    return trigger != null && trigger.hasInputs();
  }

  Map<String, Outlet> outlets(int place) {
    return outlets.get(place);
  }

  /**
   * The value an output node has come to; null if it has come to none, and what refers to it if it
   * is too large.
   */
  Json value(Wiring.Place place) {
    return outlets.get(place.index()).values().stream()
        .filter(outlet -> outlet.count() > 0)
        .map(outlet ->
            outlet.large().map(Blob::json).orElseGet(() -> outlet.replay(0, 1).next().json()))
        .findFirst()
        .orElse(Json.NULL);
  }

  /** The nodes that have not ended, for people. */
  @Override
  public String toString() {
    return members.stream()
        .filter(member -> member.outcome() == Member.Outcome.OPEN)
        .map(member -> member.place().id())
        .collect(Collectors.joining(", "));
  }

  /** The failure that the run ends with, if it does: the first that no edge takes. */
  Optional<Failure> failure() {
    Optional<Failure> earlier =
        wiring.places().stream()
            .filter(place -> !place.hasErrorEdge())
            .map(place -> past.node(place.id()))
            .filter(state -> state.status() == NodeState.Status.FAILED)
            .min(Comparator.comparing(state -> state.endedAt().orElse(Instant.MAX)))
            .flatMap(NodeState::failure);
    return earlier.or(() ->
        members.stream()
            .filter(member -> !member.place().hasErrorEdge())
            .flatMap(member -> member.failure().stream())
            .findFirst());
  }
}
