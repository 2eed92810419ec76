package dev.pawl.script.lang;

import dev.pawl.script.lang.syntax.NumberText;

/** Writes values as JSON. What is not JSON is an error, not a silent null. */
final class JsonWriter {
  private final StringBuilder out = new StringBuilder();
  private final Machine machine;
  private final String indent;
  private int depth;

  private JsonWriter(Machine machine, String indent) {
    this.machine = machine;
    this.indent = indent;
  }

  static String write(Object value, Machine machine) {
    return write(value, "", machine);
  }

  static String write(Object value, String indent, Machine machine) {
    JsonWriter writer = new JsonWriter(machine, indent);
    writer.value(value);
    machine.charge(writer.out.length() >> 5);
    return writer.out.toString();
  }

  static String quote(String text) {
    StringBuilder quoted = new StringBuilder();
    quote(text, quoted);
    return quoted.toString();
  }

  private void value(Object value) {
    switch (value) {
      case Null ignored -> out.append("null");
      case Boolean b -> out.append(b.booleanValue());
      case Double number -> number(number);
      case String text -> quote(text, out);
      case ListValue list -> list(list);
      case ObjectValue object -> object(object);
      case ErrorValue error -> error(error);
      default ->
          throw Thrown.of(
              "BAD_VALUE", "only JSON can leave the script, and here is " + Values.kind(value));
    }
    if (out.length() > machine.limits.outputBytes()) {
      throw new LimitExceeded(
          "a value that leaves the script has more than "
              + machine.limits.outputBytes()
              + " bytes");
    }
  }

  private void number(double number) {
    if (!Double.isFinite(number)) {
      throw Thrown.of(
          "NOT_FINITE",
          "the number " + NumberText.of(number) + " cannot leave the script: only finite ones can");
    }
    out.append(NumberText.of(number));
  }

  private void enter() {
    if (++depth > JsonReader.DEEPEST) {
      throw Thrown.of(
          "BAD_VALUE",
          "a value that contains itself, or is nested deeper than "
              + JsonReader.DEEPEST
              + " levels, cannot leave the script");
    }
  }

  private void list(ListValue list) {
    enter();
    out.append('[');
    for (int i = 0; i < list.size; i++) {
      separate(i);
      value(list.get(i));
    }
    close(list.size, ']');
  }

  private void object(ObjectValue object) {
    enter();
    out.append('{');
    for (int i = 0; i < object.size; i++) {
      separate(i);
      key(object.keys[i]);
      value(object.values[i]);
    }
    close(object.size, '}');
  }

  private void error(ErrorValue error) {
    enter();
    out.append('{');
    separate(0);
    key("code");
    value(error.code);
    separate(1);
    key("message");
    value(error.message);
    if (error.data != Null.NULL) {
      separate(2);
      key("data");
      value(error.data);
    }
    if (error.cause != Null.NULL) {
      separate(3);
      key("cause");
      value(error.cause);
    }
    close(1, '}');
  }

  private void key(String key) {
    quote(key, out);
    out.append(indent.isEmpty() ? ":" : ": ");
  }

  private void separate(int index) {
    if (index > 0) {
      out.append(',');
    }
    newLine();
  }

  private void close(int size, char close) {
    depth--;
    if (size > 0) {
      newLine();
    }
    out.append(close);
  }

  private void newLine() {
    if (!indent.isEmpty()) {
      out.append('\n').append(indent.repeat(depth));
    }
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        default -> {
          if (c < ' ' || isLone(text, i)) {
            out.append("\\u%04x".formatted((int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  private static boolean isLone(String text, int at) {
    char c = text.charAt(at);
    if (Character.isHighSurrogate(c)) {
      return at + 1 >= text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
    }
    return Character.isLowSurrogate(c)
        && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
  }
}
