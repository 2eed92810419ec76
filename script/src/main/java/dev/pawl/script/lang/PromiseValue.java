package dev.pawl.script.lang;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A promise: of an operation of the host, of an async call, or put together from others. Settled
 * once; the order of settling is kept, because it decides races.
 */
final class PromiseValue {
  enum Kind {
    OPERATION,
    FIBER,
    ALL,
    ALL_SETTLED,
    ANY,
    RACE,
    ANY_KV,
    RACE_KV,
    TIMEOUT
  }

  enum State {
    PENDING(0),
    FULFILLED(1),
    REJECTED(2);

    /** In snapshots. */
    final int number;

    State(int number) {
      this.number = number;
    }

    static State of(int number) {
      return switch (number) {
        case 0 -> PENDING;
        case 1 -> FULFILLED;
        case 2 -> REJECTED;
        default -> throw SnapshotException.corrupt("a promise has the unknown state " + number);
      };
    }
  }

  final Kind kind;
  State state = State.PENDING;
  Object value = Null.NULL;

  /** Grows with every promise of the machine that settles. */
  long settledAt;

  /** What the host was asked for; kept while it is pending. */
  Operation.@Nullable Awaitable operation;

  /** For those put together: the parts, and under which keys. */
  final List<Object> parts = new ArrayList<>();

  /** Keys of the parts; empty for a list. */
  final List<String> keys = new ArrayList<>();

  int open;

  /** Those that wait, in the order in which they came. */
  final List<Fiber> waiters = new ArrayList<>();

  /** Promises this one is a part of, or that follow it. */
  final List<PromiseValue> dependents = new ArrayList<>();

  PromiseValue(Kind kind) {
    this.kind = kind;
  }

  boolean isPending() {
    return state == State.PENDING;
  }
}
