package dev.pawl.commit;

import dev.pawl.error.PawlException;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.time.Platform;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where commands gather until a lane takes them, in the order in which they came.
 *
 * <p>All lanes take from here, so none is idle while another has more than it can do. Two commands
 * about the same thing, most often a run, are never under way at the same time: the second waits
 * until the first is done. A lane that finds less than half of what another is just committing
 * waits for more, or until that one is done: what every commit costs, however small, is then paid
 * for more commands; while a single command still goes at once where nobody else commits, and if
 * who brings it can, by his own hands: to wake a lane and be woken by it takes longer than much of
 * a commit.
 *
 * <p>Bounded: who brings more than it holds waits. Thread-safe.
 */
final class Intake {
  private static final int LIMIT = 8192;
  private static final int BATCH_LIMIT = 1024;

  /** Batches up to this size are done soon, and worth waiting for; so is a bulk of starts. */
  private static final int SMALL_BATCH = 512;

  /** Fewer commands than these are left to a lane that is about to come. */
  private static final int LITTLE = 8;

  /** Whatever others are up to, nobody waits for them any longer. */
  private static final long LONGEST_WAIT_MILLIS = 5;

  /**
   * A command and who waits for it.
   *
   * @param virtual whether a virtual thread does
   */
  record Item(Command command, CompletableFuture<Outcome> outcome, boolean virtual) {
    void fail(Throwable problem) {
      outcome.completeExceptionally(problem);
    }

    void settle(Outcome came) {
      if (came instanceof Outcome.Broken broken) {
        fail(broken.problem());
      } else {
        outcome.complete(came);
      }
    }
  }

  /** Where a lane waits. */
  static final class Seat {
    private final int lane;
    private final Condition change;
    private boolean lent;

    private Seat(int lane, Condition change) {
      this.lane = lane;
      this.change = change;
    }

    /** Whose it is. */
    int lane() {
      return lane;
    }
  }

  private final int lanes;
  private final Platform platform;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final ArrayDeque<Item> waiting = new ArrayDeque<>();

  /** What the commands are about that lanes have taken and not done with. */
  private final Set<Object> underWay = new HashSet<>();

  /** How many of them there are, as far as it is worth waiting for. */
  private int committing;

  /** Lanes with nothing to do. The last to come is called first: what it works with is warm. */
  private final ArrayDeque<Seat> idle = new ArrayDeque<>();

  /** The lane that waits until there is enough of what is there. */
  private @Nullable Seat watching;

  /** The lane that was called and has not come yet: until then no other need be. */
  private @Nullable Seat called;

  /** How many lanes are about to come, and need not be called. */
  private int coming;

  private boolean closed;

  /**
   * @param lanes how many take from here
   */
  Intake(int lanes, Platform platform) {
    this.lanes = lanes;
    this.coming = lanes;
    this.platform = platform;
  }

  /** A place for one lane. */
  Seat seat(int lane) {
    return new Seat(lane, lock.newCondition());
  }

  /**
   * Lends the place of a lane to somebody who commits a command in its stead, if all lanes rest.
   * Until it is given back that lane goes on resting.
   */
  Optional<Seat> lend(Command command) {
    lock.lock();
    try {
      if (closed || idle.size() < lanes || !waiting.isEmpty()) {
        return Optional.empty();
      }
      Seat seat = idle.pop();
      seat.lent = true;
      underWay.add(subject(command));
      committing++;
      return Optional.of(seat);
    } finally {
      lock.unlock();
    }
  }

