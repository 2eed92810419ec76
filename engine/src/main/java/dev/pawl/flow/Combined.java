package dev.pawl.flow;

import dev.pawl.json.Json;
import dev.pawl.log.EventCodec;
import dev.pawl.log.Failure;
import dev.pawl.log.Failure.Source;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Several things to wait for as one. Which of them decides depends on their places in the log
 * alone, so it is the same after a crash; ties go to the earlier in the list.
 */
abstract sealed class Combined<T> extends Awaitable<T> {
  /** The place of what was decided before anything happened. */
  private static final long AT_ONCE = 0;

  final List<? extends Awaitable<?>> parts;
  private @Nullable Result<T> result;

  private Combined(Execution<?, ?> execution, List<? extends Awaitable<?>> parts) {
    super(execution);
    this.parts = parts;
  }

  @Override
  final @Nullable Result<T> result() {
    if (result == null) {
      result = decide();
    }
    return result;
  }

  abstract @Nullable Result<T> decide();

  @Override
  final void open(Consumer<Op<?>> each) {
    if (result() == null) {
      parts.forEach(part -> part.open(each));
    }
  }

  /** The results there are, the earliest first. */
  final <P> List<Result<P>> results(List<? extends Awaitable<? extends P>> from) {
    return from.stream()
        .map(Combined::<P>resultOf)
        .filter(Objects::nonNull)
        .sorted(Comparator.comparingLong(Result::position))
        .toList();
  }

  @SuppressWarnings(
      "unchecked") // A result is read only: that of a subtype serves as one of the supertype.
  static <P> @Nullable Result<P> resultOf(Awaitable<? extends P> part) {
    return (Result<P>) part.result();
  }

  final int sumOfNeeds() {
    return parts.stream().mapToInt(Awaitable::need).sum();
  }

  final int leastNeed() {
    return parts.stream().mapToInt(Awaitable::need).filter(need -> need > 0).min().orElse(0);
  }

  private static long last(List<? extends Result<?>> results) {
    return results.stream().mapToLong(Result::position).max().orElse(AT_ONCE);
  }

  static final class All<T> extends Combined<List<T>> {
    private final List<? extends Awaitable<? extends T>> items;

    All(Execution<?, ?> execution, List<? extends Awaitable<? extends T>> items) {
      super(execution, items);
      this.items = items;
    }

    @Override
    @Nullable Result<List<T>> decide() {
      List<Result<T>> results = results(items);
      Optional<Result<T>> failed = results.stream().filter(Result::isFailed).findFirst();
      if (failed.isPresent()) {
        return Result.failed(failed.get().position(), failed.get().failure().orElseThrow());
      }
      if (results.size() < items.size()) {
        return null;
      }
      List<T> values = new java.util.ArrayList<>();
      items.forEach(item -> values.add(Objects.requireNonNull(Combined.<T>resultOf(item)).value()));
      return Result.of(last(results), java.util.Collections.unmodifiableList(values));
    }

    @Override
    int need() {
      return result() == null ? sumOfNeeds() : 0;
    }
  }

  static final class AllSettled<T> extends Combined<List<Settled<T>>> {
    private final List<? extends Awaitable<? extends T>> items;

    AllSettled(Execution<?, ?> execution, List<? extends Awaitable<? extends T>> items) {
      super(execution, items);
      this.items = items;
    }

    @Override
    @Nullable Result<List<Settled<T>>> decide() {
      List<Result<T>> results = results(items);
      return results.size() < items.size()
          ? null
          : Result.of(
              last(results),
              items.stream()
                  .map(item -> Objects.requireNonNull(Combined.<T>resultOf(item)).settled())
                  .toList());
    }

    @Override
    int need() {
      return result() == null ? sumOfNeeds() : 0;
    }
  }

  static final class Any<T> extends Combined<T> {
    private final List<? extends Awaitable<? extends T>> items;

    Any(Execution<?, ?> execution, List<? extends Awaitable<? extends T>> items) {
      super(execution, items);
      this.items = items;
    }

    @Override
    @Nullable Result<T> decide() {
      List<Result<T>> results = results(items);
      Optional<Result<T>> success =
          results.stream().filter(result -> !result.isFailed()).findFirst();
      if (success.isPresent()) {
        return success.get();
      }
      return results.size() < items.size()
          ? null
          : Result.failed(last(results), aggregate(results));
    }

    private static Failure aggregate(List<? extends Result<?>> results) {
      List<Failure> failures =
          results.stream().map(result -> result.failure().orElseThrow()).toList();
      String all =
          failures.stream()
              .map(EventCodec::failure)
              .map(Json::text)
              .collect(Collectors.joining(",", "[", "]"));
      String message =
          failures.isEmpty()
              ? "any of an empty list has nothing to succeed"
              : "all "
                  + failures.size()
                  + " alternatives failed; the first: "
                  + failures.get(0).summary();
      return new Failure(
          "AGGREGATE",
          "",
          message,
          Json.written(all),
          false,
          0,
          new Source("wait", "", "any"),
          Optional.empty(),
          "");
    }

    @Override
    int need() {
      return result() == null ? leastNeed() : 0;
    }
  }

  static final class Race<T> extends Combined<T> {
    private final List<? extends Awaitable<? extends T>> items;

    Race(Execution<?, ?> execution, List<? extends Awaitable<? extends T>> items) {
      super(execution, items);
      this.items = items;
    }

    @Override
    @Nullable Result<T> decide() {
      if (items.isEmpty()) {
        return Result.failed(
            AT_ONCE,
            Failure.of("BAD_INPUT", "a race of nothing has no winner")
                .from(new Source("wait", "", "race")));
      }
      List<Result<T>> results = results(items);
      return results.isEmpty() ? null : results.get(0);
    }

    @Override
    int need() {
      return result() == null ? leastNeed() : 0;
    }
  }

  /** The first part, unless the timer that is the second comes before it. */
  static final class Timeout<T> extends Combined<T> {
    private final Awaitable<T> item;
    private final Op.Timer timer;
    private final String message;

    Timeout(Execution<?, ?> execution, Awaitable<T> item, Op.Timer timer, String message) {
      super(execution, List.of(item, timer));
      this.item = item;
      this.timer = timer;
      this.message = message;
    }

    @Override
    @Nullable Result<T> decide() {
      Result<T> done = item.result();
      Result<Void> late = timer.result();
      if (done != null && (late == null || done.position() < late.position())) {
        return done;
      }
      return late == null
          ? null
          : Result.failed(
              late.position(),
              Failure.of("TIMEOUT", message).from(new Source("wait", "", "timeout")));
    }

    @Override
    int need() {
      return result() == null ? leastNeed() : 0;
    }
  }
}
