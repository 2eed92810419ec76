package dev.pawl.store.sql.postgres;

import dev.pawl.time.Ticker;
import java.time.Duration;

/**
 * Whether other processes listen to what this one tells. Who begins to listen greets, and whoever
 * hears it answers; those who have company show from time to time that they are still there. A
 * process that does not listen itself, or has only just begun, cannot know, and takes it that
 * others do. Thread-safe.
 */
final class Company {
  /** Those who are there answer a greeting long before. */
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private static final Duration SHOWN_EVERY = Duration.ofSeconds(30);

  /** However many greet, nobody answers more often. */
  private static final Duration ANSWERED_EVERY = Duration.ofSeconds(1);

  /** Who has not been heard for so long has gone. */
  private static final Duration FORGOTTEN = Duration.ofSeconds(100);

  private final Ticker ticker;
  private boolean listening;
  private boolean greeted;
  private boolean heard;
  private long arrivedNanos;
  private long heardNanos;
  private long shownNanos;

  Company(Ticker ticker) {
    this.ticker = ticker;
  }

  /** This process has begun to listen, or begun again. */
  synchronized void arrive() {
    listening = true;
    arrivedNanos = ticker.nanos();
    shownNanos = arrivedNanos;
  }

  /** Another process has said something. */
  synchronized void hear(Notice notice) {
    greeted |= notice.isGreeting();
    if (notice.isOfAListener()) {
      heard = true;
      heardNanos = ticker.nanos();
    }
  }

  /** This process has shown that it is there. */
  synchronized void show() {
    greeted = false;
    shownNanos = ticker.nanos();
  }

  synchronized boolean isTimeToShow() {
    Duration every = greeted ? ANSWERED_EVERY : SHOWN_EVERY;
    return hasCompany() && ticker.since(shownNanos).compareTo(every) > 0;
  }

  /** Whether it is known that nobody else listens. */
  synchronized boolean isAlone() {
    return listening && ticker.since(arrivedNanos).compareTo(ANSWER) > 0 && !hasCompany();
  }

  private boolean hasCompany() {
    return heard && ticker.since(heardNanos).compareTo(FORGOTTEN) < 0;
  }
}
