package dev.pawl.commit;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import dev.pawl.time.Platform;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits one batch after the other, and gathers commands for the next while one is under way.
 * Thread-safe.
 */
final class Lane implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
  private static final int QUEUE_LIMIT = 8192;
  private static final int BATCH_LIMIT = 1024;
  private static final int READ_BACK_TRIES = 5;

  /** From this size on, those who wait for a batch are woken while the next one is committed. */
  private static final int LARGE_BATCH = 8;

  private static final int SETTLING_LIMIT = 4;

  /** Batches up to this size are done soon, and worth waiting for. */
  private static final int SMALL_BATCH = 64;

  private static final long LONGEST_WAIT_MILLIS = 5;

  private final Store store;
  private final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(QUEUE_LIMIT);
  private final LongAdder commands = new LongAdder();
  private final LongAdder commits = new LongAdder();
  private final BlockingQueue<Settling> settling = new ArrayBlockingQueue<>(SETTLING_LIMIT);
  private final Thread committer;
  private final Thread settler;
  private volatile boolean closed;
  private volatile List<Lane> others = List.of();

  /** How many commands are being committed, as far as others should care. */
  private volatile int underWay;

  /** Whether the committer has something, and waits for more or for the others. */
  private volatile boolean waiting;

  /** A committed batch whose waiters are to be told; an empty one is the last. */
  private record Settling(List<Item> batch, List<Outcome> outcomes) {
    void tell() {
      for (int i = 0; i < outcomes.size(); i++) {
        settle(batch.get(i), outcomes.get(i));
      }
    }
  }

  /** A command and who waits for it; without a command it only makes the committer look up. */
  private record Item(Optional<Command> order, CompletableFuture<Outcome> outcome) {
    Command command() {
      return order.orElseThrow();
    }
  }

  Lane(Store store, int number, Platform platform) {
    this.store = store;
    this.committer = platform.startThread("pawl-commit-" + number, this::commitAll);
    this.settler = platform.startThread("pawl-settle-" + number, this::settleAll);
  }

  /**
   * Makes lanes take turns: one that has gathered less than half of what another is just committing
   * waits for more, or until the other is done. What every commit costs, however small, is then
   * paid for more commands; while a single command still goes at once where nobody else commits.
   */
  static void takeTurns(List<Lane> lanes) {
    lanes.forEach(
        lane -> lane.others = lanes.stream().filter(other -> !other.equals(lane)).toList());
  }

  /** Hands a command in; waits only while the queue is full. */
  CompletableFuture<Outcome> submit(Command command) {
    Item item = new Item(Optional.of(command), new CompletableFuture<>());
    boolean interrupted = false;
    while (true) {
      if (closed) {
        item.outcome().completeExceptionally(PawlException.closed("the engine"));
        break;
      }
      try {
        queue.put(item);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (closed) {
      failLeftovers();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return item.outcome();
  }

  long commands() {
    return commands.sum();
  }

  long commits() {
    return commits.sum();
  }

  /** Commits what was handed in before, then refuses everything. */
  @Override
  public void close() {
    closed = true;
    // Not an interrupt: that could hit a commit under way. A full queue is sign enough.
    lookUp();
    boolean early = join(committer);
    boolean late = join(settler);
    failLeftovers();
    if (early || late) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits for a thread to end, whatever happens; returns whether there was an interrupt meanwhile.
   */
  private static boolean join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }

  private void commitAll() {
    List<Item> batch = new ArrayList<>();
    while (gather(batch)) {
      underWay = awaitable(batch);
      commitBatch(batch);
      underWay = 0;
      batch.clear();
      others.stream().filter(lane -> lane.waiting).forEach(Lane::lookUp);
    }
    put(new Settling(List.of(), List.of()));
  }

  private void settleAll() {
    while (true) {
      try {
        Settling next = settling.take();
        if (next.batch().isEmpty()) {
          return;
        }
        next.tell();
      } catch (InterruptedException e) {
        // Nobody has a reason to interrupt this thread; the loop looks again.
      }
    }
  }

  private void put(Settling next) {
    while (true) {
      try {
        settling.put(next);
        return;
      } catch (InterruptedException e) {
        // As above.
      }
    }
  }

  /** Makes the committer look up. */
  private void lookUp() {
    boolean unused = queue.offer(new Item(Optional.empty(), new CompletableFuture<>()));
  }

  private boolean gather(List<Item> batch) {
    while (true) {
      queue.drainTo(batch, BATCH_LIMIT - batch.size());
      batch.removeIf(item -> item.order().isEmpty());
      if (!batch.isEmpty()) {
        if (!others.isEmpty()) {
          awaitCompany(batch);
        }
        return true;
      }
      if (closed && queue.isEmpty()) {
        return false;
      }
      try {
        batch.add(queue.take());
      } catch (InterruptedException e) {
        // Nobody has a reason to interrupt this thread; the loop looks again.
      }
    }
  }

  /**
   * Lets a batch grow as long as that is worth while; not for long, whatever others are up to. Only
   * a store with several lanes ever gets here, which no simulated one has.
   */
  private void awaitCompany(List<Item> batch) {
    waiting = true;
    boolean more = true;
    while (more && !closed && isTooFew(batch.size())) {
      try {
        @Nullable Item next = queue.poll(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        more = next != null && batch.add(next);
        queue.drainTo(batch, BATCH_LIMIT - batch.size());
        batch.removeIf(item -> item.order().isEmpty());
      } catch (InterruptedException e) {
        // As above.
      }
    }
    waiting = false;
  }

  private boolean isTooFew(int gathered) {
    for (Lane other : others) {
      if (2 * gathered < other.underWay) {
        return true;
      }
    }
    return false;
  }

  /** What others may wait for: not for many commands, nor for somebody's code. */
  private static int awaitable(List<Item> batch) {
    boolean lengthy =
        batch.size() > SMALL_BATCH
            || batch.stream().anyMatch(item -> item.command() instanceof Command.Transact);
    return lengthy ? 0 : batch.size();
  }

  private void commitBatch(List<Item> batch) {
    try {
      List<Outcome> outcomes = store.commit(batch.stream().map(Item::command).toList());
      commits.increment();
      commands.add(batch.size());
      if (batch.size() < LARGE_BATCH) {
        new Settling(batch, outcomes).tell();
      } else {
        put(new Settling(List.copyOf(batch), outcomes));
      }
    } catch (PawlException e) {
      if (e.code() == ErrorCode.UNKNOWN_OUTCOME) {
        LOG.warn(
            "a commit of {} commands ended unknown ({}); reading back",
            batch.size(),
            e.getMessage());
        batch.forEach(this::resolve);
      } else {
        recover(batch, e);
      }
    } catch (RuntimeException e) {
      recover(batch, new PawlException(ErrorCode.INTERNAL, "the store failed: " + e, e));
    } catch (Error e) {
      batch.forEach(item -> item.outcome().completeExceptionally(e));
    }
  }

  /** Nothing of the batch was written: one bad command must not take its neighbours along. */
  private void recover(List<Item> batch, PawlException problem) {
    if (batch.size() == 1) {
      batch.get(0).outcome().completeExceptionally(problem);
    } else {
      LOG.debug("a batch of {} failed ({}); trying one by one", batch.size(), problem.getMessage());
      batch.forEach(item -> commitBatch(List.of(item)));
    }
  }

  private void resolve(Item item) {
    for (int tries = 1; ; tries++) {
      try {
        Optional<Outcome> found = ReadBack.outcome(store, item.command());
        settle(item, found.isPresent() ? found.get() : repeat(item.command()));
        return;
      } catch (NotWritten e) {
        item.outcome().completeExceptionally(e.problem);
        return;
      } catch (RuntimeException | Error e) {
        if (tries == READ_BACK_TRIES) {
          item.outcome().completeExceptionally(unknown(item.command(), e));
          return;
        }
      }
    }
  }

  /**
   * The read-back showed that the command left no trace, so it is safe to hand it in once more.
   *
   * @throws NotWritten if it is sure that it failed; anything else is another unknown end
   */
  private Outcome repeat(Command command) {
    try {
      return store.commit(List.of(command)).get(0);
    } catch (PawlException e) {
      throw e.code() == ErrorCode.UNKNOWN_OUTCOME ? e : new NotWritten(e);
    }
  }

  /** Says that a command was refused, as opposed to lost from sight. */
  private static final class NotWritten extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient PawlException problem;

    NotWritten(PawlException problem) {
      super(problem);
      this.problem = problem;
    }
  }

  private static void settle(Item item, Outcome outcome) {
    if (outcome instanceof Outcome.Broken broken) {
      item.outcome().completeExceptionally(broken.problem());
    } else {
      item.outcome().complete(outcome);
    }
  }

  private void failLeftovers() {
    if (!committer.isAlive()) {
      for (Item item = queue.poll(); item != null; item = queue.poll()) {
        item.outcome().completeExceptionally(PawlException.closed("the engine"));
      }
    }
  }

  private static PawlException unknown(Command command, Throwable e) {
    return new PawlException(
        ErrorCode.UNKNOWN_OUTCOME,
        "whether the "
            + command.getClass().getSimpleName()
            + " was written could not be found out ("
            + e.getMessage()
            + "); repeat it with the same id or key",
        e);
  }
}
