package dev.pawl.script.lang;

import dev.pawl.script.lang.LoopFrame.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The methods of lists. */
final class ListMethods {
  /** What a method does with its list. */
  interface Body {
    Object call(Machine machine, ListValue list, Arguments arguments);
  }

  static final Map<String, Body> BODIES = new LinkedHashMap<>();

  static {
    BODIES.put("push", ListMethods::push);
    BODIES.put("pop", (m, list, a) -> list.size == 0 ? Null.NULL : list.removeLast());
    BODIES.put("shift", (m, list, a) -> shift(m, list));
    BODIES.put("unshift", ListMethods::unshift);
    BODIES.put("slice", ListMethods::slice);
    BODIES.put("splice", ListMethods::splice);
    BODIES.put("concat", ListMethods::concat);
    BODIES.put("map", (m, list, a) -> loop(m, Method.MAP, list, a, new ListValue()));
    BODIES.put("flatMap", (m, list, a) -> loop(m, Method.FLAT_MAP, list, a, new ListValue()));
    BODIES.put("filter", (m, list, a) -> loop(m, Method.FILTER, list, a, new ListValue()));
    BODIES.put("forEach", (m, list, a) -> loop(m, Method.FOR_EACH, list, a, Null.NULL));
    BODIES.put("find", (m, list, a) -> loop(m, Method.FIND, list, a, Null.NULL));
    BODIES.put("findIndex", (m, list, a) -> loop(m, Method.FIND_INDEX, list, a, Null.NULL));
    BODIES.put("some", (m, list, a) -> loop(m, Method.SOME, list, a, Null.NULL));
    BODIES.put("every", (m, list, a) -> loop(m, Method.EVERY, list, a, Null.NULL));
    BODIES.put("reduce", ListMethods::reduce);
    BODIES.put("join", ListMethods::join);
    BODIES.put("sort", ListMethods::sort);
    BODIES.put("reverse", (m, list, a) -> reverse(m, list));
    BODIES.put("includes", (m, list, a) -> indexOf(m, list, a, true) >= 0);
    BODIES.put("indexOf", (m, list, a) -> (double) indexOf(m, list, a, false));
    BODIES.put("lastIndexOf", (m, list, a) -> (double) lastIndexOf(m, list, a.get(0)));
    BODIES.put("flat", ListMethods::flat);
    BODIES.put("at", (m, list, a) -> at(list, a));
  }

  private ListMethods() {}

  private static void grow(Machine machine, long elements) {
    machine.allocate(elements * Machine.ELEMENT_BYTES);
    machine.charge(elements >> 3);
  }

  private static Object push(Machine machine, ListValue list, Arguments a) {
    machine.allocate((long) a.count * Machine.ELEMENT_BYTES);
    if (a.count == 1) {
      list.add(a.values[a.start]);
    } else {
      list.addAll(a.values, a.start, a.count);
    }
    return (double) list.size;
  }

  private static Object shift(Machine machine, ListValue list) {
    if (list.size == 0) {
      return Null.NULL;
    }
    machine.charge(list.size >> 4);
    Object first = list.get(0);
    System.arraycopy(list.items, 1, list.items, 0, list.size - 1);
    list.removeLast();
    return first;
  }

  private static Object unshift(Machine machine, ListValue list, Arguments a) {
    grow(machine, a.count);
    machine.charge(list.size >> 3);
    list.splice(0, 0, a.values, a.start, a.count);
    return (double) list.size;
  }

  private static Object slice(Machine machine, ListValue list, Arguments a) {
    int from = a.position(0, list.size, 0);
    int to = Math.max(from, a.position(1, list.size, list.size));
    grow(machine, to - from);
    return list.slice(from, to);
  }

  private static Object splice(Machine machine, ListValue list, Arguments a) {
    if (a.count == 0) {
      return new ListValue();
    }
    int from = a.position(0, list.size, 0);
    int most = list.size - from;
    int removed = a.count < 2 ? most : (int) Math.clamp(a.number(1, 0), 0, most);
    int added = Math.max(0, a.count - 2);
    machine.charge(list.size >> 3);
    grow(machine, (long) removed + added);
    ListValue gone = list.slice(from, from + removed);
    list.splice(from, removed, a.values, a.start + a.count - added, added);
    return gone;
  }

