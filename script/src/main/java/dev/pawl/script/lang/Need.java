package dev.pawl.script.lang;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * How many answers must come in at the very least before a promise can settle well. Never too many:
 * whoever is woken too late hangs, whoever is woken too early only looks in vain.
 */
final class Need {
  /** Another part of the script has to move first. */
  static final int OTHERS = Integer.MAX_VALUE;

  /** Time alone settles it. */
  static final int TIMERS_ONLY = OTHERS - 1;

  private static final int DEEPEST = 100;

  private final IdentityHashMap<PromiseValue, Integer> known = new IdentityHashMap<>();

  int of(Object awaited) {
    return of(awaited, 0);
  }

  private int of(Object awaited, int depth) {
    if (!(awaited instanceof PromiseValue promise) || !promise.isPending()) {
      return 0;
    }
    if (depth > DEEPEST) {
      return 1;
    }
    Integer found = known.get(promise);
    if (found == null) {
      found = compute(promise, depth);
      known.put(promise, found);
    }
    return found;
  }

  private int compute(PromiseValue promise, int depth) {
    return switch (promise.kind) {
      case OPERATION -> isTimer(promise) ? TIMERS_ONLY : 1;
      case FIBER -> promise.parts.isEmpty() ? OTHERS : of(promise.parts.get(0), depth + 1);
      case ALL, ALL_SETTLED -> ofAll(promise, depth);
      case TIMEOUT -> Math.min(TIMERS_ONLY, of(promise.parts.get(0), depth + 1));
      case ANY, ANY_KV, RACE, RACE_KV -> {
        int least = OTHERS;
        for (Object part : promise.parts) {
          boolean open = part instanceof PromiseValue p && p.isPending();
          least = open ? Math.min(least, of(part, depth + 1)) : least;
        }
        yield least;
      }
    };
  }

  private static boolean isTimer(PromiseValue promise) {
    return promise.operation instanceof Operation.Sleep
        || promise.operation instanceof Operation.SleepUntil;
  }

  /** Different operations count once each; of what is nested otherwise, only the most needy. */
  private int ofAll(PromiseValue whole, int depth) {
    Set<PromiseValue> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Object> open = new ArrayList<>(whole.parts);
    int operations = 0;
    int most = 0;
    while (!open.isEmpty()) {
      Object next = open.removeLast();
      if (!(next instanceof PromiseValue part) || !part.isPending() || !seen.add(part)) {
        continue;
      }
      if (part.kind == PromiseValue.Kind.ALL || part.kind == PromiseValue.Kind.ALL_SETTLED) {
        open.addAll(part.parts);
      } else if (part.kind == PromiseValue.Kind.OPERATION) {
        operations += isTimer(part) ? 0 : 1;
      } else {
        int need = of(part, depth + 1);
        if (need == OTHERS) {
          return OTHERS;
        }
        most = need == TIMERS_ONLY ? most : Math.max(most, need);
      }
    }
    int least = Math.max(operations, most);
    return least == 0 ? TIMERS_ONLY : least;
  }
}
