package dev.pawl.script.lang;

import dev.pawl.script.lang.syntax.NumberText;

/** What holds for values of every kind: truth, equality, order, text, sums. */
final class Values {
  private static final int DEEPEST_TEXT = 200;

  private Values() {}

  static boolean isTrue(Object value) {
    if (value instanceof Boolean b) {
      return b;
    }
    if (value instanceof Double d) {
      return d != 0 && !d.isNaN();
    }
    return value != Null.NULL && !(value instanceof String s && s.isEmpty());
  }

  /** Strict equality: lists, objects and functions by identity. */
  @SuppressWarnings("ReferenceEquality") // identity is what is asked for
  static boolean equal(Object a, Object b) {
    if (a == b) {
      return !(a instanceof Double d && d.isNaN());
    }
    if (a instanceof Double x) {
      return b instanceof Double y && x.doubleValue() == y.doubleValue();
    }
    return (a instanceof String || a instanceof Boolean) && a.equals(b);
  }

  /** Equality as {@code includes} has it: a number that is none equals itself. */
  static boolean same(Object a, Object b) {
    return equal(a, b) || (a instanceof Double x && x.isNaN() && a.equals(b));
  }

  /** What {@code typeof} answers. */
  static String typeName(Object value) {
    return switch (value) {
      case Boolean ignored -> "boolean";
      case Double ignored -> "number";
      case String ignored -> "string";
      case Callable ignored -> "function";
      default -> "object";
    };
  }

  /** What an error message calls a value. */
  static String kind(Object value) {
    return switch (value) {
      case Null ignored -> "null";
      case Boolean ignored -> "a boolean";
      case Double ignored -> "a number";
      case String ignored -> "a text";
      case ListValue ignored -> "a list";
      case ObjectValue ignored -> "an object";
      case ErrorValue ignored -> "an error";
      case PromiseValue ignored -> "a promise (is an `await` missing?)";
      case Callable ignored -> "a function";
      default -> "something unknown";
    };
  }

  /** The text of a value as JavaScript has it. */
  static String text(Object value, Machine machine) {
    return switch (value) {
      case String s -> s;
      case Double d -> NumberText.of(d);
      case ListValue list -> join(list, ",", machine, 0);
      default -> simpleText(value);
    };
  }

  private static String simpleText(Object value) {
    return switch (value) {
      case Boolean b -> b.toString();
      case Null ignored -> "null";
      case ErrorValue error -> "Error: " + error.message;
      case PromiseValue ignored -> "[object Promise]";
      case Callable function -> "function " + function.name();
      default -> "[object Object]";
    };
  }

  static String join(ListValue list, String separator, Machine machine, int depth) {
    if (depth > DEEPEST_TEXT) {
      throw Thrown.of(
          "BAD_VALUE",
          "a list that contains itself, or is nested deeper than "
              + DEEPEST_TEXT
              + " levels, has no text");
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < list.size; i++) {
      if (i > 0) {
        text.append(separator);
      }
      Object item = list.get(i);
      if (item instanceof ListValue inner) {
        text.append(join(inner, ",", machine, depth + 1));
      } else if (item != Null.NULL) {
        text.append(text(item, machine));
      }
      machine.checkTextLength(text.length());
    }
    machine.charge(list.size + (text.length() >> 4));
    return text.toString();
  }

  static Object add(Object a, Object b, Machine machine) {
    if (a instanceof Double x && b instanceof Double y) {
      return x + y;
    }
    if (a instanceof String || b instanceof String) {
      return concat(text(a, machine), text(b, machine), machine);
    }
    throw Thrown.type(
        "`+` adds numbers or joins texts; here it has " + kind(a) + " and " + kind(b));
  }

  static String concat(String a, String b, Machine machine) {
    int length = a.length() + b.length();
    if (length < 0) {
      length = Integer.MAX_VALUE;
    }
    machine.checkTextLength(length);
    machine.allocate(40L + 2L * length);
    machine.charge(length >> 6);
    return a.concat(b);
  }

  /** Negative, zero or positive; {@link #UNORDERED} if one is not a number. */
  static int compare(Object a, Object b, String sign) {
    if (a instanceof Double x && b instanceof Double y) {
      if (x < y) {
        return -1;
      }
      return x > y ? 1 : x.doubleValue() == y.doubleValue() ? 0 : UNORDERED;
    }
    if (a instanceof String x && b instanceof String y) {
      return Integer.signum(x.compareTo(y));
    }
    throw Thrown.type(
        "`"
            + sign
            + "` orders two numbers or two texts; here it has "
            + kind(a)
            + " and "
            + kind(b));
  }

  static final int UNORDERED = 2;

  static boolean less(Object a, Object b) {
    return compare(a, b, "<") == -1;
  }

  static boolean lessOrEqual(Object a, Object b) {
    int order = compare(a, b, "<=");
    return order == -1 || order == 0;
  }

  static boolean greater(Object a, Object b) {
    return compare(a, b, ">") == 1;
  }

  static boolean greaterOrEqual(Object a, Object b) {
    int order = compare(a, b, ">=");
    return order == 1 || order == 0;
  }

  /** The operand of an operator that is for numbers. */
  static double number(Object value, String sign) {
    if (value instanceof Double d) {
      return d;
    }
    throw Thrown.type("`" + sign + "` is for numbers; here it has " + kind(value));
  }

  static double power(double base, double exponent) {
    boolean oneToInfinity = Math.abs(base) == 1 && Double.isInfinite(exponent);
    return oneToInfinity ? Double.NaN : Math.pow(base, exponent);
  }
}
