package dev.pawl.commit;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers commands while a commit is under way and commits them together with the next.
 *
 * <p>There is no timer and no artificial delay: alone, a command commits at once; under load,
 * hundreds share one fsync. The queue is bounded: who hands in more than the store can take waits.
 * A command's failure never fails its neighbours. A commit whose outcome is unknown is read back,
 * never blindly repeated.
 *
 * <p>Thread-safe; made for many virtual threads.
 */
public final class GroupCommit implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);
  private static final int QUEUE_LIMIT = 8192;
  private static final int BATCH_LIMIT = 1024;
  private static final int READ_BACK_TRIES = 5;

  private final Store store;
  private final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(QUEUE_LIMIT);
  private final LongAdder commands = new LongAdder();
  private final LongAdder commits = new LongAdder();
  private final Thread committer;
  private volatile boolean closed;

  private record Item(Command command, CompletableFuture<Outcome> outcome) {}

  /** How many commands were committed, in how many commits. */
  public record Totals(long commands, long commits) {}

  public GroupCommit(Store store) {
    this.store = store;
    this.committer = Thread.ofPlatform().name("pawl-commit").daemon().start(this::commitAll);
  }

  /**
   * Commits a command and returns what came of it, once it is durable.
   *
   * @throws PawlException if the store refused it; with {@code UNKNOWN_OUTCOME} if even reading
   *     back did not tell
   */
  public Outcome commit(Command command) {
    try {
      return submit(command).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof PawlException problem ? again(problem) : e;
    }
  }

  /** Hands a command in; waits only while the queue is full. */
  public CompletableFuture<Outcome> submit(Command command) {
    Item item = new Item(command, new CompletableFuture<>());
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

  public Totals totals() {
    return new Totals(commands.sum(), commits.sum());
  }

  /** Commits what was handed in before, then refuses everything. */
  @Override
  public void close() {
    closed = true;
    committer.interrupt();
    boolean interrupted = false;
    while (committer.isAlive()) {
      try {
        committer.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    failLeftovers();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void commitAll() {
    List<Item> batch = new ArrayList<>();
    while (gather(batch)) {
      commitBatch(batch);
      batch.clear();
    }
  }

  private boolean gather(List<Item> batch) {
    while (true) {
      if (queue.drainTo(batch, BATCH_LIMIT) > 0) {
        return true;
      }
      if (closed) {
        return false;
      }
      try {
        batch.add(queue.take());
        queue.drainTo(batch, BATCH_LIMIT - 1);
        return true;
      } catch (InterruptedException e) {
        // Only close() interrupts: the loop looks at what is left and at the flag.
      }
    }
  }

  private void commitBatch(List<Item> batch) {
    try {
      List<Outcome> outcomes = store.commit(batch.stream().map(Item::command).toList());
      commits.increment();
      commands.add(batch.size());
      for (int i = 0; i < outcomes.size(); i++) {
        settle(batch.get(i), outcomes.get(i));
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
        var found = ReadBack.outcome(store, item.command());
        if (found.isPresent()) {
          settle(item, found.get());
        } else {
          retry(item);
        }
        return;
      } catch (RuntimeException e) {
        if (tries == READ_BACK_TRIES) {
          item.outcome().completeExceptionally(unknown(item.command(), e));
          return;
        }
      }
    }
  }

  /** The read-back showed that the command left no trace, so it is safe to hand it in once more. */
  private void retry(Item item) {
    try {
      settle(item, store.commit(List.of(item.command())).get(0));
    } catch (RuntimeException e) {
      item.outcome()
          .completeExceptionally(
              e instanceof PawlException problem ? problem : unknown(item.command(), e));
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

  private static PawlException unknown(Command command, RuntimeException e) {
    return new PawlException(
        ErrorCode.UNKNOWN_OUTCOME,
        "whether the "
            + command.getClass().getSimpleName()
            + " was written could not be found out ("
            + e.getMessage()
            + "); repeat it with the same id or key",
        e);
  }

  /** The same problem with the caller's stack, and the committer's as its cause. */
  private static PawlException again(PawlException problem) {
    return new PawlException(problem.code(), String.valueOf(problem.getMessage()), problem);
  }
}
