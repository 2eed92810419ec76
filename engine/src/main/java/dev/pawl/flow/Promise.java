package dev.pawl.flow;

import org.jspecify.annotations.Nullable;

/**
 * Something a flow has asked for and can wait for: a step, a timer, a message, a child, or a
 * combination of those. It belongs to its flow's thread.
 */
public sealed interface Promise<T> permits Awaitable {
  /**
   * Waits, suspending the run if need be, and returns the value.
   *
   * @throws dev.pawl.work.FailedException if it failed; the failure is on record
   * @throws dev.pawl.work.CancelledException if the run is cancelled meanwhile
   */
  @Nullable T await();
}
