package dev.pawl.script.lang;

import dev.pawl.script.lang.PromiseValue.Kind;
import dev.pawl.script.lang.PromiseValue.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What comes of promises that are put together. */
final class Combining {
  private Combining() {}

  /** Registers with the parts that are pending, and settles if those that are not decide it. */
  static void begin(Promises promises, PromiseValue whole) {
    List<Integer> settled = new ArrayList<>();
    for (int i = 0; i < whole.parts.size(); i++) {
      if (whole.parts.get(i) instanceof PromiseValue part && part.isPending()) {
        whole.open++;
        part.dependents.add(whole);
      } else {
        settled.add(i);
      }
    }
    settled.sort(Comparator.comparingLong((Integer i) -> settledAt(whole.parts.get(i))));
    boolean losersCount = whole.kind == Kind.RACE || whole.kind == Kind.RACE_KV;
    boolean winnersCount = whole.kind != Kind.ALL && whole.kind != Kind.ALL_SETTLED;
    for (int i : settled) {
      Object part = whole.parts.get(i);
      boolean lost = part instanceof PromiseValue p && p.state == State.REJECTED;
      if (lost && (losersCount || whole.kind == Kind.ALL)) {
        promises.reject(whole, ((PromiseValue) part).value);
        return;
      }
      if (!lost && winnersCount) {
        promises.fulfil(whole, winner(whole, part));
        return;
      }
    }
    if (whole.open == 0) {
      finish(promises, whole);
    }
  }

  private static void finish(Promises promises, PromiseValue whole) {
    switch (whole.kind) {
      case ALL, ALL_SETTLED -> promises.fulfil(whole, collect(whole));
      case ANY, ANY_KV -> promises.reject(whole, aggregate(whole));
      default -> {}
    }
  }

  private static long settledAt(Object part) {
    return part instanceof PromiseValue promise ? promise.settledAt : 0;
  }

  private static Object outcome(Object part) {
    return part instanceof PromiseValue promise ? promise.value : part;
  }

  /** The result of {@code all} and {@code allSettled}, a list or an object. */
  static Object collect(PromiseValue whole) {
    ListValue list = new ListValue();
    ObjectValue object = new ObjectValue();
    for (int i = 0; i < whole.parts.size(); i++) {
      Object part = whole.parts.get(i);
      Object value = whole.kind == Kind.ALL ? outcome(part) : report(part);
      if (whole.keys.isEmpty()) {
        list.add(value);
      } else {
        object.put(whole.keys.get(i), value);
      }
    }
    return whole.keys.isEmpty() ? list : object;
  }

  private static ObjectValue report(Object part) {
    boolean lost = part instanceof PromiseValue p && p.state == State.REJECTED;
    ObjectValue report = new ObjectValue();
    report.put("status", lost ? "rejected" : "fulfilled");
    report.put(lost ? "reason" : "value", outcome(part));
    return report;
  }

  static Object winner(PromiseValue whole, Object part) {
    if (whole.kind != Kind.ANY_KV && whole.kind != Kind.RACE_KV) {
      return outcome(part);
    }
    int at = indexOf(whole.parts, part);
    ObjectValue pair = new ObjectValue();
    pair.put("key", whole.keys.isEmpty() ? (Object) (double) at : whole.keys.get(at));
    pair.put("value", outcome(part));
    return pair;
  }

  @SuppressWarnings("ReferenceEquality") // a part is found by identity
  private static int indexOf(List<Object> parts, Object part) {
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i) == part) {
        return i;
      }
    }
    return 0;
  }

  static ErrorValue aggregate(PromiseValue whole) {
    ListValue errors = new ListValue();
    whole.parts.forEach(part -> errors.add(outcome(part)));
    String message =
        errors.size == 0
            ? "any of nothing has nothing to succeed"
            : "all " + errors.size + " alternatives failed; the first: " + first(errors.get(0));
    ErrorValue error = new ErrorValue("AGGREGATE", message);
    error.data = errors;
    return error;
  }

  private static String first(Object thrown) {
    return thrown instanceof ErrorValue error
        ? error.code + ": " + error.message
        : thrown instanceof String text ? text : Values.kind(thrown);
  }

  static ErrorValue timeout(PromiseValue whole) {
    String after = whole.keys.isEmpty() ? "the time allowed" : whole.keys.get(0);
    return new ErrorValue("TIMEOUT", "nothing came within " + after);
  }
}
