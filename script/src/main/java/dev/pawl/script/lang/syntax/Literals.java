package dev.pawl.script.lang.syntax;

import dev.pawl.script.lang.syntax.Node.*;
import dev.pawl.script.lang.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/** Reads the smallest expressions: names, literals, parentheses, {@code new}. */
final class Literals {
  private final Parser parser;
  private final Tokens tokens;
  private final Expressions expressions;

  Literals(Parser parser, Expressions expressions) {
    this.parser = parser;
    this.tokens = parser.tokens;
    this.expressions = expressions;
  }

  Expr primary() {
    Token token = tokens.peek();
    return switch (token.kind()) {
      case NAME -> name(token);
      case NUMBER -> new NumberLiteral(tokens.next().span(), token.number());
      case STRING -> new TextLiteral(tokens.next().span(), token.text());
      case TEMPLATE -> new Template(tokens.next().span(), List.of(token.text()), List.of());
      case TEMPLATE_HEAD -> template();
      case REGEX -> new BadExpr(tokens.next().span());
      case WORD -> word(token);
      case SIGN -> sign(token);
      case TEMPLATE_MIDDLE, TEMPLATE_TAIL, END -> throw unexpected(token);
    };
  }

  private Tokens.Unreadable unexpected(Token token) {
    return tokens.fail(token.span(), "expected a value, found " + token.shown());
  }

  private Expr name(Token token) {
    if (token.text().equals("async")
        && tokens.peek(1).isWord("function")
        && !tokens.peek(1).newlineBefore()) {
      return parser.functions.expression();
    }
    tokens.next();
    return new Name(token.span(), token.text());
  }

  private Expr word(Token token) {
    return switch (token.text()) {
      case "null" -> new NullLiteral(tokens.next().span());
      case "true", "false" -> new BooleanLiteral(tokens.next().span(), token.text().equals("true"));
      case "function" -> parser.functions.expression();
      case "new" -> construction();
      case "this", "super", "import" -> refused(token);
      case "class" -> refusedClass(token);
      default -> {
        tokens.error(
            token.span(),
            "expected a value, found `" + token.text() + "`, which is a reserved word");
        throw new Tokens.Unreadable();
      }
    };
  }

  private Expr refused(Token token) {
    tokens.next();
    tokens.refuse(token.span(), Refusals.ofWord(token.text()).orElseThrow());
    return new BadExpr(token.span());
  }

  private Expr refusedClass(Token token) {
    int start = tokens.mark();
    refused(token);
    while (!tokens.isSign("{") && !tokens.atEnd()) {
      tokens.next();
    }
    new Statements(parser).skipBraces();
    parser.doubt(start);
    return new BadExpr(token.span());
  }

  private Expr sign(Token token) {
    return switch (token.text()) {
      case "(" -> parentheses();
      case "[" -> list();
      case "{" -> object();
      default -> throw unexpected(token);
    };
  }

  private Expr parentheses() {
    tokens.next();
    boolean before = expressions.allowIn();
    Expr expr = expressions.expression();
    expressions.restoreIn(before);
    tokens.expect(")", "to close the parenthesis");
    return expr;
  }

  private Expr construction() {
    Token word = tokens.next();
    Token name = tokens.peek();
    if (name.isWord("class") || name.kind() == Kind.SIGN) {
      tokens.refuse(word.span(), Refusals.construction("…"));
      return primary();
    }
    tokens.next();
    boolean isError = name.isName("Error") && !tokens.isSign(".");
    if (!isError) {
      tokens.refuse(word.span(), Refusals.construction(name.text()));
    }
    while (tokens.takeSign(".")) {
      tokens.next();
    }
    List<Expr> arguments =
        tokens.isSign("(") && !tokens.peek().newlineBefore() ? expressions.arguments() : List.of();
    Span span = tokens.spanFrom(word.span());
    return isError ? new NewError(span, arguments) : new BadExpr(span);
  }

  private Expr template() {
    Token head = tokens.next();
    List<String> texts = new ArrayList<>(List.of(head.text()));
    List<Expr> parts = new ArrayList<>();
    while (true) {
      boolean before = expressions.allowIn();
      parts.add(expressions.expression());
      expressions.restoreIn(before);
      Token token = tokens.peek();
      if (token.kind() != Kind.TEMPLATE_MIDDLE && token.kind() != Kind.TEMPLATE_TAIL) {
        throw tokens.fail(
            token.span(), "expected `}` to close the part of the template, found " + token.shown());
      }
      tokens.next();
      texts.add(token.text());
      if (token.kind() == Kind.TEMPLATE_TAIL) {
        return new Template(tokens.spanFrom(head.span()), texts, parts);
      }
    }
  }

