package dev.pawl.script.lang;

import dev.pawl.script.lang.PromiseValue.Kind;
import dev.pawl.script.lang.PromiseValue.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Settles promises, those put together from others too, and says what is waited for. */
final class Promises {
  private final Machine machine;
  long settlements;

  Promises(Machine machine) {
    this.machine = machine;
  }

  void fulfil(PromiseValue promise, Object value) {
    settle(promise, State.FULFILLED, value);
  }

  void reject(PromiseValue promise, Object error) {
    settle(promise, State.REJECTED, error);
  }

  /** Settles it with a value; with a promise, as that one does. */
  void follow(PromiseValue promise, Object value) {
    if (!(value instanceof PromiseValue other)) {
      fulfil(promise, value);
    } else if (other == promise) {
      reject(promise, new ErrorValue("TYPE_ERROR", "a promise waits for itself"));
    } else if (other.isPending()) {
      promise.parts.add(other);
      other.dependents.add(promise);
    } else {
      settle(promise, other.state, other.value);
    }
  }

  /** Without recursion: chains of promises can be as long as memory allows. */
  private void settle(PromiseValue first, State state, Object value) {
    List<PromiseValue> settled = new ArrayList<>();
    mark(first, state, value, settled);
    for (int i = 0; i < settled.size(); i++) {
      PromiseValue promise = settled.get(i);
      for (Fiber waiter : promise.waiters) {
        resume(waiter, promise);
        machine.wake(waiter);
      }
      promise.waiters.clear();
      for (PromiseValue dependent : promise.dependents) {
        if (dependent.isPending()) {
          partSettled(dependent, promise, settled);
        }
      }
      promise.dependents.clear();
    }
  }

  private void mark(PromiseValue promise, State state, Object value, List<PromiseValue> settled) {
    if (!promise.isPending()) {
      return;
    }
    promise.state = state;
    promise.value = value;
    promise.settledAt = ++settlements;
    promise.operation = null;
    promise.parts.clear();
    promise.keys.clear();
    settled.add(promise);
  }

  /** Gives a fiber the outcome of what it waited for. */
  void resume(Fiber fiber, PromiseValue promise) {
    if (promise.state == State.FULFILLED) {
      fiber.resumeWith(promise.value);
    } else {
      fiber.resumeWithError(promise.value);
    }
  }

  private void partSettled(PromiseValue whole, PromiseValue part, List<PromiseValue> settled) {
    boolean won = part.state == State.FULFILLED;
    switch (whole.kind) {
      case OPERATION -> {}
      case FIBER -> mark(whole, part.state, part.value, settled);
      case ALL -> {
        whole.open--;
        if (!won) {
          mark(whole, State.REJECTED, part.value, settled);
        } else if (whole.open == 0) {
          mark(whole, State.FULFILLED, Combining.collect(whole), settled);
        }
      }
      case ALL_SETTLED -> {
        whole.open--;
        if (whole.open == 0) {
          mark(whole, State.FULFILLED, Combining.collect(whole), settled);
        }
      }
      case ANY, ANY_KV -> {
        whole.open--;
        if (won) {
          mark(whole, State.FULFILLED, Combining.winner(whole, part), settled);
        } else if (whole.open == 0) {
          mark(whole, State.REJECTED, Combining.aggregate(whole), settled);
        }
      }
      case RACE, RACE_KV ->
          mark(whole, part.state, won ? Combining.winner(whole, part) : part.value, settled);
      case TIMEOUT -> {
        if (part == whole.parts.get(0)) {
          mark(whole, part.state, part.value, settled);
        } else {
          mark(whole, State.REJECTED, Combining.timeout(whole), settled);
        }
      }
    }
  }

  void stopWaiting(Fiber fiber) {
    if (fiber.awaiting instanceof PromiseValue promise) {
      promise.waiters.remove(fiber);
    }
  }

  /** All operations without an answer, in order, with whether some await depends on each. */
  List<Step.Pending> pendingOperations() {
    Set<PromiseValue> awaited = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Fiber fiber : machine.blocked) {
      collect(fiber.awaiting, awaited);
    }
    collect(machine.main, awaited);
    List<Step.Pending> all = new ArrayList<>();
    for (PromiseValue promise : machine.pending.values()) {
      Operation.Awaitable operation = promise.operation;
      if (operation != null) {
        all.add(new Step.Pending(operation, awaited.contains(promise)));
      }
    }
    return all;
  }

  private static void collect(Object root, Set<PromiseValue> to) {
    List<Object> open = new ArrayList<>(List.of(root));
    while (!open.isEmpty()) {
      if (open.removeLast() instanceof PromiseValue promise
          && promise.isPending()
          && to.add(promise)) {
        open.addAll(promise.parts);
      }
    }
  }

  /** See {@link Step.Waiting}. */
  int wakeAfter() {
    Need need = new Need();
    int least = need.of(machine.main);
    for (Fiber fiber : machine.blocked) {
      least = Math.min(least, need.of(fiber.awaiting));
    }
    return least >= Need.TIMERS_ONLY ? 1 : Math.max(1, least);
  }

  /** A promise put together from others. Those settled already are looked at in their order. */
  PromiseValue combine(Kind kind, List<Object> parts, List<String> keys) {
    PromiseValue whole = new PromiseValue(kind);
    whole.parts.addAll(parts);
    whole.keys.addAll(keys);
    machine.allocate(Machine.FIBER_BYTES + (long) parts.size() * Machine.PROPERTY_BYTES);
    machine.charge(parts.size());
    Combining.begin(this, whole);
    return whole;
  }
}
