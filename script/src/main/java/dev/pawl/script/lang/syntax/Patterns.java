package dev.pawl.script.lang.syntax;

import dev.pawl.script.lang.syntax.Node.*;
import dev.pawl.script.lang.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the patterns that declare names. */
final class Patterns {
  private final Parser parser;
  private final Tokens tokens;

  Patterns(Parser parser) {
    this.parser = parser;
    this.tokens = parser.tokens;
  }

  /** A name, {@code { … }} or {@code [ … ]}. */
  Pattern pattern(String what) {
    if (tokens.isSign("{")) {
      return nested(this::object);
    }
    if (tokens.isSign("[")) {
      return nested(this::list);
    }
    Token name = tokens.expectName(what);
    return new NamePattern(name.span(), name.text());
  }

  /** The same, maybe with a default behind it. */
  Pattern withDefault(String what) {
    Pattern target = pattern(what);
    if (!tokens.takeSign("=")) {
      return target;
    }
    Expr value = parser.expressions.assignment();
    return new DefaultPattern(tokens.spanFrom(target.span()), target, value);
  }

  private Pattern nested(java.util.function.Supplier<Pattern> reader) {
    tokens.enter();
    Pattern pattern = reader.get();
    tokens.leave();
    return pattern;
  }

  private Pattern object() {
    Token open = tokens.next();
    List<PropertyPattern> properties = new ArrayList<>();
    Optional<NamePattern> rest = Optional.empty();
    while (!tokens.isSign("}") && !tokens.atEnd()) {
      if (tokens.takeSign("...")) {
        Token name = tokens.expectName("the name of the rest");
        rest = Optional.of(new NamePattern(name.span(), name.text()));
        break;
      }
      properties.add(property());
      if (!tokens.takeSign(",")) {
        break;
      }
    }
    tokens.expect("}", "to close the pattern");
    return new ObjectPattern(tokens.spanFrom(open.span()), properties, rest);
  }

  private PropertyPattern property() {
    Token first = tokens.peek();
    boolean shorthand =
        (first.kind() == Kind.NAME || first.kind() == Kind.WORD) && !tokens.peek(1).isSign(":");
    if (shorthand) {
      Pattern target = withDefault("the name of a variable");
      return new PropertyPattern(target.span(), new NamedKey(first.span(), first.text()), target);
    }
    Key key = parser.expressions.literals.key();
    tokens.expect(":", "behind the key in the pattern");
    Pattern target = withDefault("the name of a variable");
    return new PropertyPattern(tokens.spanFrom(first.span()), key, target);
  }

  private Pattern list() {
    Token open = tokens.next();
    List<Pattern> elements = new ArrayList<>();
    Optional<Pattern> rest = Optional.empty();
    while (!tokens.isSign("]") && !tokens.atEnd()) {
      if (tokens.isSign(",")) {
        elements.add(new HolePattern(tokens.next().span()));
        continue;
      }
      if (tokens.takeSign("...")) {
        rest = Optional.of(pattern("the name of the rest"));
        break;
      }
      elements.add(withDefault("the name of a variable"));
      if (!tokens.takeSign(",")) {
        break;
      }
    }
    tokens.expect("]", "to close the pattern");
    return new ListPattern(tokens.spanFrom(open.span()), elements, rest);
  }
}
