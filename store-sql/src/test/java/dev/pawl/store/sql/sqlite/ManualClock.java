package dev.pawl.store.sql.sqlite;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is moved. */
final class ManualClock implements InstantSource {
  private volatile Instant now = Instant.parse("2026-11-15T12:00:00Z");

  @Override
  public Instant instant() {
    return now;
  }

  void advance(Duration by) {
    now = now.plus(by);
  }
}
