package dev.pawl.commit;

import dev.pawl.commit.Intake.Item;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import dev.pawl.time.Platform;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits one batch after the other, of what gathers in the intake meanwhile. Thread-safe. */
final class Lane {
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
  private static final int READ_BACK_TRIES = 5;

  /** From this size on, those who wait for a batch are woken while the next one is committed. */
  private static final int LARGE_BATCH = 8;

  private final Store store;
  private final Intake intake;
  private final LongAdder commands = new LongAdder();
  private final LongAdder commits = new LongAdder();
  private final BlockingQueue<Settling> settling = new LinkedBlockingQueue<>();
  private final Thread committer;

  /** A committed batch whose waiters are to be told; an empty one is the last. */
  private record Settling(List<Item> batch, List<Outcome> outcomes) {
    void tell() {
      for (int i = 0; i < outcomes.size(); i++) {
        batch.get(i).settle(outcomes.get(i));
      }
    }

    /** Tells only those whom virtual threads cannot starve, and must not. */
    void tellOthers() {
      for (int i = 0; i < outcomes.size(); i++) {
        if (!batch.get(i).virtual()) {
          batch.get(i).settle(outcomes.get(i));
        }
      }
    }
  }

  Lane(Store store, Intake intake, int number, Platform platform) {
    this.store = store;
    this.intake = intake;
    this.committer = platform.startThread("pawl-commit-" + number, () -> commitAll(number));
  }

  long commands() {
    return commands.sum();
  }

  long commits() {
    return commits.sum();
  }

  /**
   * Waits until all that was handed in is committed and told, or just being told, after the intake
   * was closed; returns whether there was an interrupt meanwhile.
   */
  boolean join() {
    boolean interrupted = false;
    while (committer.isAlive()) {
      try {
        committer.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }

  /**
   * Commits a command on the thread of who waits for it, to whom the lane's place was lent. An
   * interrupt does not cut this short.
   */
  CompletableFuture<Outcome> carry(Command command, Intake.Seat seat) {
    boolean interrupted = Thread.interrupted();
    try {
      Item item = new Item(command, new CompletableFuture<>(), false);
      Optional<Settling> committed;
      try {
        committed = commit(List.of(item));
      } finally {
        intake.giveBack(seat, command);
      }
      committed.ifPresent(Settling::tell);
      return item.outcome();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void commitAll(int number) {
    Thread.ofVirtual().name("pawl-settle-" + number).start(this::settleAll);
    Intake.Seat seat = intake.seat(number);
    for (List<Item> batch = intake.take(seat); !batch.isEmpty(); batch = intake.take(seat)) {
      Optional<Settling> committed = commit(batch);
      intake.done(batch);
      committed.ifPresent(this::settle);
    }
    tellTheRest();
  }

  /** Closing does not depend on whether virtual threads come to run. */
  private void tellTheRest() {
    for (Settling next = settling.poll(); next != null; next = settling.poll()) {
      next.tell();
    }
    settling.add(new Settling(List.of(), List.of()));
  }

  /**
   * Wakes virtual threads, and is called on one: so they run where it does, one after the other,
   * instead of each waking a processor that has nothing else to do. Whoever keeps it from running
   * keeps those from it who wait for it; others do not.
   */
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

  private static List<Command> commands(List<Item> batch) {
    List<Command> commands = new ArrayList<>(batch.size());
    for (Item item : batch) {
      commands.add(item.command());
    }
    return commands;
  }

  /** Commits a batch; if that fails as a whole, sees to its commands and tells those who wait. */
  private Optional<Settling> commit(List<Item> batch) {
    try {
      List<Outcome> outcomes = store.commit(commands(batch));
      commits.increment();
      commands.add(batch.size());
      return Optional.of(new Settling(batch, outcomes));
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
      batch.forEach(item -> item.fail(e));
    }
    return Optional.empty();
  }

  private void settle(Settling committed) {
    if (committed.batch().size() < LARGE_BATCH) {
      committed.tell();
    } else {
      settling.add(committed);
      committed.tellOthers();
    }
  }

  /** Nothing of the batch was written: one bad command must not take its neighbours along. */
  private void recover(List<Item> batch, PawlException problem) {
    if (batch.size() == 1) {
      batch.get(0).fail(problem);
    } else {
      LOG.debug("a batch of {} failed ({}); trying one by one", batch.size(), problem.getMessage());
      batch.forEach(item -> commit(List.of(item)).ifPresent(this::settle));
    }
  }

  private void resolve(Item item) {
    for (int tries = 1; ; tries++) {
      try {
        Optional<Outcome> found = ReadBack.outcome(store, item.command());
        item.settle(found.isPresent() ? found.get() : repeat(item.command()));
        return;
      } catch (NotWritten e) {
        item.fail(e.problem);
        return;
      } catch (RuntimeException | Error e) {
        if (tries == READ_BACK_TRIES) {
          item.fail(unknown(item.command(), e));
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
