package dev.pawl.script.lang.syntax;

/**
 * One word or sign of a script.
 *
 * @param text what it says: the name, the sign, the cooked text of a string or a template's part
 * @param number the value of a number
 * @param newlineBefore whether a line break stands between it and the token before
 */
record Token(Kind kind, String text, double number, Span span, boolean newlineBefore) {
  enum Kind {
    NAME,
    WORD,
    NUMBER,
    STRING,
    /** A template without parts. */
    TEMPLATE,
    TEMPLATE_HEAD,
    TEMPLATE_MIDDLE,
    TEMPLATE_TAIL,
    SIGN,
    /** A regular expression, which the scanner has already refused. */
    REGEX,
    END
  }

  boolean isSign(String sign) {
    return kind == Kind.SIGN && text.equals(sign);
  }

  boolean isWord(String word) {
    return kind == Kind.WORD && text.equals(word);
  }

  boolean isName(String name) {
    return kind == Kind.NAME && text.equals(name);
  }

  /** What an error message calls it. */
  String shown() {
    return switch (kind) {
      case END -> "the end of the script";
      case STRING -> "a text";
      case NUMBER -> "a number";
      case TEMPLATE, TEMPLATE_HEAD, TEMPLATE_MIDDLE, TEMPLATE_TAIL -> "a template";
      case REGEX -> "a regular expression";
      case NAME, WORD, SIGN -> "`" + text + "`";
    };
  }
}
