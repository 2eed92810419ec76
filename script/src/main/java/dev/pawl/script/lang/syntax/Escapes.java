package dev.pawl.script.lang.syntax;

/** What a backslash means in texts and templates. */
final class Escapes {
  private final Source source;
  private final String text;
  private final ErrorList errors;

  Escapes(Source source, ErrorList errors) {
    this.source = source;
    this.text = source.text();
    this.errors = errors;
  }

  /** Appends the character at this place, escaped or not; returns the place behind it. */
  int copy(int at, StringBuilder cooked) {
    char c = text.charAt(at);
    if (c == '\\') {
      return at + 1 < text.length() ? escape(at, cooked) : at + 1;
    }
    if (c == '\r') {
      cooked.append('\n');
      return at + (text.startsWith("\r\n", at) ? 2 : 1);
    }
    cooked.append(c);
    return at + 1;
  }

  private int escape(int at, StringBuilder cooked) {
    char c = text.charAt(at + 1);
    switch (c) {
      case 'n' -> cooked.append('\n');
      case 't' -> cooked.append('\t');
      case 'r' -> cooked.append('\r');
      case 'b' -> cooked.append('\b');
      case 'f' -> cooked.append('\f');
      case 'v' -> cooked.append((char) 0x0B);
      case 'x' -> {
        return hex(at, at + 2, 2, cooked);
      }
      case 'u' -> {
        return unicode(at, cooked);
      }
      case '\r' -> {
        return at + (text.startsWith("\r\n", at + 1) ? 3 : 2);
      }
      case '\n', '\u2028', '\u2029' -> {
        return at + 2;
      }
      case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> digit(at, c, cooked);
      default -> cooked.append(c);
    }
    return at + 2;
  }

  private void digit(int at, char c, StringBuilder cooked) {
    char next = at + 2 < text.length() ? text.charAt(at + 2) : ' ';
    if (c == '0' && !Character.isDigit(next)) {
      cooked.append('\0');
    } else {
      bad(
          at,
          at + 2,
          "octal escapes do not exist: write `\\x" + "4" + c + "` or `\\u004" + c + "`");
    }
  }

  private int unicode(int at, StringBuilder cooked) {
    if (!text.startsWith("{", at + 2)) {
      return hex(at, at + 2, 4, cooked);
    }
    int close = text.indexOf('}', at);
    int digits = close - at - 3;
    if (close < 0 || digits < 1 || digits > 6) {
      return bad(at, at + 3, "write `\\u{` up to six hexadecimal digits `}`");
    }
    int value = parse(at + 3, close);
    if (value < 0 || value > Character.MAX_CODE_POINT) {
      return bad(at, close + 1, "this is not a character of Unicode");
    }
    cooked.appendCodePoint(value);
    return close + 1;
  }

  private int hex(int at, int from, int digits, StringBuilder cooked) {
    int value = from + digits <= text.length() ? parse(from, from + digits) : -1;
    if (value < 0) {
      return bad(at, from, "this escape needs " + digits + " hexadecimal digits");
    }
    cooked.append((char) value);
    return from + digits;
  }

  private int parse(int from, int to) {
    int value = 0;
    for (int i = from; i < to; i++) {
      int digit = Character.digit(text.charAt(i), 16);
      if (digit < 0 || text.charAt(i) > 'f') {
        return -1;
      }
      value = value * 16 + digit;
    }
    return value;
  }

  private int bad(int start, int end, String message) {
    errors.add(ErrorList.SYNTAX_ERROR, source.span(start, end), message);
    return end;
  }
}
