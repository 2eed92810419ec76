package dev.pawl.graph.run;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.graph.check.Wiring;
import dev.pawl.graph.definition.Tree;
import dev.pawl.graph.fold.Projection;
import dev.pawl.graph.node.NodeType;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Mail;
import dev.pawl.work.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A graph being executed. The worker's thread brings a turn, waits until the graph stands still,
 * and decides what that means; the actors do the rest on threads of their own. While the run is
 * suspended they stay where they are.
 *
 * <p>The threads have an executor to themselves, so that nothing but this object refers to them: an
 * execution that is dropped is collected with all its threads.
 */
final class Execution {
  /** What falls due within this time is waited for in place. */
  private static final Duration SHORT_WAIT = Duration.ofSeconds(1);

  /** How much longer a child is waited for that should have ended by itself. */
  private static final Duration CHILD_GRACE = Duration.ofSeconds(1);

  private static final Duration LONGEST_LOOK = Duration.ofMinutes(1);
  private static final ThreadFactory THREADS = Thread.ofVirtual().name("pawl-node").factory();

  private final Wiring wiring;
  private final Projection past;
  private final Journal journal;
  private final RunShelf shelf = new RunShelf(this::turn);
  private final Activity activity = new Activity();
  private final Parking parking = new Parking(activity);
  private final Stage stage;
  private final Map<RunId, Event.ChildResult> results = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
  private final ExecutorService executor = Executors.newThreadPerTaskExecutor(THREADS);
  private long suspendedSeq;

  Execution(Wiring wiring, Projection past, Turn turn) {
    this.wiring = wiring;
    this.past = past;
    this.journal = new Journal(turn, past);
    this.stage = new Stage(this, wiring, past, activity);
  }

  Turn turn() {
    return journal.turn();
  }

  Journal journal() {
    return journal;
  }

  RunShelf shelf() {
    return shelf;
  }

  Projection past() {
    return past;
  }

  /** How far every node has come, in the order of the graph. */
  List<NodeProgress> progress() {
    return wiring.places().stream().map(stage::progress).toList();
  }

  // ---- a turn ----

  /** The first turn here: everything is set up, and goes on from what the log says. */
  Event.TurnEnd start() {
    shelf.need(turn().run().payload());
    takeIn(turn());
    stage.members().forEach(member -> activity.resume());
    stage.members().forEach(member -> executor.execute(() -> run(member)));
    return carryOut(turn());
  }

  /** Another turn: everything goes on where it stands. */
  Event.TurnEnd resume(Turn next) {
    journal.turn(next);
    parking.release(() -> takeIn(next), this::isMet);
    return carryOut(next);
  }

  private void run(Member member) {
    try {
      member.live();
    } catch (Stopped e) {
      // Somebody has ended the turn, and knows why.
    } catch (StoreTrouble e) {
      broken.compareAndSet(null, e.problem());
      activity.call();
    } catch (Throwable e) {
      broken.compareAndSet(null, e);
      activity.call();
    } finally {
      activity.rest();
    }
  }

  private Event.TurnEnd carryOut(Turn held) {
    held.onChange(activity::call);
    while (true) {
      activity.awaitStill(held.platform(), untilDeadline(held).orElse(LONGEST_LOOK));
      checkBroken(held);
      if (held.cancelReason().isPresent()) {
        return stopped(new Event.Cancelled(held.cancelReason().get()));
      }
      if (untilDeadline(held).filter(left -> !left.isPositive()).isPresent()) {
        return stopped(new Event.Failed(tooLate(held)));
      }
      if (activity.isStill() && !goOn()) {
        Optional<Event.TurnEnd> end = end();
        if (end.isPresent()) {
          return stopped(end.get());
        }
        if (!waitInPlace(held)) {
          return suspend(held);
        }
      }
    }
  }

