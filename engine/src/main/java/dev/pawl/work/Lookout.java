package dev.pawl.work;

import dev.pawl.store.Hint;
import dev.pawl.store.Store;
import dev.pawl.time.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * When a worker looks for work again: when the next run is known to be due, when a hint comes, and
 * at the latest at its next poll. One thread rests here; hints come from any. Thread-safe.
 */
final class Lookout {
  private final Store store;
  private final Platform platform;
  private final Poll poll;
  private final Predicate<String> mine;
  private final CountDownLatch stop;
  private final Semaphore news = new Semaphore(0);

  /** When to look, in milliseconds of the store's clock; hints bring it forward. */
  private final AtomicLong nextLook = new AtomicLong();

  /**
   * @param longest how long to rest at the longest, whatever hints say
   * @param mine the types of which a hint is worth a look
   * @param stop opens when nobody is to rest any more
   */
  Lookout(
      Store store,
      Platform platform,
      Duration longest,
      Predicate<String> mine,
      CountDownLatch stop) {
    this.store = store;
    this.platform = platform;
    this.poll = new Poll(longest, platform.chance());
    this.mine = mine;
    this.stop = stop;
  }

  /** A look begins: hints from now on may be of something that it does not see. */
  void begin() {
    nextLook.set(Long.MAX_VALUE);
  }

  /**
   * Waits until the next run is known to be due, at the longest until the next poll.
   *
   * @param found whether the last look found something
   */
  void rest(Optional<Instant> nextDue, boolean found) {
    long now = store.now().toEpochMilli();
    long latest = now + poll.restMillis(found);
    lookAt(nextDue.map(Instant::toEpochMilli).filter(due -> due < latest).orElse(latest));
    for (long left = nextLook.get() - now; left > 0 && stop.getCount() > 0; ) {
      pause(left);
      left = nextLook.get() - store.now().toEpochMilli();
    }
  }

  /** Waits for news, at most this long. */
  void pause(long millis) {
    try {
      if (platform.tryAcquire(news, 1, millis)) {
        news.drainPermits();
      }
    } catch (InterruptedException e) {
      // Nothing interrupts this thread but the end of the process.
    }
  }

  /** Ends the rest: there may be something to find. */
  void look() {
    lookAt(0);
  }

  void hinted(Hint hint) {
    switch (hint) {
      case Hint.Claimable claimable -> hinted(claimable.type(), 0);
      case Hint.Scheduled scheduled -> hinted(scheduled.type(), scheduled.at().toEpochMilli());
      case Hint.Elsewhere elsewhere -> look();
      case Hint.Finished done -> {}
    }
  }

  private void hinted(String type, long dueMillis) {
    if (mine.test(type)) {
      lookAt(dueMillis);
    }
  }

  private void lookAt(long millis) {
    if (nextLook.getAndAccumulate(millis, Math::min) > millis) {
      news.release();
    }
  }

  /** Ends the rest, for good. */
  void end() {
    look();
    news.release();
  }
}
