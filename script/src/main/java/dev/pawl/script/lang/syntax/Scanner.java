package dev.pawl.script.lang.syntax;

import dev.pawl.script.lang.syntax.Token.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/**
 * Turns a script into tokens, once and completely; errors go to the list and scanning goes on. The
 * last token is always {@link Kind#END}, which stands just behind the last token before it.
 */
final class Scanner {
  private static final Set<String> WORDS_BEFORE_OPERAND =
      Set.of(
          "return",
          "typeof",
          "case",
          "do",
          "else",
          "in",
          "delete",
          "throw",
          "new",
          "void",
          "await",
          "yield",
          "instanceof");

  private final Source source;
  private final String text;
  private final ErrorList errors;
  private final Escapes escapes;
  private final List<Token> tokens = new ArrayList<>();

  /** For each template that is open, how many braces are open in its present part. */
  private final Deque<Integer> templates = new ArrayDeque<>();

  /** Where the templates that are open began. */
  private final Deque<Integer> templateStarts = new ArrayDeque<>();

  private int at;
  private boolean newline;

  Scanner(Source source, ErrorList errors) {
    this.source = source;
    this.text = source.text();
    this.errors = errors;
    this.escapes = new Escapes(source, errors);
    this.at = source.bodyStart();
  }

  List<Token> scan() {
    if (source.hasUnclosedFrontMatter()) {
      syntax(0, 3, "the front matter that begins here is not closed: end it with a line `---`");
    }
    skipBlanks();
    while (at < text.length()) {
      scanToken();
      skipBlanks();
    }
    int end = tokens.isEmpty() ? source.bodyStart() : tokens.getLast().span().end();
    tokens.add(new Token(Kind.END, "", 0, source.span(end, end), true));
    return tokens;
  }

