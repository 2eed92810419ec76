package dev.pawl.graph.run;

import dev.pawl.error.PawlException;
import dev.pawl.graph.check.Wiring;
import dev.pawl.graph.definition.Tree;
import dev.pawl.graph.fold.OutputsJson.Output;
import dev.pawl.graph.fold.TriggerState;
import dev.pawl.graph.node.Source;
import dev.pawl.graph.node.Value;
import dev.pawl.json.Json;
import dev.pawl.log.Failure;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.Wait;
import dev.pawl.store.Mail;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A trigger: hands on its inputs in order, each once, and waits for more. Inputs that come as
 * messages are taken in when a turn begins; times pass while it goes on.
 */
final class TriggerActor implements Member {
  private static final String END = TriggerState.END;

  /** How many inputs are handed on before everything must have come to rest. */
  private static final int SLICE = 500;

  private final Execution execution;
  private final Wiring.Place place;
  private final Source source;
  private final Map<String, Outlet> outlets;
  private final Inbox inbox;
  private final Queue<NodeEvent.TriggerInput> waiting = new ConcurrentLinkedQueue<>();
  private final Set<String> seen = new HashSet<>();
  private final long limit;
  private volatile Outcome outcome = Outcome.OPEN;
  private volatile boolean ended;
  private String accepted;
  private String handedOn;
  private String advanced;
  private Instant last;
  private long fresh;
  private long total;
  private volatile boolean registered;

  TriggerActor(
      Execution execution,
      Wiring.Place place,
      TriggerState past,
      Map<String, Outlet> outlets,
      Inbox inbox) {
    this.execution = execution;
    this.place = place;
    this.outlets = outlets;
    this.inbox = inbox;
    this.source = place.type().source(place.node().properties()).orElseThrow();
    this.limit = limit(place.node().properties());
    this.registered = past.isRegistered();
    this.seen.addAll(past.ids());
    this.ended = past.ids().contains(END);
    this.advanced = past.cursor();
    this.accepted = past.inputs().isEmpty() ? "" : past.inputs().getLast().cursor();
    this.handedOn = "";
    this.last = begin(past);
    restore(past);
  }

  /** Hands on again what there was, but for what came beyond the limit. */
  private void restore(TriggerState past) {
    for (NodeEvent.TriggerInput input : past.inputs()) {
      if (total == limit) {
        return;
      }
      total++;
      if (!input.input().equals(END)) {
        handedOn = input.cursor();
        keep(input);
        fresh += TriggerState.isReached(input.cursor(), past.cursor()) ? 0 : 1;
      }
    }
  }

  private Instant begin(TriggerState past) {
    if (!past.isRegistered()) {
      return execution.turn().now();
    }
    return source instanceof Source.Schedule && !past.inputs().isEmpty() && !ended
        ? Instant.ofEpochMilli(Long.parseLong(accepted))
        : Instant.ofEpochMilli(past.since());
  }

  private static long limit(Json properties) {
    Object limit = Tree.read(properties.member("limit"));
    return limit instanceof Long number ? number : Long.MAX_VALUE;
  }

  private void keep(NodeEvent.TriggerInput input) {
    value().keep(Value.of(input.data()));
    id().keep(Value.of(input.input()));
  }

  private Outlet value() {
    return outlet("value");
  }

  private Outlet id() {
    return outlet("id");
  }

  private Outlet outlet(String name) {
    Outlet outlet = outlets.get(name);
    if (outlet == null) {
      throw PawlException.internal("a trigger lacks its handle '" + name + "'");
    }
    return outlet;
  }

  @Override
  public Wiring.Place place() {
    return place;
  }

  @Override
  public Outcome outcome() {
    return outcome;
  }

  @Override
  public Optional<Failure> failure() {
    return Optional.empty();
  }

  @Override
  public boolean isStarted() {
    return registered;
  }

  @Override
  public int attempt() {
    return 1;
  }

  @Override
  public Duration took() {
    return Duration.ZERO;
  }

  @Override
  public Inbox inbox() {
    return inbox;
  }

  // ---- taking in, when a turn begins ----

  /** Takes a message that is for this trigger; false if it is not. */
  boolean take(Mail mail) {
    return switch (mail) {
      case Mail.Signal signal -> takeSignal(signal);
      case Mail.Topic event -> takeEvent(event);
      case Mail.ChildOutcome other -> false;
      case Mail.Cancel other -> false;
    };
  }

  private boolean takeSignal(Mail.Signal signal) {
    boolean manual = source instanceof Source.Manual;
    String name = source instanceof Source.Signal wanted ? wanted.name() : Signals.name(place.id());
    if (!signal.name().equals(name) || (!manual && !(source instanceof Source.Signal))) {
      return false;
    }
    Json data = manual ? signal.value().member("data") : signal.value();
    boolean end = manual && signal.value().member("end").equals(Json.TRUE);
    String id = end ? END : text(manual ? signal.value().member("id") : Json.NULL, signal);
    String cursor = manual ? cursor(signal.value()) : "";
    boolean old = TriggerState.isReached(cursor, accepted);
    if (outcome != Outcome.OPEN || ended || old || !seen.add(id)) {
      execution.journal().duplicate(place.index(), signal);
    } else {
      accept(new NodeEvent.TriggerInput(place.id(), id, data, next(cursor), true), mailed(signal));
    }
    return true;
  }