  /** The command is committed for which the place was lent, or has failed. */
  void giveBack(Seat seat, Command command) {
    lock.lock();
    try {
      underWay.remove(subject(command));
      committing--;
      seat.lent = false;
      if (closed) {
        seat.change.signal();
      } else {
        idle.push(seat);
        call();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Hands a command in; waits only while there is no room. */
  CompletableFuture<Outcome> put(Command command) {
    Item item = new Item(command, new CompletableFuture<>(), Thread.currentThread().isVirtual());
    lock.lock();
    try {
      while (!closed && waiting.size() >= LIMIT) {
        room.awaitUninterruptibly();
      }
      if (closed) {
        item.fail(PawlException.closed("the engine"));
      } else {
        waiting.add(item);
        // If something about the same is under way, then its lane looks when it is done.
        if (!underWay.contains(subject(command))) {
          call();
        }
      }
    } finally {
      lock.unlock();
    }
    return item.outcome();
  }

  /** Sees to it that a lane takes what is there, or watches until it is enough. */
  private void call() {
    boolean taken = called != null || (coming > 0 && waiting.size() < LITTLE);
    if (!taken && !waiting.isEmpty()) {
      if (watching == null) {
        called = idle.poll();
      } else if (isEnough()) {
        called = watching;
      }
      if (called != null) {
        called.change.signal();
      }
    }
  }

  /** A lane is done with a batch, and comes for the next, when it has told those who wait. */
  void done(List<Item> batch) {
    lock.lock();
    try {
      batch.forEach(item -> underWay.remove(subject(item.command())));
      committing -= awaitable(batch);
      coming++;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until there is enough to be worth a commit, and takes all of it. None is left, and none
   * will come, if it is empty.
   */
  List<Item> take(Seat seat) {
    lock.lock();
    try {
      coming--;
      boolean patient = true;
      while (true) {
        if (isEnough() || !patient || closed) {
          List<Item> batch = takeFree();
          if (!batch.isEmpty() || (closed && waiting.isEmpty())) {
            return batch;
          }
        }
        if (waiting.isEmpty() || watching != null) {
          rest(seat);
          patient = true;
        } else {
          patient = watch(seat);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits to be called, which may take for ever. */
  private void rest(Seat seat) {
    idle.push(seat);
    while (seat.lent || idle.contains(seat)) {
      seat.change.awaitUninterruptibly();
    }
    arrive(seat);
  }

  /** Waits for more; false if nothing changed for so long that it is time to commit anyway. */
  private boolean watch(Seat seat) {
    watching = seat;
    try {
      return platform.await(seat.change, LONGEST_WAIT_MILLIS);
    } catch (InterruptedException e) {
      // Nobody has a reason to interrupt a committer; it looks again.
      return true;
    } finally {
      watching = null;
      arrive(seat);
    }
  }

  private void arrive(Seat seat) {
    called = seat.equals(called) ? null : called;
  }

  private boolean isEnough() {
    return !waiting.isEmpty() && (2 * waiting.size() >= committing || isClaim(waiting.getFirst()));
  }

  /** What waits and is not about something that is under way. */
  private List<Item> takeFree() {
    List<Item> batch = new ArrayList<>(Math.min(waiting.size(), BATCH_LIMIT));
    List<Object> taken = new ArrayList<>(batch.size());
    for (Iterator<Item> items = waiting.iterator();
        batch.size() < BATCH_LIMIT && items.hasNext(); ) {
      Item item = items.next();
      Object subject = subject(item.command());
      boolean free = underWay.isEmpty() || !underWay.contains(subject);
      if (free && (batch.isEmpty() || fits(item, batch))) {
        batch.add(item);
        taken.add(subject);
        items.remove();
      }
    }
    underWay.addAll(taken);
    committing += awaitable(batch);
    call();
    room.signalAll();
    return batch;
  }

  /**
   * Whether an item may go with those before it. A claim may be for hundreds of runs: where another
   * lane can carry it out meanwhile, it does not keep others waiting.
   */
  private boolean fits(Item item, List<Item> batch) {
    return lanes == 1 || !(isClaim(item) || isClaim(batch.getFirst()));
  }

  private static boolean isClaim(Item item) {
    return item.command() instanceof Command.Claim;
  }

  /** Lets lanes take what is there, and nobody bring any more. */
  void close() {
    lock.lock();
    try {
      closed = true;
      idle.forEach(seat -> seat.change.signal());
      idle.clear();
      if (watching != null) {
        watching.change.signal();
      }
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** What others may wait for: not for many commands, nor for somebody's code. */
  private static int awaitable(List<Item> batch) {
    if (batch.size() > SMALL_BATCH) {
      return 0;
    }
    for (Item item : batch) {
      if (item.command() instanceof Command.Transact) {
        return 0;
      }
    }
    return batch.size();
  }

  /** What a command is about: of two that are about the same, the second waits for the first. */
  private static Object subject(Command command) {
    return switch (command) {
      case Command.Start start -> start.run().id();
      case Command.Advance advance -> advance.run();
      case Command.Transact transact -> transact.run();
      case Command.Send send -> send.run();
      case Command.Cancel cancel -> cancel.run();
      case Command.Rewind rewind -> rewind.run();
      case Command.Delete delete -> delete.run();
      case Command.Emit emit -> emit.topic();
      case Command.Claim claim -> Command.Claim.class;
      case Command.Extend extend -> Command.Extend.class;
      case Command.Deploy deploy -> Command.Deploy.class;
      case Command.Configure configure -> Command.Configure.class;
      case Command.Purge purge -> Command.Purge.class;
    };
  }
}
