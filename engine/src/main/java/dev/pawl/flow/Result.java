package dev.pawl.flow;

import dev.pawl.log.Failure;
import dev.pawl.work.Failures;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How something awaited has ended, and at which place of the log: the lower place came first. */
record Result<T>(long position, @Nullable T value, Optional<Failure> failure) {
  static <T> Result<T> of(long position, @Nullable T value) {
    return new Result<>(position, value, Optional.empty());
  }

  static <T> Result<T> failed(long position, Failure failure) {
    return new Result<>(position, null, Optional.of(failure));
  }

  boolean isFailed() {
    return failure.isPresent();
  }

  /** The value, or the exception that stands for the failure. */
  @Nullable T get() {
    if (failure.isPresent()) {
      throw Failures.exception(failure.get());
    }
    return value;
  }

  Settled<T> settled() {
    return failure.isPresent()
        ? new Settled.Rejected<>(failure.get())
        : new Settled.Fulfilled<>(value);
  }
}
