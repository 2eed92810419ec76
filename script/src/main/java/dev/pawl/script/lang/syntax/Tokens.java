package dev.pawl.script.lang.syntax;

import dev.pawl.script.lang.syntax.Token.Kind;
import java.util.List;

/**
 * The place in the list of tokens that all parts of the parser share, with the errors and the count
 * of how deep the source is nested.
 */
final class Tokens {
  /** How deep brackets, blocks and functions may stand inside each other. */
  static final int DEEPEST = 100;

  final ErrorList errors;
  private final Source source;
  private final List<Token> tokens;
  private int at;
  private int depth;

  Tokens(Source source, ErrorList errors) {
    this.source = source;
    this.errors = errors;
    this.tokens = new Scanner(source, errors).scan();
  }

  /** Gives up a construct that cannot be read; statements catch it and go on behind it. */
  static final class Unreadable extends RuntimeException {
    Unreadable() {
      super("", null, false, false);
    }
  }

  Token peek() {
    return tokens.get(at);
  }

  Token peek(int ahead) {
    return tokens.get(Math.clamp(at + ahead, 0, tokens.size() - 1));
  }

  Token next() {
    Token token = tokens.get(at);
    if (at < tokens.size() - 1) {
      at++;
    }
    return token;
  }

  Token last() {
    return tokens.get(Math.max(0, at - 1));
  }

  int mark() {
    return at;
  }

  boolean atEnd() {
    return peek().kind() == Kind.END;
  }

  boolean isSign(String sign) {
    return peek().isSign(sign);
  }

  boolean isWord(String word) {
    return peek().isWord(word);
  }

  boolean takeSign(String sign) {
    boolean there = isSign(sign);
    if (there) {
      next();
    }
    return there;
  }

  boolean takeWord(String word) {
    boolean there = isWord(word);
    if (there) {
      next();
    }
    return there;
  }

  /** Takes a sign that must be there; {@code why} completes "expected … ". */
  Token expect(String sign, String why) {
    if (!isSign(sign)) {
      throw fail(peek().span(), "expected `" + sign + "` " + why + ", found " + peek().shown());
    }
    return next();
  }

  Token expectWord(String word, String why) {
    if (!isWord(word)) {
      throw fail(peek().span(), "expected `" + word + "` " + why + ", found " + peek().shown());
    }
    return next();
  }

  /** A name that is being declared. */
  Token expectName(String what) {
    Token token = peek();
    if (token.kind() == Kind.WORD) {
      error(token.span(), "`" + token.text() + "` is a reserved word and cannot be " + what);
      return next();
    }
    if (token.kind() != Kind.NAME) {
      throw fail(token.span(), "expected " + what + ", found " + token.shown());
    }
    Refusals.ofName(token.text()).ifPresent(why -> refuse(token.span(), why));
    return next();
  }

  Unreadable fail(Span at, String message) {
    error(at, message);
    return new Unreadable();
  }

  void error(Span at, String message) {
    errors.add(ErrorList.SYNTAX_ERROR, at, message);
  }

  void refuse(Span at, String message) {
    errors.add(ErrorList.NOT_IN_LANGUAGE, at, message);
  }

  void enter() {
    if (++depth > DEEPEST) {
      depth = 0;
      error(
          peek().span(),
          "the script is nested deeper than " + DEEPEST + " levels here: use functions");
      throw new TooDeep();
    }
  }

  void leave() {
    depth--;
  }

  int depth() {
    return depth;
  }

  void resetDepth(int to) {
    depth = to;
  }

  /** Ends parsing: what follows could only be guessed at. */
  static final class TooDeep extends RuntimeException {
    TooDeep() {
      super("", null, false, false);
    }
  }

  Span spanFrom(Span start) {
    return new Span(
        start.start(), Math.max(last().span().end(), start.end()), start.line(), start.column());
  }

  Source source() {
    return source;
  }
}
