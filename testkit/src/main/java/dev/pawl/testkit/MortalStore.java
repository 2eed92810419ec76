package dev.pawl.testkit;

import dev.pawl.error.PawlException;
import dev.pawl.store.Command;
import dev.pawl.store.Hint;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A store as one of several processes sees it. Closing it leaves the store open for the others. The
 * process may die at a chosen commit: that commit and all later ones are never answered, nothing
 * more is written, and no hint arrives. {@link #bury} then lets the dead one's threads end.
 * Thread-safe.
 */
public final class MortalStore extends ForwardingStore {
  private static final long NEVER = Long.MAX_VALUE;

  /** Where in its last commit a process dies. */
  public enum Death {
    /** The commit never reaches the store. */
    BEFORE_THE_COMMIT,
    /** The commit is durable, but nobody is left to hear of it. */
    AFTER_THE_COMMIT
  }

  private final AtomicLong last = new AtomicLong(NEVER);
  private final AtomicInteger commits = new AtomicInteger();
  private final CountDownLatch dead = new CountDownLatch(1);
  private final CountDownLatch buried = new CountDownLatch(1);
  private volatile Death death = Death.BEFORE_THE_COMMIT;

  public MortalStore(Store store) {
    super(store);
  }

  /** Has the process die at its commit with this number, the first being 1. */
  public MortalStore dieAt(int commit, Death how) {
    death = how;
    last.set(commit);
    return this;
  }

  /** Has the process die now: whatever it commits next is its last. */
  public void die() {
    dieAt(0, Death.BEFORE_THE_COMMIT);
    dead.countDown();
  }

  /** The commits that the process has begun. */
  public int commits() {
    return commits.get();
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
    int number = commits.incrementAndGet();
    if (number < last.get()) {
      return super.commit(commands);
    }
    if (number == last.get() && death == Death.AFTER_THE_COMMIT) {
      super.commit(commands);
    }
    dead.countDown();
    awaitBurial();
    throw PawlException.closed("the store of a dead process");
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
