package dev.pawl.script.lang;

/** Reads JSON into values. Strict, and never deeper than {@link #DEEPEST}. */
final class JsonReader {
  static final int DEEPEST = 500;

  private final String text;
  private final Machine machine;
  private int at;
  private int depth;

  private JsonReader(String text, Machine machine) {
    this.text = text;
    this.machine = machine;
  }

  static Object read(String text, Machine machine) {
    JsonReader reader = new JsonReader(text, machine);
    Object value = reader.value();
    reader.skipBlanks();
    if (reader.at < text.length()) {
      throw reader.bad("more text follows the value");
    }
    return value;
  }

  private Object value() {
    skipBlanks();
    if (at >= text.length()) {
      throw bad("a value is missing");
    }
    char c = text.charAt(at);
    return switch (c) {
      case '{' -> object();
      case '[' -> list();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", Null.NULL);
      default -> number();
    };
  }

  private void skipBlanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) {
      throw bad("a value is missing");
    }
    at += word.length();
    return value;
  }

  private Object object() {
    enter();
    ObjectValue object = new ObjectValue();
    machine.allocate(Machine.OBJECT_BYTES);
    at++;
    if (!closes('}')) {
      do {
        skipBlanks();
        if (at >= text.length() || text.charAt(at) != '"') {
          throw bad("a key in quotes is missing");
        }
        String key = string();
        skipBlanks();
        if (at >= text.length() || text.charAt(at++) != ':') {
          at--;
          throw bad("a colon is missing");
        }
        object.put(key, value());
        machine.allocate(Machine.PROPERTY_BYTES);
      } while (continues('}'));
    }
    depth--;
    return object;
  }

  private Object list() {
    enter();
    ListValue list = new ListValue();
    machine.allocate(Machine.OBJECT_BYTES);
    at++;
    if (!closes(']')) {
      do {
        list.add(value());
        machine.allocate(Machine.ELEMENT_BYTES);
      } while (continues(']'));
    }
    depth--;
    return list;
  }

  private void enter() {
    if (++depth > DEEPEST) {
      throw bad("it is nested deeper than " + DEEPEST + " levels");
    }
  }

  private boolean closes(char close) {
    skipBlanks();
    boolean there = at < text.length() && text.charAt(at) == close;
    at += there ? 1 : 0;
    return there;
  }

  private boolean continues(char close) {
    skipBlanks();
    char c = at < text.length() ? text.charAt(at) : 0;
    if (c != ',' && c != close) {
      throw bad("`,` or `" + close + "` is missing");
    }
    at++;
    return c == ',';
  }

  private String string() {
    int start = ++at;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '"') {
        String plain = text.substring(start, at++);
        machine.allocate(40L + 2L * plain.length());
        return plain;
      }
      if (c == '\\' || c < ' ') {
        return escaped(start);
      }
      at++;
    }
    throw bad("a text is not closed");
  }

  private String escaped(int start) {
    StringBuilder value = new StringBuilder(text.substring(start, at));
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        machine.allocate(40L + 2L * value.length());
        return value.toString();
      }
      if (c < ' ') {
        at--;
        throw bad("a control character in a text is not escaped");
      }
      value.append(c == '\\' ? escape() : c);
    }
    throw bad("a text is not closed");
  }

  private char escape() {
    char c = at < text.length() ? text.charAt(at++) : 0;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw bad("an escape is not valid");
    };
  }

  private char unicode() {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      char c = at < text.length() ? text.charAt(at++) : 0;
      int digit = c < 128 ? Character.digit(c, 16) : -1;
      if (digit < 0) {
        throw bad("an escape is not valid");
      }
      value = value * 16 + digit;
    }
    return (char) value;
  }

  private Object number() {
    int start = at;
    take("-", 1);
    int whole = at;
    int digits = digits();
    if (digits == 0 || (digits > 1 && text.charAt(whole) == '0')) {
      at = start;
      throw bad("a value is missing");
    }
    if (take(".", 1) > 0 && digits() == 0) {
      throw bad("digits are missing behind the point");
    }
    if (take("eE", 1) > 0) {
      take("+-", 1);
      if (digits() == 0) {
        throw bad("the exponent is missing");
      }
    }
    return Double.parseDouble(text.substring(start, at));
  }

  private int take(String characters, int most) {
    int taken = 0;
    while (taken < most && at < text.length() && characters.indexOf(text.charAt(at)) >= 0) {
      at++;
      taken++;
    }
    return taken;
  }

  private int digits() {
    return take("0123456789", Integer.MAX_VALUE);
  }

  private Thrown bad(String what) {
    return Thrown.of("BAD_JSON", "this is not JSON: " + what + " at character " + (at + 1));
  }
}