  private void checkBroken(Turn held) {
    Throwable problem = broken.get();
    if (problem != null || held.isLost()) {
      stop();
    }
    if (held.isLost()) {
      throw held.leaseLost();
    }
    switch (problem) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(problem);
    }
  }

  /** Whether something can go on after all: a sender got room, a time has come, all is at rest. */
  private boolean goOn() {
    boolean room = false;
    for (Member member : stage.members()) {
      room |= member.inbox().makeRoom();
    }
    if (room || parking.release(() -> {}, this::isMet)) {
      return true;
    }
    boolean resting =
        parking.reasons().stream().anyMatch(reason -> reason instanceof Parking.Reason.Rest);
    if (resting) {
      settle();
      journal.flush();
      parking.release(() -> {}, reason -> reason instanceof Parking.Reason.Rest);
    }
    return resting;
  }

  private boolean isMet(Parking.Reason reason) {
    return switch (reason) {
      case Parking.Reason.Time time -> turn().isReached(time.at()) || isPassed(time.limit());
      case Parking.Reason.Child child ->
          results.containsKey(child.child()) || isPassed(child.limit());
      case Parking.Reason.Input input ->
          stage.hasInputs(input.node()) || input.at().filter(turn()::isReached).isPresent();
      case Parking.Reason.Rest rest -> false;
    };
  }

  private boolean isPassed(Optional<Limit> limit) {
    return limit.map(Limit::at).filter(turn()::isReached).isPresent();
  }

  // ---- what came in ----

  private void takeIn(Turn held) {
    for (Mail mail : held.activation().mail()) {
      switch (mail) {
        case Mail.ChildOutcome outcome -> takeChild(outcome);
        case Mail.Topic event -> takeEvent(event);
        case Mail.Signal signal -> takeSignal(signal);
        case Mail.Cancel cancel -> {}
      }
    }
  }

  /** An event is for every trigger of its topic. */
  private void takeEvent(Mail.Topic event) {
    for (TriggerActor trigger : stage.triggers()) {
      boolean unused = trigger.take(event);
    }
  }

  /** A signal is for one trigger. */
  private void takeSignal(Mail.Signal signal) {
    boolean unused = stage.triggers().stream().anyMatch(trigger -> trigger.take(signal));
  }

  private void takeChild(Mail.ChildOutcome outcome) {
    if (journal.knows(outcome.child())
        && results.putIfAbsent(outcome.child(), outcome.result()) == null) {
      if (outcome.result() instanceof Event.ChildResult.Succeeded done) {
        shelf.need(done.value());
      }
      journal.childFinished(outcome.child(), outcome.result(), Optional.of(outcome));
    }
  }

  // ---- what actors wait for ----

  void park(Parking.Reason reason, BooleanSupplier met) {
    parking.park(reason, met);
  }

  void sleep(Parking.Reason.Time time) {
    while (!turn().isReached(time.at())) {
      parking.park(time, () -> isMet(time));
      checkLimit(time.limit());
    }
  }

  private void checkLimit(Optional<Limit> limit) {
    if (isPassed(limit)) {
      throw limit.orElseThrow().passed();
    }
  }

  Event.ChildResult awaitChild(int node, RunId child, Optional<Limit> limit) {
    past.result(child).ifPresent(result -> results.putIfAbsent(child, result));
    recover(child);
    Parking.Reason.Child reason = new Parking.Reason.Child(node, child, limit);
    parking.park(reason, () -> isMet(reason));
    Event.ChildResult result = results.get(child);
    if (result == null) {
      checkLimit(limit);
      throw new Stopped();
    }
    return result;
  }

  /** When a child that has this limit is no longer waited for. */
  Instant givenUpAt(RunId child, Duration limit) {
    return givenUpAt(child).orElseGet(() -> turn().now().plus(limit).plus(CHILD_GRACE));
  }

  /** The same of a child that is in the store already, and has a limit. */
  private Optional<Instant> givenUpAt(RunId child) {
    return deadline(child).map(at -> at.plus(CHILD_GRACE));
  }

  /** Whether the child's own limit has passed. */
  boolean isOverdue(RunId child) {
    return deadline(child).filter(turn()::isReached).isPresent();
  }

  private Optional<Instant> deadline(RunId child) {
    return turn().archive().run(child).flatMap(Run::deadline);
  }

  /**
   * Whether the child that was started with this message is known not to have gone well, or was
   * given up.
   */
  boolean hasFailed(String message) {
    Optional<RunId> child = journal.childOf(message);
    child.ifPresent(known -> {
      past.result(known).ifPresent(result -> results.putIfAbsent(known, result));
      recover(known);
    });
    Optional<Event.ChildResult> result = child.map(results::get);
    return result.isPresent()
        ? !(result.get() instanceof Event.ChildResult.Succeeded)
        : child.flatMap(this::givenUpAt).filter(turn()::isReached).isPresent();
  }

  /** Finds out how a child ended whose outcome came while the run was over. */
  private void recover(RunId child) {
    if (past.reopenedAt().isPresent() && !results.containsKey(child)) {
      endOf(child, past.reopenedAt().get())
          .map(Event.ChildResult::of)
          .filter(result -> results.putIfAbsent(child, result) == null)
          .ifPresent(result -> journal.childFinished(child, result, Optional.empty()));
    }
  }

  private Optional<Event.Terminal> endOf(RunId child, Instant latest) {
    try {
      return turn().archive().endOf(child, latest);
    } catch (PawlException e) {
      throw new StoreTrouble(e);
    }
  }

  /** Ends all outlets of a node but that of its failure. */
  void endAll(Wiring.Place place, boolean failed) {
    stage.outlets(place.index()).values().forEach(outlet -> outlet.end(failed));
  }

  // ---- how a turn ends ----

  /** The end of the run, if nothing is left that could change it. */
  private Optional<Event.TurnEnd> end() {
    Optional<Failure> failure = stage.failure();
    boolean over = stage.members().stream().allMatch(m -> m.outcome() != Member.Outcome.OPEN);
    if (over && failure.isEmpty()) {
      return Optional.of(new Event.Succeeded(result()));
    }
    boolean hopeless =
        parking.reasons().stream().allMatch(reason -> reason instanceof Parking.Reason.Input);
    return failure.filter(its -> over || hopeless).map(Event.Failed::new);
  }

  private Json result() {
    Map<String, @Nullable Object> outputs = new LinkedHashMap<>();
    for (Wiring.Place place : wiring.places()) {
      if (place.type().role() == NodeType.Role.OUTPUT) {
        outputs.put(Wiring.name(place.node()), stage.value(place));
      }
    }
    return Tree.write(outputs);
  }

  private Event.TurnEnd stopped(Event.TurnEnd end) {
    stop();
    return end;
  }

  private void stop() {
    stage.members().forEach(Member::stop);
    parking.stop();
    executor.shutdown();
  }

  private static Optional<Duration> untilDeadline(Turn held) {
    return held.run().deadline().map(held::until);
  }

  private static Failure tooLate(Turn held) {
    return Failure.of(
            ErrorCode.TIMEOUT.name(),
            "run " + held.run().id() + " of " + held.run().type() + " took longer than it may")
        .from(new Failure.Source("run", held.run().id().toString(), held.run().type()));
  }

  private Optional<Instant> nextTime() {
    return parking.reasons().stream()
        .flatMap(reason ->
            switch (reason) {
              case Parking.Reason.Time time ->
                  Stream.concat(Stream.of(time.at()), time.limit().map(Limit::at).stream());
              case Parking.Reason.Input input -> input.at().stream();
              case Parking.Reason.Child child -> child.limit().map(Limit::at).stream();
              case Parking.Reason.Rest rest -> Stream.<Instant>empty();
            })
        .min(Instant::compareTo);
  }

  private boolean waitInPlace(Turn held) {
    Optional<Duration> left = nextTime().map(held::until);
    boolean brief = left.filter(time -> time.compareTo(SHORT_WAIT) <= 0).isPresent();
    if (brief) {
      activity.awaitCall(held.platform(), left.get().plusMillis(1));
    }
    return brief;
  }

  private void settle() {
    stage.members().forEach(Member::settle);
  }

  private Event.TurnEnd suspend(Turn held) {
    if (parking.reasons().isEmpty()) {
      stop();
      throw PawlException.internal("the graph stands still, and waits for nothing: " + stage);
    }
    settle();
    List<Wait> waits = new ArrayList<>();
    for (Parking.Reason reason : parking.reasons()) {
      switch (reason) {
        case Parking.Reason.Time time -> {
          waits.add(new Wait.Timer(time.node(), time.at(), time.name()));
          time.limit().ifPresent(limit -> waits.add(timer(time.node(), limit)));
        }
        case Parking.Reason.Child child -> {
          waits.add(new Wait.Child(child.node(), child.child()));
          child.limit().ifPresent(limit -> waits.add(timer(child.node(), limit)));
        }
        case Parking.Reason.Input input -> {
          input.message().ifPresent(waits::add);
          input
              .at()
              .ifPresent(at ->
                  waits.add(
                      new Wait.Timer(
                          input.node(), at, "trigger '" + wiring.place(input.node()).id() + "'")));
        }
        case Parking.Reason.Rest rest -> {}
      }
    }
    boolean messages = waits.stream().anyMatch(wait -> !(wait instanceof Wait.Timer));
    suspendedSeq = held.nextSeq();
    return new Event.Suspended(
        earliest(nextTime(), held.run().deadline()),
        List.copyOf(waits),
        messages ? 1 : 0,
        false,
        Json.NULL);
  }

  private static Wait timer(int node, Limit limit) {
    return new Wait.Timer(node, limit.at(), limit.name());
  }

  private static Optional<Instant> earliest(Optional<Instant> one, Optional<Instant> other) {
    return one.filter(at -> other.isEmpty() || at.isBefore(other.get())).or(() -> other);
  }

  /**
   * Whether the run, claimed anew, stands where this left it: nothing but our own suspension and
   * the claim in between.
   */
  boolean continuesAt(Activation activation) {
    return activation.seq() == suspendedSeq + 1
        && activation.run().epoch() == turn().run().epoch() + 1;
  }
}
