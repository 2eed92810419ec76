package dev.pawl.flow;

import dev.pawl.log.Failure;
import org.jspecify.annotations.Nullable;

/** How a promise ended. */
public sealed interface Settled<T> {
  record Fulfilled<T>(@Nullable T value) implements Settled<T> {}

  record Rejected<T>(Failure failure) implements Settled<T> {}
}