  private static Object concat(Machine machine, ListValue list, Arguments a) {
    grow(machine, list.size);
    ListValue result = list.slice(0, list.size);
    for (int i = 0; i < a.count; i++) {
      if (a.get(i) instanceof ListValue other) {
        grow(machine, other.size);
        result.addAll(other.items, 0, other.size);
      } else {
        result.add(a.get(i));
      }
    }
    return result;
  }

  private static Object loop(
      Machine machine, Method method, ListValue list, Arguments a, Object result) {
    return LoopFrame.start(machine, method, list, a.callable(0), result, 0);
  }

  private static Object reduce(Machine machine, ListValue list, Arguments a) {
    Callable function = a.callable(0);
    if (a.count > 1) {
      return LoopFrame.start(machine, Method.REDUCE, list, function, a.get(1), 0);
    }
    if (list.size == 0) {
      throw Thrown.type("`reduce` of an empty list needs a first value as its second argument");
    }
    return LoopFrame.start(machine, Method.REDUCE, list, function, list.get(0), 1);
  }

  private static Object join(Machine machine, ListValue list, Arguments a) {
    String separator = a.has(0) ? a.text(0) : ",";
    String text = Values.join(list, separator, machine, 0);
    machine.allocate(40L + 2L * text.length());
    return text;
  }

  private static Object sort(Machine machine, ListValue list, Arguments a) {
    if (a.has(0)) {
      return SortFrame.start(machine, list, a.callable(0));
    }
    record Keyed(String key, Object value) {}
    machine.charge((long) list.size * (33 - Integer.numberOfLeadingZeros(list.size)));
    machine.allocate((long) list.size * Machine.PROPERTY_BYTES);
    Keyed[] keyed = new Keyed[list.size];
    for (int i = 0; i < list.size; i++) {
      keyed[i] = new Keyed(Values.text(list.get(i), machine), list.get(i));
    }
    Arrays.sort(keyed, Comparator.comparing(Keyed::key));
    for (int i = 0; i < keyed.length; i++) {
      list.items[i] = keyed[i].value();
    }
    return list;
  }

  private static Object reverse(Machine machine, ListValue list) {
    machine.charge(list.size >> 3);
    for (int i = 0, j = list.size - 1; i < j; i++, j--) {
      Object swapped = list.items[i];
      list.items[i] = list.items[j];
      list.items[j] = swapped;
    }
    return list;
  }

  private static int indexOf(Machine machine, ListValue list, Arguments a, boolean same) {
    machine.charge(list.size >> 2);
    Object wanted = a.get(0);
    for (int i = a.position(1, list.size, 0); i < list.size; i++) {
      Object item = list.get(i);
      if (same ? Values.same(item, wanted) : Values.equal(item, wanted)) {
        return i;
      }
    }
    return -1;
  }

  private static int lastIndexOf(Machine machine, ListValue list, Object wanted) {
    machine.charge(list.size >> 2);
    for (int i = list.size - 1; i >= 0; i--) {
      if (Values.equal(list.get(i), wanted)) {
        return i;
      }
    }
    return -1;
  }

  private static Object at(ListValue list, Arguments a) {
    double wanted = Math.floor(a.number(0, 0));
    double index = wanted < 0 ? wanted + list.size : wanted;
    return (index >= 0 && index < list.size) ? list.get((int) index) : Null.NULL;
  }

  private static Object flat(Machine machine, ListValue list, Arguments a) {
    double depth = a.number(0, 1);
    ListValue result = new ListValue();
    flatten(machine, list, depth, result, 0);
    return result;
  }

  private static void flatten(
      Machine machine, ListValue list, double depth, ListValue to, int level) {
    if (level > JsonReader.DEEPEST) {
      throw Thrown.of(
          "BAD_VALUE", "`flat` found lists nested deeper than " + JsonReader.DEEPEST + " levels");
    }
    for (int i = 0; i < list.size; i++) {
      machine.charge(1);
      if (list.get(i) instanceof ListValue inner && depth >= 1) {
        flatten(machine, inner, depth - 1, to, level + 1);
      } else {
        machine.allocate(Machine.ELEMENT_BYTES);
        to.add(list.get(i));
      }
    }
  }
}
