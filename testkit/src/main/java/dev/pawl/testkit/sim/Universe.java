package dev.pawl.testkit.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Time, and who moves next. Everything that happens in a simulation happens on the one thread that
 * calls {@link #step}: it lets one of the threads that could move go on to its next wait, chosen by
 * the dice. When none can move, time leaps to the next moment somebody waits for.
 *
 * <p>Not thread-safe: of its own threads only one is ever under way.
 */
final class Universe {
  /** What a move costs, so that time passes even for those who never wait. */
  private static final long MOVE_NANOS = 1_000;

  private final Dice dice;
  private final List<Move> ready = new ArrayList<>();
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(
          Comparator.comparingLong((Timer timer) -> timer.at)
              .thenComparingLong(timer -> timer.number));
  private long nanos;
  private long numbers;
  private long moves;
  private long trace;

  /** A thread of a host that can go on. */
  private record Move(Host host, Runnable run) {}

  /** Something that is to happen at a moment, to a host or, without one, to all. */
  static final class Timer {
    private final long at;
    private final long number;
    private final @Nullable Host host;
    private final Runnable action;
    private boolean cancelled;

    private Timer(long at, long number, @Nullable Host host, Runnable action) {
      this.at = at;
      this.number = number;
      this.host = host;
      this.action = action;
    }

    void cancel() {
      cancelled = true;
    }
  }

  Universe(Dice dice) {
    this.dice = dice;
  }

  /** How long it has existed. */
  long nanos() {
    return nanos;
  }

  /** How often a thread was let go on. */
  long moves() {
    return moves;
  }

  /** What has happened so far, as one number. */
  long trace() {
    return trace;
  }

  /** Adds to the trace. */
  void mark(long fact) {
    trace = (trace ^ fact) * 0x9e3779b97f4a7c15L;
    trace ^= trace >>> 29;
  }

  void ready(Host host, Runnable run) {
    ready.add(new Move(host, run));
  }

  /** Has something happen to a host after a time: never if it is dead by then, later if paused. */
  Timer after(long delayNanos, @Nullable Host host, Runnable action) {
    Timer timer = new Timer(nanos + Math.max(0, delayNanos), numbers++, host, action);
    timers.add(timer);
    return timer;
  }

  /** Makes one move; false if nothing can ever happen again. */
  boolean step() {
    if (ready.isEmpty() && !leap()) {
      return false;
    }
    fireDue();
    if (!ready.isEmpty()) {
      move();
    }
    return true;
  }

  private void move() {
    int chosen = dice.below(ready.size());
    Move last = ready.removeLast();
    Move move = chosen == ready.size() ? last : ready.set(chosen, last);
    if (move.host.isDead()) {
      return;
    }
    if (move.host.isPaused()) {
      move.host.hold(move.run);
      return;
    }
    moves++;
    nanos += MOVE_NANOS;
    mark(move.host.number());
    move.run.run();
  }

  private boolean leap() {
    while (!timers.isEmpty() && isVoid(timers.peek())) {
      timers.poll();
    }
    if (timers.isEmpty()) {
      return false;
    }
    nanos = Math.max(nanos, timers.peek().at);
    return true;
  }

  private static boolean isVoid(Timer timer) {
    return timer.cancelled || (timer.host != null && timer.host.isDead());
  }

  private void fireDue() {
    while (!timers.isEmpty() && timers.peek().at <= nanos) {
      Timer timer = timers.poll();
      if (isVoid(timer)) {
        continue;
      }
      if (timer.host != null && timer.host.isPaused()) {
        timer.host.hold(timer.action);
      } else {
        timer.action.run();
      }
    }
  }
}
