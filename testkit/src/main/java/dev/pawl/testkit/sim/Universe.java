package dev.pawl.testkit.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Time, and who moves next. Everything that happens in a simulation happens on the one thread that
 * calls {@link #step}: it lets one of the threads that could move go on to its next wait, chosen by
 * the dice. When none can move, time leaps to the next moment somebody waits for.
 *
 * <p>Of its own threads only one is ever under way. The JVM around it is shared, though, and its
 * locks are: a registry of executors, a queue of references that the collector fills. Who comes
 * upon such a lock while somebody outside has it goes on, in the same move, when he has got it: so
 * what happens here does not depend on what happens there.
 *
 * <p>Not thread-safe, but for {@link #ready}.
 */
final class Universe {
  /** What a move costs, so that time passes even for those who never wait. */
  private static final long MOVE_NANOS = 1_000;

  /** Real time: nobody keeps a lock of the JVM for longer. */
  private static final long LONGEST_HOLD_SECONDS = 60;

  private final Dice dice;
  private final List<Move> ready = new ArrayList<>();
  private final PriorityQueue<Timer> timers = new PriorityQueue<>(Universe::inOrder);
  private final BlockingQueue<Move> fromOutside = new LinkedBlockingQueue<>();
  private final Thread player = OwnScheduler.carrier();
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

  /** A thread can go on. Whoever else than this universe says so has let go of a lock. */
  void ready(Host host, Runnable run) {
    Move move = new Move(host, run);
    if (OwnScheduler.carrier().equals(player)) {
      ready.add(move);
    } else {
      fromOutside.add(move);
    }
  }

  /** Has something happen to a host after a time: never if it is dead by then, later if paused. */
  Timer after(long delayNanos, @Nullable Host host, Runnable action) {
    Timer timer = new Timer(nanos + Math.max(0, delayNanos), numbers++, host, action);
    timers.add(timer);
    return timer;
  }

  /** The sooner first, of one moment the one that was set first. */
  private static int inOrder(Timer one, Timer other) {
    int order = Long.compare(one.at, other.at);
    return order != 0 ? order : Long.compare(one.number, other.number);
  }

  /** Makes one move; false if nothing can ever happen again. */
  boolean step() {
    if (!fromOutside.isEmpty()) {
      throw woken(fromOutside.remove());
    }
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
    while (OwnScheduler.isBlocked(move.run)) {
      awaitLock(move);
      move.run.run();
    }
  }

  /** Waits, in real time, until the one who moves can have the monitor that he asked for. */
  @SuppressWarnings("ReferenceEquality") // A thread hands in the same move each time.
  private void awaitLock(Move move) {
    if (!ready.isEmpty() && ready.getLast().run == move.run) {
      // It was free again before anybody looked.
      ready.removeLast();
      return;
    }
    try {
      Move freed = fromOutside.poll(LONGEST_HOLD_SECONDS, TimeUnit.SECONDS);
      if (freed == null) {
        throw stuck(move);
      }
      if (freed.run != move.run) {
        throw woken(freed);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the simulation was interrupted", e);
    }
  }

  private static IllegalStateException stuck(Move move) {
    return new IllegalStateException(
        "a thread of host "
            + move.host.number()
            + " wants a monitor that is not let go of. If a thread of the simulation waits for"
            + " something while it has the monitor, take a ReentrantLock there. The thread is at"
            + stack(move));
  }

  private static IllegalStateException woken(Move move) {
    return new IllegalStateException(
        "a thread of host "
            + move.host.number()
            + " was woken by somebody outside of the simulation, so that what happens depends on"
            + " more than the seed. It waited at"
            + stack(move));
  }

  private static String stack(Move move) {
    StringBuilder lines = new StringBuilder();
    for (StackTraceElement line : OwnScheduler.threadOf(move.run).getStackTrace()) {
      lines.append("\n    ").append(line);
    }
    return lines.toString();
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
