package dev.pawl.testkit;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A store that fails on cue. Faults are scripted one commit at a time, in the order in which the
 * commits begin; a commit without a fault passes. A poison works on every commit from then on.
 * Reads always pass. Thread-safe.
 */
public final class FaultyStore extends ForwardingStore {
  private static final long PATIENCE_SECONDS = 60;

  private final Store store;
  private final Queue<Fault> script = new ConcurrentLinkedQueue<>();
  private final List<Poison> poisons = new CopyOnWriteArrayList<>();
  private final List<List<Command>> batches = new ArrayList<>();

  public FaultyStore(Store store) {
    super(store);
    this.store = store;
  }

  /** What happens around one commit. */
  @FunctionalInterface
  private interface Fault {
    List<Outcome> commit(Store store, List<Command> commands);
  }

  private record Poison(Predicate<Command> matches, RuntimeException thrown) {}

  // ---- the script ----

  /** Lets the next commits pass, so that a fault meets a later one. */
  public FaultyStore pass(int commits) {
    for (int i = 0; i < commits; i++) {
      script.add(Store::commit);
    }
    return this;
  }

  /** The next commit fails with {@code STORE_UNAVAILABLE}; nothing of it is applied. */
  public FaultyStore failNext() {
    return failNext(ErrorCode.STORE_UNAVAILABLE);
  }

  /** The next commit fails with the code; nothing of it is applied. */
  public FaultyStore failNext(ErrorCode code) {
    script.add((inner, commands) -> {
      throw new PawlException(code, "scripted: the commit failed, nothing was written");
    });
    return this;
  }

  /** The next commit is applied, but its answer is lost: {@code UNKNOWN_OUTCOME}. */
  public FaultyStore loseNextAnswer() {
    script.add((inner, commands) -> {
      inner.commit(commands);
      throw new PawlException(ErrorCode.UNKNOWN_OUTCOME, "scripted: the answer was lost");
    });
    return this;
  }

  /** The next commit is lost on its way, and nobody can tell: {@code UNKNOWN_OUTCOME}. */
  public FaultyStore loseNext() {
    script.add((inner, commands) -> {
      throw new PawlException(ErrorCode.UNKNOWN_OUTCOME, "scripted: the commit was lost");
    });
    return this;
  }

  /** The next commit waits at the returned gate before it is applied. */
  public Gate blockNext() {
    Gate gate = new Gate();
    script.add((inner, commands) -> {
      gate.pass();
      return inner.commit(commands);
    });
    return gate;
  }

  /** Every commit with such a command fails with {@code INTERNAL}; nothing of it is applied. */
  public FaultyStore poison(Predicate<Command> matches) {
    return poison(matches, PawlException.internal("scripted: a command that the store chokes on"));
  }

  /** Every commit with such a command throws this; nothing of it is applied. */
  public FaultyStore poison(Predicate<Command> matches, RuntimeException thrown) {
    poisons.add(new Poison(matches, thrown));
    return this;
  }

  /** Forgets the script and the poisons. Who waits at a gate goes on waiting. */
  public FaultyStore heal() {
    script.clear();
    poisons.clear();
    return this;
  }

  /** Where a commit waits until it is let through. */
  public static final class Gate {
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);

    private Gate() {}

    /** Waits until the commit stands at the gate. */
    public void awaitArrival() {
      await(arrived, "no commit came to the gate");
    }

    public boolean hasArrived() {
      return arrived.getCount() == 0;
    }

    /** Lets the commit through. */
    public void open() {
      open.countDown();
    }

    private void pass() {
      arrived.countDown();
      await(open, "nobody opened the gate");
    }

    /** As with any store, an interrupt does not cut this short. */
    private static void await(CountDownLatch latch, String otherwise) {
      boolean interrupted = false;
      while (true) {
        try {
          if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError(otherwise + " within " + PATIENCE_SECONDS + " seconds");
          }
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  // ---- what was asked ----

  /** The commits that were begun, failed ones too. */
  public synchronized int commits() {
    return batches.size();
  }

  /** The commands in all commits that were begun. */
  public synchronized int commands() {
    return batches.stream().mapToInt(List::size).sum();
  }

  /** The commits that were begun, in order. */
  public synchronized List<List<Command>> batches() {
    return List.copyOf(batches);
  }

  private synchronized void record(List<Command> commands) {
    batches.add(List.copyOf(commands));
  }

  // ---- the store ----

  @Override
  public List<Outcome> commit(List<Command> commands) {
    record(commands);
    Fault fault = script.poll();
    for (Poison poison : poisons) {
      if (commands.stream().anyMatch(poison.matches())) {
        throw poison.thrown();
      }
    }
    return fault == null ? store.commit(commands) : fault.commit(store, commands);
  }
}
