package dev.pawl.script.lang;

import java.math.BigInteger;
import java.util.regex.Pattern;

/** {@code Object JSON Date Number String Boolean uuid log}. */
final class PlainLibrary {
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
  private static final Pattern HEX = Pattern.compile("0[xX][0-9a-fA-F]+");
  private static final double LARGEST_EXACT = 9007199254740991.0;

  private PlainLibrary() {}

  static void register() {
    Library.add("Object.keys", (m, a) -> Access.keys(source(a), m));
    Library.add("Object.values", (m, a) -> values(m, a));
    Library.add("Object.entries", (m, a) -> entries(m, a));
    Library.add("Object.assign", (m, a) -> assign(m, a));
    Library.add("Object.fromEntries", (m, a) -> fromEntries(m, a));
    Library.add("JSON.parse", (m, a) -> parse(m, a));
    Library.add("JSON.stringify", (m, a) -> stringify(m, a));
    Library.add("Date.now", (m, a) -> (double) m.host.nowMillis());
    Library.add("Number", (m, a) -> a.count == 0 ? 0.0 : number(a.get(0)));
    Library.add("Number.isInteger", (m, a) -> isInteger(a.get(0)));
    Library.add(
        "Number.isSafeInteger",
        (m, a) -> isInteger(a.get(0)) && Math.abs((Double) a.get(0)) <= LARGEST_EXACT);
    Library.add("Number.isFinite", (m, a) -> a.get(0) instanceof Double d && Double.isFinite(d));
    Library.add("Number.isNaN", (m, a) -> a.get(0) instanceof Double d && d.isNaN());
    Library.constant("Number.MAX_SAFE_INTEGER", LARGEST_EXACT);
    Library.constant("Number.MIN_SAFE_INTEGER", -LARGEST_EXACT);
    Library.add("String", (m, a) -> a.count == 0 ? "" : Values.text(a.get(0), m));
    Library.add("Boolean", (m, a) -> Values.isTrue(a.get(0)));
    Library.add("uuid", (m, a) -> m.host.uuid());
    Library.add("log", (m, a) -> log(m, a));
  }

  private static Object source(Arguments a) {
    Object value = a.get(0);
    if (value instanceof ObjectValue || value instanceof ListValue) {
      return value;
    }
    throw a.wrong(0, "an object", value);
  }

  private static Object values(Machine machine, Arguments a) {
    if (source(a) instanceof ListValue list) {
      return list.slice(0, list.size);
    }
    ObjectValue object = a.object(0);
    machine.allocate((long) object.size * Machine.ELEMENT_BYTES);
    machine.charge(object.size);
    return new ListValue(java.util.Arrays.copyOf(object.values, object.size), object.size);
  }

  private static Object entries(Machine machine, Arguments a) {
    ListValue keys = Access.keys(source(a), machine);
    ListValue values = (ListValue) values(machine, a);
    ListValue entries = new ListValue();
    machine.allocate((long) keys.size * Machine.OBJECT_BYTES * 2);
    for (int i = 0; i < keys.size; i++) {
      entries.add(ListValue.of(keys.get(i), values.get(i)));
    }
    return entries;
  }

  private static Object assign(Machine machine, Arguments a) {
    ObjectValue target = a.object(0);
    for (int i = 1; i < a.count; i++) {
      if (a.get(i) != Null.NULL) {
        Access.putAll(target, a.object(i), machine);
      }
    }
    return target;
  }

  private static Object fromEntries(Machine machine, Arguments a) {
    ListValue entries = a.list(0);
    ObjectValue object = new ObjectValue();
    machine.allocate(Machine.OBJECT_BYTES + (long) entries.size * Machine.PROPERTY_BYTES);
    machine.charge(entries.size);
    for (int i = 0; i < entries.size; i++) {
      if (!(entries.get(i) instanceof ListValue pair)) {
        throw Thrown.type(
            "`Object.fromEntries` needs a list of pairs `[key, value]`; element "
                + i
                + " is "
                + Values.kind(entries.get(i)));
      }
      Object key = pair.size > 0 ? pair.get(0) : Null.NULL;
      object.put(Access.key(key), pair.size > 1 ? pair.get(1) : Null.NULL);
    }
    return object;
  }

  private static Object parse(Machine machine, Arguments a) {
    String text = a.text(0);
    machine.charge(text.length() >> 3);
    return machine.fromJson(text);
  }

  private static Object stringify(Machine machine, Arguments a) {
    if (a.has(1)) {
      throw Thrown.input(
          "`JSON.stringify` takes null as its second argument: change the value before");
    }
    Object indent = a.get(2);
    String text =
        switch (indent) {
          case Double width -> " ".repeat((int) Math.clamp(width, 0, 10));
          case String given -> given.substring(0, Math.min(10, given.length()));
          default -> "";
        };
    String json = JsonWriter.write(a.get(0), text, machine);
    machine.allocate(40L + 2L * json.length());
    return json;
  }

  private static boolean isInteger(Object value) {
    return value instanceof Double d && Double.isFinite(d) && d == Math.rint(d);
  }

  /** The number that a value stands for, or the one that is none. */
  private static double number(Object value) {
    return switch (value) {
      case Double d -> d;
      case Boolean b -> b ? 1 : 0;
      case Null ignored -> 0;
      case String text -> number(text.strip());
      default -> Double.NaN;
    };
  }

  private static double number(String text) {
    if (text.isEmpty()) {
      return 0;
    }
    if (HEX.matcher(text).matches()) {
      return new BigInteger(text.substring(2), 16).doubleValue();
    }
    return switch (text) {
      case "Infinity", "+Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      default -> DECIMAL.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
    };
  }

  private static Object log(Machine machine, Arguments a) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < a.count; i++) {
      text.append(i > 0 ? " " : "").append(logged(a.get(i), machine));
      machine.checkTextLength(text.length());
    }
    machine.log(text.toString());
    return Null.NULL;
  }

  /** Logging shows what it can and fails for nothing. */
  private static String logged(Object value, Machine machine) {
    if (value instanceof String text) {
      return text;
    }
    try {
      return JsonWriter.write(value, machine);
    } catch (Thrown e) {
      return value instanceof Double ? Values.text(value, machine) : "[" + Values.kind(value) + "]";
    }
  }
}
