package dev.pawl.store;

import dev.pawl.log.RunId;
import java.time.Instant;

/** Something may have changed. */
public sealed interface Hint {
  /** A run of this type may be claimable now. */
  record Claimable(String type) implements Hint {}

  /** A run of this type falls due at a moment to come. */
  record Scheduled(String type, Instant at) implements Hint {}

  /** This run has ended. */
  record Finished(RunId run) implements Hint {}

  /** Somebody else wrote to the store. */
  record Elsewhere() implements Hint {}
}
