package dev.pawl.testkit;

import dev.pawl.error.PawlException;
import dev.pawl.store.Command;
import dev.pawl.store.Hint;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A store as one of several processes sees it. Closing it leaves the store open for the others. The
 * process may die at a chosen checkpoint: that commit and all later ones are never answered,
 * nothing more is written, and no hint arrives. {@link #bury} then lets the dead one's threads end.
 * Thread-safe.
 */
public final class MortalStore extends ForwardingStore {
  private static final int NEVER = Integer.MAX_VALUE;
  private static final int NOW = 0;

  /** Where in its last commit a process dies. */
  public enum Death {
    /** The commit never reaches the store. */
    BEFORE_THE_COMMIT,
    /** The commit is durable, but nobody is left to hear of it. */
    AFTER_THE_COMMIT
  }

  private final AtomicInteger last = new AtomicInteger(NEVER);
  private final List<List<Command>> checkpoints = new ArrayList<>();
  private final List<Consumer<Hint>> listeners = new CopyOnWriteArrayList<>();
  private final CountDownLatch dead = new CountDownLatch(1);
  private final CountDownLatch buried = new CountDownLatch(1);
  private volatile Death death = Death.BEFORE_THE_COMMIT;
  private volatile boolean claimsCount;

  public MortalStore(Store store) {
    super(store);
  }

  /** Has the process die at its checkpoint with this number, the first being 1. */
  public MortalStore dieAt(int checkpoint, Death how) {
    death = how;
    last.set(checkpoint);
    return this;
  }

  /**
   * Lets claims that bring something count as checkpoints too. What a claim brings is known
   * afterwards, so a process that is to die at one always dies after it; that is the same as
   * before, since nobody but the claim has written in between.
   */
  public MortalStore countClaims() {
    claimsCount = true;
    return this;
  }

  /** Has the process die now: it writes nothing more. */
  public void die() {
    last.set(NOW);
    dead.countDown();
  }

  /** The commits so far in which the process wrote to the log of a run that it holds. */
  public int checkpoints() {
    synchronized (checkpoints) {
      return checkpoints.size();
    }
  }

  /** What was in these commits, in order. */
  public List<List<Command>> commits() {
    synchronized (checkpoints) {
      return List.copyOf(checkpoints);
    }
  }

  /** Has the process look for work, as if somebody else had written to the store. */
  public void nudge() {
    if (!isDead()) {
      listeners.forEach(listener -> listener.accept(new Hint.Elsewhere()));
    }
  }

  public boolean isDead() {
    return dead.getCount() == 0;
  }

  /** A latch that opens when the process dies. */
  public CountDownLatch death() {
    return dead;
  }

  /** Lets the dead one's threads go on: each of its commits now fails. */
  public void bury() {
    die();
    buried.countDown();
  }

  @Override
  public List<Outcome> commit(List<Command> commands) {
    boolean checkpoint = commands.stream().anyMatch(MortalStore::isCheckpoint);
    int number = checkpoint ? count(commands) : checkpoints();
    boolean here = checkpoint && number == last.get();
    if (number < last.get() || (!here && !isDead())) {
      List<Outcome> outcomes = super.commit(commands);
      boolean claim = !checkpoint && claimsCount && bringsSomething(outcomes);
      if (!claim || count(commands) < last.get()) {
        return outcomes;
      }
    } else if (here && death == Death.AFTER_THE_COMMIT) {
      super.commit(commands);
    }
    dead.countDown();
    awaitBurial();
    throw PawlException.closed("the store of a dead process");
  }

  private int count(List<Command> commands) {
    synchronized (checkpoints) {
      checkpoints.add(List.copyOf(commands));
      return checkpoints.size();
    }
  }

  private static boolean bringsSomething(List<Outcome> outcomes) {
    return outcomes.stream()
        .anyMatch(outcome ->
            outcome instanceof Outcome.Claimed claimed && !claimed.activations().isEmpty());
  }

  private static boolean isCheckpoint(Command command) {
    return command instanceof Command.Advance || command instanceof Command.Transact;
  }

  private void awaitBurial() {
    boolean interrupted = false;
    while (true) {
      try {
        buried.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Listening listen(Consumer<Hint> listener) {
    Consumer<Hint> alive =
        hint -> {
          if (!isDead()) {
            listener.accept(hint);
          }
        };
    listeners.add(alive);
    Listening listening = super.listen(alive);
    return () -> {
      listeners.remove(alive);
      listening.close();
    };
  }

  @Override
  public void close() {}
}