  private Expr list() {
    Token open = tokens.next();
    boolean before = expressions.allowIn();
    List<Expr> elements = new ArrayList<>();
    while (!tokens.isSign("]") && !tokens.atEnd()) {
      if (tokens.isSign(",")) {
        tokens.refuse(tokens.next().span(), Refusals.HOLE);
        continue;
      }
      elements.add(element());
      if (!tokens.takeSign(",")) {
        break;
      }
    }
    expressions.restoreIn(before);
    tokens.expect("]", "to close the list");
    return new ListLiteral(tokens.spanFrom(open.span()), elements);
  }

  /** What stands in a list or between arguments. */
  Expr element() {
    Token dots = tokens.peek();
    if (tokens.takeSign("...")) {
      Expr value = expressions.assignment();
      return new Spread(tokens.spanFrom(dots.span()), value);
    }
    return expressions.assignment();
  }

  private Expr object() {
    Token open = tokens.next();
    boolean before = expressions.allowIn();
    List<Property> properties = new ArrayList<>();
    while (!tokens.isSign("}") && !tokens.atEnd()) {
      properties.add(property());
      if (!tokens.takeSign(",")) {
        break;
      }
    }
    expressions.restoreIn(before);
    tokens.expect("}", "to close the object");
    return new ObjectLiteral(tokens.spanFrom(open.span()), properties);
  }

  private Property property() {
    Token first = tokens.peek();
    if (tokens.takeSign("...")) {
      Expr value = expressions.assignment();
      return new SpreadProperty(tokens.spanFrom(first.span()), value);
    }
    if (tokens.isSign("*")) {
      tokens.refuse(tokens.next().span(), Refusals.GENERATOR);
      return method(first);
    }
    if (isModifier(first)) {
      return modified(first);
    }
    return plain(first);
  }

  /** {@code get x() …}, {@code set x(…) …}, {@code async x() …}. */
  private boolean isModifier(Token token) {
    boolean word = token.isName("get") || token.isName("set") || token.isName("async");
    Token second = tokens.peek(1);
    boolean keyFollows =
        second.kind() == Kind.NAME
            || second.kind() == Kind.WORD
            || second.kind() == Kind.STRING
            || second.kind() == Kind.NUMBER
            || second.isSign("[");
    return word && keyFollows;
  }

  private Property modified(Token first) {
    tokens.next();
    Token name = tokens.peek();
    if (first.isName("async")) {
      tokens.refuse(name.span(), Refusals.method(name.text()));
    } else {
      tokens.refuse(first.span(), Refusals.ACCESSOR);
    }
    return method(first);
  }

  private Property method(Token first) {
    Key key = key();
    Expr function = parser.functions.method(first.span(), first.isName("async"));
    return new KeyValue(tokens.spanFrom(first.span()), key, function);
  }

  private Property plain(Token first) {
    Token second = tokens.peek(1);
    boolean word = first.kind() == Kind.NAME || first.kind() == Kind.WORD;
    boolean shorthand = word && (second.isSign(",") || second.isSign("}"));
    if (shorthand) {
      return shorthand(first);
    }
    Key key = key();
    if (tokens.isSign("(")) {
      tokens.refuse(first.span(), Refusals.method(first.text()));
      Expr function = parser.functions.method(first.span(), false);
      return new KeyValue(tokens.spanFrom(first.span()), key, function);
    }
    tokens.expect(":", "behind the key");
    Expr value = expressions.assignment();
    return new KeyValue(tokens.spanFrom(first.span()), key, value);
  }

  private Property shorthand(Token name) {
    if (name.kind() == Kind.WORD) {
      throw tokens.fail(
          name.span(),
          "`" + name.text() + "` is a reserved word: write `" + name.text() + ": value`");
    }
    tokens.next();
    return new KeyValue(
        name.span(), new NamedKey(name.span(), name.text()), new Name(name.span(), name.text()));
  }

  Key key() {
    Token token = tokens.next();
    return switch (token.kind()) {
      case NAME, WORD, STRING -> new NamedKey(token.span(), token.text());
      case NUMBER -> new NamedKey(token.span(), NumberText.of(token.number()));
      default -> {
        if (!token.isSign("[")) {
          throw tokens.fail(token.span(), "expected the key of a property, found " + token.shown());
        }
        boolean before = expressions.allowIn();
        Expr value = expressions.assignment();
        expressions.restoreIn(before);
        tokens.expect("]", "to close the computed key");
        yield new ComputedKey(tokens.spanFrom(token.span()), value);
      }
    };
  }
}
