package dev.pawl.flow;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a flow's thread can wait for. Used on that thread only, but for the settling of steps, which
 * the execution guards.
 */
abstract sealed class Awaitable<T> implements Promise<T> permits Op, Combined {
  private final Execution<?, ?> execution;

  Awaitable(Execution<?, ?> execution) {
    this.execution = execution;
  }

  @Override
  public final @Nullable T await() {
    return execution.await(this);
  }

  final Execution<?, ?> execution() {
    return execution;
  }

  /** How it ended, or null while it has not. */
  abstract @Nullable Result<T> result();

  /** Shows every operation beneath that has not ended. */
  abstract void open(Consumer<Op<?>> each);

  /**
   * How many more messages it takes, at the least, before this can have ended; 0 if messages have
   * nothing to do with it.
   */
  abstract int need();
}
