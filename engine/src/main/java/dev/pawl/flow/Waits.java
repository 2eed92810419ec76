package dev.pawl.flow;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a flow waits for, and until when. Guarded by the execution's lock. */
final class Waits {
  private final Bodies bodies;
  private final Interruptions interruptions;
  private final List<Op.Timer> timers = new ArrayList<>();

  Waits(Bodies bodies, Interruptions interruptions) {
    this.bodies = bodies;
    this.interruptions = interruptions;
  }

  /** Takes note of a timer, which runs from now on, whether the code awaits it yet or not. */
  void add(Op.Timer timer) {
    timers.add(timer);
  }

  /**
   * The earliest moment at which one of the open operations, or a step that is to be tried again,
   * wants attention.
   */
  Optional<Instant> nextTime(Awaitable<?> awaited) {
    List<Instant> times = new ArrayList<>();
    awaited.open(op -> {
      if (op instanceof Op.Timer timer) {
        times.add(timer.at);
      }
    });
    bodies.retrying().forEach(step -> step.retryAt.ifPresent(times::add));
    interruptions.deadline().ifPresent(times::add);
    return times.stream().min(Instant::compareTo);
  }

  /**
   * The end of a turn that waits, on the record at {@code position}. All timers are named in it, so
   * that they keep their time.
   */
  Event.Suspended suspension(Awaitable<?> awaited, Optional<Duration> longest, long position) {
    List<Wait> waits = new ArrayList<>();
    awaited.open(op -> op.waiting().ifPresent(waits::add));
    bodies.retrying().stream()
        .flatMap(step -> step.waiting().stream())
        .filter(wait -> !waits.contains(wait))
        .forEach(waits::add);
    timers.removeIf(timer -> timer.result() != null);
    timers.stream()
        .filter(timer -> waits.stream().noneMatch(wait -> wait.op() == timer.number))
        .forEach(timer -> waits.add(new Wait.Timer(timer.number, timer.at, "not awaited yet")));
    Optional<Instant> limit = interruptions.limitSuspension(longest, position);
    limit.ifPresent(
        at -> waits.add(new Wait.Timer(Memory.SUSPENSION_LIMIT, at, "limit of the suspension")));
    Optional<Instant> next = nextTime(awaited);
    Optional<Instant> until =
        limit.filter(at -> next.isEmpty() || at.isBefore(next.get())).or(() -> next);
    return new Event.Suspended(until, List.copyOf(waits), awaited.need(), true, Json.NULL);
  }
}