  private static Optional<Mail> mailed(Mail mail) {
    return Optional.of(mail);
  }

  private static String text(Json id, Mail.Signal signal) {
    return id.isNull() ? signal.message().toString() : String.valueOf(Tree.read(id));
  }

  private static String cursor(Json value) {
    Json cursor = value.member("cursor");
    return cursor.isNull() ? "" : String.valueOf(Tree.read(cursor));
  }

  /** Inputs without a cursor of their own are numbered. */
  private String next(String cursor) {
    return cursor.isEmpty() ? Long.toString(total + waiting.size() + 1) : cursor;
  }

  private boolean takeEvent(Mail.Topic event) {
    if (!(source instanceof Source.Topic wanted) || !wanted.topic().equals(event.topic())) {
      return false;
    }
    String position = Long.toString(event.id());
    if (outcome == Outcome.OPEN && !ended && seen.add(position)) {
      accept(
          new NodeEvent.TriggerInput(place.id(), position, event.value(), position, false),
          Optional.empty());
    }
    return true;
  }

  private void accept(NodeEvent.TriggerInput input, Optional<Mail> mail) {
    execution.shelf().need(input.data());
    execution.journal().input(input, mail);
    accepted = input.cursor();
    waiting.add(input);
  }

  // ---- handing on ----

  @Override
  public void live() {
    register();
    int inSlice = 0;
    while (!ended && total < limit) {
      takeTimes();
      NodeEvent.TriggerInput input = waiting.poll();
      if (input == null) {
        inSlice = 0;
        execution.park(reason(), () -> !waiting.isEmpty() || isTime());
      } else {
        handOn(input);
        if (++inSlice == SLICE) {
          inSlice = 0;
          execution.park(new Parking.Reason.Rest(place.index()), () -> false);
        }
      }
    }
    complete();
  }

  private void register() {
    if (!registered) {
      registered = true;
      execution.journal().registered(place.id(), place.type().name(), place.node().properties());
    }
  }

  private void handOn(NodeEvent.TriggerInput input) {
    total++;
    if (input.input().equals(END)) {
      ended = true;
      return;
    }
    handedOn = input.cursor();
    fresh++;
    value().append(Value.of(input.data()));
    id().append(Value.of(input.input()));
  }

  /** Records the times that have passed as inputs. */
  private void takeTimes() {
    if (!(source instanceof Source.Schedule schedule)) {
      return;
    }
    Optional<Instant> due = schedule.next().apply(last).filter(execution.turn()::isReached);
    while (due.isPresent()) {
      last = due.get();
      due = schedule.next().apply(last).filter(execution.turn()::isReached);
      if ((due.isEmpty() || schedule.catchUp()) && seen.add(last.toString())) {
        String cursor = Long.toString(last.toEpochMilli());
        Json time = Json.string(last.toString());
        accept(
            new NodeEvent.TriggerInput(place.id(), last.toString(), time, cursor, false),
            Optional.empty());
      }
    }
  }

  private Optional<Instant> nextTime() {
    return source instanceof Source.Schedule schedule
        ? schedule.next().apply(last)
        : Optional.empty();
  }

  private boolean isTime() {
    return nextTime().filter(execution.turn()::isReached).isPresent();
  }

  private Parking.Reason reason() {
    return new Parking.Reason.Input(place.index(), wait(place, source), nextTime());
  }

  private Optional<Wait> wait(Wiring.Place where, Source from) {
    return switch (from) {
      case Source.Manual manual ->
          Optional.of(new Wait.Signal(where.index(), Signals.name(where.id())));
      case Source.Signal signal -> Optional.of(new Wait.Signal(where.index(), signal.name()));
      case Source.Topic topic ->
          Optional.of(new Wait.Topic(where.index(), topic.topic(), position()));
      case Source.Schedule schedule -> Optional.empty();
    };
  }

  private long position() {
    return accepted.isEmpty() ? execution.turn().run().since() : Long.parseLong(accepted);
  }

  boolean hasInputs() {
    return !waiting.isEmpty();
  }

  // ---- the end ----

  private void complete() {
    settle();
    Map<String, Output> outputs = new LinkedHashMap<>();
    Map<String, Long> counts = new LinkedHashMap<>();
    outlets.forEach((handle, outlet) -> {
      outlet.all().ifPresent(all -> outputs.put(handle, all));
      counts.put(handle, outlet.count());
    });
    execution.journal().started(place, 1, false, Json.NULL);
    execution.journal().completed(place, 1, outputs, counts, 0);
    outcome = Outcome.COMPLETED;
    outlets.values().forEach(outlet -> outlet.end(false));
  }

  /** Everything handed on is worked off. */
  @Override
  public void settle() {
    if (fresh > 0 && !handedOn.equals(advanced)) {
      advanced = handedOn;
      execution.journal().advanced(place.id(), handedOn, fresh);
      fresh = 0;
    }
  }

  @Override
  public void stop() {
    inbox.stop();
  }
}
