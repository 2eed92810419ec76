package dev.pawl.testkit;

import dev.pawl.error.PawlException;
import dev.pawl.store.Command;
import dev.pawl.store.Hint;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import java.util.List;
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
  private final AtomicInteger checkpoints = new AtomicInteger();
  private final CountDownLatch dead = new CountDownLatch(1);
  private final CountDownLatch buried = new CountDownLatch(1);
  private volatile Death death = Death.BEFORE_THE_COMMIT;

  public MortalStore(Store store) {
    super(store);
  }

  /** Has the process die at its checkpoint with this number, the first being 1. */
  public MortalStore dieAt(int checkpoint, Death how) {
    death = how;
    last.set(checkpoint);
    return this;
  }

  /** Has the process die now: it writes nothing more. */
  public void die() {
    last.set(NOW);
    dead.countDown();
  }

  /** The commits so far in which the process wrote to the log of a run that it holds. */
  public int checkpoints() {
    return checkpoints.get();
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
    int number = checkpoint ? checkpoints.incrementAndGet() : checkpoints.get();
    boolean here = checkpoint && number == last.get();
    if (number < last.get() || (!here && !isDead())) {
      return super.commit(commands);
    }
    if (here && death == Death.AFTER_THE_COMMIT) {
      super.commit(commands);
    }
    dead.countDown();
    awaitBurial();
    throw PawlException.closed("the store of a dead process");
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
    return super.listen(hint -> {
      if (!isDead()) {
        listener.accept(hint);
      }
    });
  }

  @Override
  public void close() {}
}