  private void scanToken() {
    char c = text.charAt(at);
    if (isNameStart(c)) {
      scanName();
    } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
      scanNumber();
    } else if (c == '"' || c == '\'') {
      scanString(c);
    } else if (c == '`') {
      int start = at++;
      templateStarts.push(start);
      scanTemplatePart(start, true);
    } else if (c == '}' && !templates.isEmpty() && templates.element() == 0) {
      templates.pop();
      int start = at++;
      scanTemplatePart(start, false);
    } else if (c == '/' && operandExpected()) {
      scanRegex();
    } else {
      scanSign();
    }
  }

  private void skipBlanks() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (Source.isLineBreak(c)) {
        newline = true;
        at++;
      } else if (c == ' '
          || c == '\t'
          || c == '\f'
          || c == 0x0B
          || c == '\u00A0'
          || c == '\uFEFF'
          || Character.getType(c) == Character.SPACE_SEPARATOR) {
        at++;
      } else if (text.startsWith("//", at)) {
        while (at < text.length() && !Source.isLineBreak(text.charAt(at))) {
          at++;
        }
      } else if (text.startsWith("/*", at)) {
        skipComment();
      } else {
        return;
      }
    }
  }

  private void skipComment() {
    int end = text.indexOf("*/", at + 2);
    if (end < 0) {
      syntax(at, at + 2, "the comment that begins here is not closed: end it with `*/`");
      at = text.length();
      return;
    }
    newline |= text.substring(at, end).chars().anyMatch(c -> Source.isLineBreak((char) c));
    at = end + 2;
  }

  private void scanName() {
    int start = at;
    while (at < text.length() && isNamePart(text.charAt(at))) {
      at++;
    }
    String name = text.substring(start, at).intern();
    add(Words.RESERVED.contains(name) ? Kind.WORD : Kind.NAME, name, 0, start);
  }

  private void scanNumber() {
    int start = at;
    while (at < text.length() && isNumberPart(at, start)) {
      at++;
    }
    String written = text.substring(start, at);
    add(Kind.NUMBER, written, Numerals.value(written, source.span(start, at), errors), start);
  }

  private boolean isNumberPart(int index, int start) {
    char c = text.charAt(index);
    if (isNamePart(c) || c == '.') {
      return true;
    }
    char before = text.charAt(index - 1 < start ? start : index - 1);
    boolean hex = text.startsWith("0x", start) || text.startsWith("0X", start);
    return (c == '+' || c == '-') && !hex && (before == 'e' || before == 'E') && index > start;
  }

  private void scanString(char quote) {
    int start = at++;
    StringBuilder cooked = new StringBuilder();
    while (at < text.length() && text.charAt(at) != quote) {
      char c = text.charAt(at);
      if (c == '\n' || c == '\r') {
        break;
      }
      at = escapes.copy(at, cooked);
    }
    if (at < text.length() && text.charAt(at) == quote) {
      at++;
    } else {
      syntax(
          start,
          at,
          "the text that begins here is not closed: end it with " + quote + " on the same line");
    }
    add(Kind.STRING, cooked.toString(), 0, start);
  }

  private void scanTemplatePart(int start, boolean first) {
    StringBuilder cooked = new StringBuilder();
    while (at < text.length() && text.charAt(at) != '`' && !text.startsWith("${", at)) {
      at = escapes.copy(at, cooked);
    }
    if (at >= text.length()) {
      int begin = templateStarts.pop();
      syntax(
          begin, begin + 1, "the template that begins here is not closed: end it with a back-tick");
      add(first ? Kind.TEMPLATE : Kind.TEMPLATE_TAIL, cooked.toString(), 0, start);
    } else if (text.charAt(at) == '`') {
      at++;
      templateStarts.pop();
      add(first ? Kind.TEMPLATE : Kind.TEMPLATE_TAIL, cooked.toString(), 0, start);
    } else {
      at += 2;
      templates.push(0);
      add(first ? Kind.TEMPLATE_HEAD : Kind.TEMPLATE_MIDDLE, cooked.toString(), 0, start);
    }
  }

  /** Whether a slash here begins a regular expression rather than being a division. */
  private boolean operandExpected() {
    if (tokens.isEmpty()) {
      return true;
    }
    Token last = tokens.getLast();
    return switch (last.kind()) {
      case NAME, NUMBER, STRING, TEMPLATE, TEMPLATE_TAIL, REGEX, END -> false;
      case TEMPLATE_HEAD, TEMPLATE_MIDDLE -> true;
      case WORD -> WORDS_BEFORE_OPERAND.contains(last.text());
      case SIGN ->
          switch (last.text()) {
            case ")", "]", "++", "--" -> false;
            case "}" -> newline;
            default -> true;
          };
    };
  }

  private void scanRegex() {
    int start = at++;
    boolean inClass = false;
    while (at < text.length() && !Source.isLineBreak(text.charAt(at))) {
      char c = text.charAt(at);
      if (c == '/' && !inClass) {
        break;
      }
      inClass = c == '[' || (inClass && c != ']');
      at += c == '\\' ? 2 : 1;
    }
    at = Math.min(at + 1, text.length());
    while (at < text.length() && isNamePart(text.charAt(at))) {
      at++;
    }
    errors.add(ErrorList.NOT_IN_LANGUAGE, source.span(start, at), Refusals.REGEX);
    add(Kind.REGEX, "", 0, start);
  }

  private void scanSign() {
    int start = at;
    for (String sign : Words.signsFrom(text.charAt(at))) {
      if (text.startsWith(sign, at) && !(sign.equals("?.") && isDigit(peek(2)))) {
        at += sign.length();
        countBraces(sign);
        add(Kind.SIGN, sign, 0, start);
        return;
      }
    }
    int c = text.codePointAt(at);
    at += Character.charCount(c);
    syntax(start, at, "the character " + Character.toString(c) + " has no meaning here");
  }

  private void countBraces(String sign) {
    if (!templates.isEmpty() && sign.equals("{")) {
      templates.push(templates.pop() + 1);
    } else if (!templates.isEmpty() && sign.equals("}")) {
      templates.push(templates.pop() - 1);
    }
  }

  private void add(Kind kind, String value, double number, int start) {
    tokens.add(new Token(kind, value, number, source.span(start, at), newline));
    newline = false;
  }

  private void syntax(int start, int end, String message) {
    errors.add(ErrorList.SYNTAX_ERROR, source.span(start, end), message);
  }

  private char peek(int ahead) {
    return at + ahead < text.length() ? text.charAt(at + ahead) : 0;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  static boolean isNameStart(char c) {
    return Character.isUnicodeIdentifierStart(c) || c == '_' || c == '$';
  }

  static boolean isNamePart(char c) {
    return isNameStart(c)
        || (Character.isUnicodeIdentifierPart(c) && !Character.isIdentifierIgnorable(c));
  }
}
