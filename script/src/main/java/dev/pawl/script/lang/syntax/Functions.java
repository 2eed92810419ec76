package dev.pawl.script.lang.syntax;

import dev.pawl.script.lang.syntax.Node.*;
import dev.pawl.script.lang.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads functions of every form. */
final class Functions {
  private final Parser parser;
  private final Tokens tokens;

  Functions(Parser parser) {
    this.parser = parser;
    this.tokens = parser.tokens;
  }

  private record Parameters(List<Pattern> parameters, Optional<Pattern> rest) {}

  Stmt declaration() {
    Span start = tokens.peek().span();
    boolean isAsync = takeAsync();
    tokens.expectWord("function", "");
    refuseStar();
    Token name = tokens.expectName("the name of a function");
    Function function = rest(start, name.text(), name.span(), isAsync);
    return new FunctionDeclaration(function.span(), function, false);
  }

  Stmt workflow() {
    Span start = tokens.next().span();
    Token name = tokens.expectName("the name of a workflow");
    Function function = rest(start, name.text(), name.span(), true);
    return new FunctionDeclaration(function.span(), function, true);
  }

  Expr expression() {
    Span start = tokens.peek().span();
    boolean isAsync = takeAsync();
    tokens.expectWord("function", "");
    refuseStar();
    Token name = tokens.peek();
    boolean named = !name.isSign("(");
    if (named) {
      name = tokens.expectName("the name of a function");
    }
    Function function = rest(start, named ? name.text() : "", name.span(), isAsync);
    return new FunctionExpr(function.span(), function);
  }

  /** Parameters and body of a method in an object literal, which is refused elsewhere. */
  Expr method(Span start, boolean isAsync) {
    Function function = rest(start, "", start, isAsync);
    return new FunctionExpr(function.span(), function);
  }

  private boolean takeAsync() {
    boolean isAsync = tokens.peek().isName("async");
    if (isAsync) {
      tokens.next();
    }
    return isAsync;
  }

  private void refuseStar() {
    if (tokens.isSign("*")) {
      tokens.refuse(tokens.next().span(), Refusals.GENERATOR);
    }
  }

  private Function rest(Span start, String name, Span nameSpan, boolean isAsync) {
    return inFunction(
        isAsync,
        () -> {
          Parameters parameters = parameters();
          Block body = parser.block("to open the body of the function");
          return new Function(
              tokens.spanFrom(start),
              name,
              nameSpan,
              parameters.parameters(),
              parameters.rest(),
              body.body(),
              isAsync);
        });
  }

  private Parameters parameters() {
    tokens.expect("(", "to open the parameters");
    List<Pattern> parameters = new ArrayList<>();
    Optional<Pattern> rest = Optional.empty();
    while (!tokens.isSign(")") && !tokens.atEnd()) {
      if (tokens.takeSign("...")) {
        rest = Optional.of(parser.patterns.pattern("the name of a parameter"));
        break;
      }
      parameters.add(parser.patterns.withDefault("the name of a parameter"));
      if (!tokens.takeSign(",")) {
        break;
      }
    }
    tokens.expect(")", "to close the parameters");
    return new Parameters(parameters, rest);
  }

  /** Whether an arrow function begins here, maybe with {@code async}. */
  boolean arrowAhead() {
    int first = 0;
    if (tokens.peek().isName("async") && !tokens.peek(1).newlineBefore()) {
      Token second = tokens.peek(1);
      if (second.kind() == Kind.NAME || second.isSign("(")) {
        first = 1;
      }
    }
    Token token = tokens.peek(first);
    if (token.kind() == Kind.NAME) {
      return tokens.peek(first + 1).isSign("=>");
    }
    return token.isSign("(") && tokens.peek(closing(first) + 1).isSign("=>");
  }

  private int closing(int from) {
    int open = 0;
    for (int i = from; ; i++) {
      Token token = tokens.peek(i);
      if (token.isSign("(") || token.isSign("[") || token.isSign("{")) {
        open++;
      } else if (token.isSign(")") || token.isSign("]") || token.isSign("}")) {
        open--;
      }
      if (open == 0 || token.kind() == Kind.END) {
        return i;
      }
    }
  }

  Expr arrow() {
    Span start = tokens.peek().span();
    boolean isAsync = !tokens.peek(1).isSign("=>") && takeAsync();
    return inFunction(isAsync, () -> arrow(start, isAsync));
  }

  private Expr arrow(Span start, boolean isAsync) {
    Parameters parameters =
        tokens.isSign("(")
            ? parameters()
            : new Parameters(
                List.of(parser.patterns.pattern("the name of a parameter")), Optional.empty());
    Token arrow = tokens.expect("=>", "behind the parameters");
    if (arrow.newlineBefore()) {
      tokens.error(arrow.span(), "`=>` must stand on the line on which the parameters end");
    }
    List<Stmt> body;
    if (tokens.isSign("{")) {
      body = parser.block("to open the body of the function").body();
    } else {
      Expr value = parser.expressions.assignment();
      body = List.of(new Return(value.span(), Optional.of(value)));
    }
    Span span = tokens.spanFrom(start);
    Function function =
        new Function(span, "", start, parameters.parameters(), parameters.rest(), body, isAsync);
    return new FunctionExpr(span, function);
  }

  private <T> T inFunction(boolean isAsync, java.util.function.Supplier<T> reader) {
    boolean asyncBefore = parser.asyncAllowed;
    int loopsBefore = parser.loops;
    int switchesBefore = parser.switches;
    boolean inBefore = parser.expressions.allowIn();
    parser.asyncAllowed = isAsync;
    parser.loops = 0;
    parser.switches = 0;
    T result = reader.get();
    parser.asyncAllowed = asyncBefore;
    parser.loops = loopsBefore;
    parser.switches = switchesBefore;
    parser.expressions.restoreIn(inBefore);
    return result;
  }
}
