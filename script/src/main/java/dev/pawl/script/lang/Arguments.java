package dev.pawl.script.lang;

/** The arguments of one call into the library. Missing ones are null. */
final class Arguments {
  Object[] values = {};
  int start;
  int count;

  /** What errors call the function. */
  String function = "";

  Arguments of(String called, Object[] from, int first, int many) {
    function = called;
    values = from;
    start = first;
    count = many;
    return this;
  }

  Object get(int index) {
    return index < count ? values[start + index] : Null.NULL;
  }

  boolean has(int index) {
    return index < count && values[start + index] != Null.NULL;
  }

  double number(int index) {
    Object value = get(index);
    if (value instanceof Double d) {
      return d;
    }
    throw wrong(index, "a number", value);
  }

  double number(int index, double otherwise) {
    return has(index) ? number(index) : otherwise;
  }

  String text(int index) {
    Object value = get(index);
    if (value instanceof String s) {
      return s;
    }
    throw wrong(index, "a text", value);
  }

  ListValue list(int index) {
    Object value = get(index);
    if (value instanceof ListValue list) {
      return list;
    }
    throw wrong(index, "a list", value);
  }

  ObjectValue object(int index) {
    Object value = get(index);
    if (value instanceof ObjectValue object) {
      return object;
    }
    throw wrong(index, "an object", value);
  }

  Callable callable(int index) {
    Object value = get(index);
    if (value instanceof Callable callable) {
      return callable;
    }
    throw wrong(index, "a function", value);
  }

  /** A place in something of this size: negative ones count from the end. */
  int position(int index, int size, int otherwise) {
    if (!has(index)) {
      return otherwise;
    }
    double at = number(index);
    if (Double.isNaN(at)) {
      return 0;
    }
    double from = at < 0 ? Math.ceil(at) + size : Math.floor(at);
    return (int) Math.clamp(from, 0, size);
  }

  Thrown wrong(int index, String expected, Object found) {
    return Thrown.type(
        "`%s` needs %s as argument %d; it got %s"
            .formatted(function, expected, index + 1, Values.kind(found)));
  }
}
