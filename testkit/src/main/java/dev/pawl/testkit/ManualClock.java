package dev.pawl.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that stands still until it is told to move, in whole milliseconds. It begins at {@link
 * #START}. Thread-safe.
 */
public final class ManualClock implements InstantSource {
  /** Where every manual clock begins. */
  public static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final AtomicLong millis = new AtomicLong(START.toEpochMilli());

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis.get());
  }

  @Override
  public long millis() {
    return millis.get();
  }

  /** Moves the clock forward, or back if the duration is negative, and returns the new time. */
  public Instant advance(Duration by) {
    return Instant.ofEpochMilli(millis.addAndGet(by.toMillis()));
  }

  public Instant advanceMillis(long by) {
    return Instant.ofEpochMilli(millis.addAndGet(by));
  }

  public void set(Instant to) {
    millis.set(to.toEpochMilli());
  }

  @Override
  public String toString() {
    return "ManualClock at " + instant();
  }
}
