package dev.pawl.testkit.sim;

import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The store's clock: the universe's own time, which is right unless somebody tampers with it. */
final class SimClock implements InstantSource {
  private final Universe universe;
  private @Nullable Host committing;
  private long offMillis;

  SimClock(Universe universe) {
    this.universe = universe;
  }

  /** The true time. */
  Instant truth() {
    return Epoch.at(universe.nanos());
  }

  @Override
  public Instant instant() {
    return truth().plusMillis(offMillis);
  }

  /** Makes the clock wrong. */
  void set(long millis) {
    offMillis = millis;
  }

  /** Whose commit is being carried out. */
  @Nullable Host committing() {
    return committing;
  }

  void committing(Host host) {
    committing = host;
  }
}
