package dev.pawl.script.lang.syntax;

import dev.pawl.script.lang.syntax.Node.*;
import dev.pawl.script.lang.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads statements. */
final class Statements {
  private final Parser parser;
  private final Tokens tokens;
  private final Loops loops;

  Statements(Parser parser) {
    this.parser = parser;
    this.tokens = parser.tokens;
    this.loops = new Loops(parser, this);
  }

  Stmt parse() {
    tokens.enter();
    try {
      Token token = tokens.peek();
      return switch (token.kind()) {
        case WORD -> wordStatement(token);
        case NAME -> nameStatement(token);
        default -> signStatement(token);
      };
    } finally {
      tokens.leave();
    }
  }

  private Stmt signStatement(Token token) {
    if (token.isSign("{")) {
      return parser.block("to open a block");
    }
    if (token.isSign(";")) {
      return new Empty(tokens.next().span());
    }
    return exprStatement();
  }

  private Stmt nameStatement(Token token) {
    Token second = tokens.peek(1);
    if (token.text().equals("async") && second.isWord("function") && !second.newlineBefore()) {
      return parser.functions.declaration();
    }
    boolean workflow =
        token.text().equals("workflow")
            && second.kind() == Kind.NAME
            && !second.newlineBefore()
            && tokens.peek(2).isSign("(");
    if (workflow) {
      return parser.functions.workflow();
    }
    if (second.isSign(":")) {
      tokens.refuse(token.span(), Refusals.LABEL);
      tokens.next();
      tokens.next();
      return parse();
    }
    return exprStatement();
  }

  private Stmt wordStatement(Token token) {
    return switch (token.text()) {
      case "let", "const" -> declare();
      case "var" -> refusedVar(token);
      case "function" -> parser.functions.declaration();
      case "if" -> ifStatement();
      case "while" -> loops.whileLoop();
      case "do" -> loops.doWhile();
      case "for" -> loops.forLoop();
      case "switch" -> switchStatement();
      case "break", "continue" -> jump(token);
      case "return" -> returnStatement();
      case "throw" -> throwStatement();
      case "try" -> tryStatement();
      case "class", "enum" -> refusedBody(token);
      case "import" -> refusedLine(token);
      case "export" -> refusedExport(token);
      case "with" -> refusedWith(token);
      case "debugger" -> refusedWord(token);
      case "case", "default", "catch", "finally", "else" ->
          throw tokens.fail(
              token.span(), "`" + token.text() + "` does not belong to anything here");
      default -> exprStatement();
    };
  }

  /** The end of a statement: a semicolon, a closing brace or a new line. */
  void end() {
    Token token = tokens.peek();
    if (tokens.takeSign(";")
        || token.isSign("}")
        || token.kind() == Kind.END
        || token.newlineBefore()) {
      return;
    }
    throw tokens.fail(token.span(), "expected `;` or a new line before " + token.shown());
  }

  private Stmt exprStatement() {
    Span start = tokens.peek().span();
    Expr expr = parser.expressions.expression();
    Span span = tokens.spanFrom(start);
    end();
    return new ExprStmt(span, expr);
  }

  private Stmt declare() {
    Declare declare = declaration();
    end();
    return declare;
  }

  /** {@code let} or {@code const} with what it declares, without the end of the statement. */
  Declare declaration() {
    Token word = tokens.next();
    boolean constant = word.text().equals("const");
    List<Declarator> declarators = new ArrayList<>();
    do {
      declarators.add(declarator(constant));
    } while (tokens.takeSign(","));
    return new Declare(tokens.spanFrom(word.span()), constant, declarators);
  }

  private Declarator declarator(boolean constant) {
    Span start = tokens.peek().span();
    Pattern pattern = parser.patterns.pattern("the name of a variable");
    return declarator(start, pattern, constant);
  }

  Declarator declarator(Span start, Pattern pattern, boolean constant) {
    Optional<Expr> value = Optional.empty();
    if (tokens.takeSign("=")) {
      value = Optional.of(parser.expressions.assignment());
    } else if (!(pattern instanceof NamePattern)) {
      throw tokens.fail(
          tokens.peek().span(), "a pattern needs a value to take apart: write `= value`");
    } else if (constant) {
      throw tokens.fail(
          tokens.peek().span(), "a `const` needs a value: write `= value`, or use `let`");
    }
    return new Declarator(tokens.spanFrom(start), pattern, value);
  }

  private Stmt ifStatement() {
    Token word = tokens.next();
    Expr test = condition("if");
    Stmt then = body();
    Optional<Stmt> otherwise = tokens.takeWord("else") ? Optional.of(body()) : Optional.empty();
    return new If(tokens.spanFrom(word.span()), test, then, otherwise);
  }

  Expr condition(String word) {
    tokens.expect("(", "behind `" + word + "`");
    Expr test = parser.expressions.expression();
    tokens.expect(")", "to close the condition of `" + word + "`");
    return test;
  }

  /** What follows a condition: any statement but a declaration. */
  Stmt body() {
    Token token = tokens.peek();
    if (token.isWord("let") || token.isWord("const")) {
      tokens.error(token.span(), "a declaration needs a block here: write `{ … }` around it");
    }
    return parse();
  }

  private Stmt switchStatement() {
    Token word = tokens.next();
    Expr value = condition("switch");
    tokens.expect("{", "to open the cases of `switch`");
    parser.switches++;
    List<Case> cases = new ArrayList<>();
    boolean hasDefault = false;
    while (!tokens.isSign("}") && !tokens.atEnd()) {
      Case next = switchCase();
      if (next.test().isEmpty() && hasDefault) {
        tokens.error(next.span(), "a `switch` has one `default`; this is another");
      }
      hasDefault |= next.test().isEmpty();
      cases.add(next);
    }
    parser.switches--;
    parser.closeBlock();
    return new Switch(tokens.spanFrom(word.span()), value, cases);
  }

  private Case switchCase() {
    Token word = tokens.peek();
    Optional<Expr> test = Optional.empty();
    if (tokens.takeWord("case")) {
      test = Optional.of(parser.expressions.expression());
    } else {
      tokens.expectWord("default", "or `case` in a `switch`");
    }
    tokens.expect(":", "behind the case");
    List<Stmt> body = new ArrayList<>();
    while (!tokens.isWord("case")
        && !tokens.isWord("default")
        && !tokens.isSign("}")
        && !tokens.atEnd()) {
      parser.parseInto(body);
    }
    return new Case(tokens.spanFrom(word.span()), test, body);
  }

  private Stmt jump(Token word) {
    tokens.next();
    Token label = tokens.peek();
    if (label.kind() == Kind.NAME && !label.newlineBefore()) {
      tokens.refuse(label.span(), Refusals.LABEL);
      tokens.next();
    }
    boolean isBreak = word.text().equals("break");
    if (isBreak && parser.loops + parser.switches == 0) {
      tokens.error(word.span(), "`break` stands outside of a loop or `switch`");
    } else if (!isBreak && parser.loops == 0) {
      tokens.error(word.span(), "`continue` stands outside of a loop");
    }
    Span span = tokens.spanFrom(word.span());
    end();
    return isBreak ? new Break(span) : new Continue(span);
  }

  private Stmt returnStatement() {
    Token word = tokens.next();
    Optional<Expr> value = Optional.empty();
    if (!endsHere()) {
      value = Optional.of(parser.expressions.expression());
    }
    Span span = tokens.spanFrom(word.span());
    end();
    return new Return(span, value);
  }

  private boolean endsHere() {
    Token token = tokens.peek();
    return token.isSign(";")
        || token.isSign("}")
        || token.kind() == Kind.END
        || token.newlineBefore();
  }

  private Stmt throwStatement() {
    Token word = tokens.next();
    if (endsHere()) {
      throw tokens.fail(
          tokens.peek().span(), "`throw` needs a value on the same line: `throw new Error(…)`");
    }
    Expr value = parser.expressions.expression();
    Span span = tokens.spanFrom(word.span());
    end();
    return new Throw(span, value);
  }

  private Stmt tryStatement() {
    Token word = tokens.next();
    Block body = parser.block("behind `try`");
    Optional<Catch> handler = Optional.empty();
    if (tokens.isWord("catch")) {
      handler = Optional.of(catchClause());
    }
    Optional<Block> last = Optional.empty();
    if (tokens.takeWord("finally")) {
      last = Optional.of(parser.block("behind `finally`"));
    }
    if (handler.isEmpty() && last.isEmpty()) {
      tokens.error(
          tokens.peek().span(),
          "a `try` needs a `catch` or a `finally`, found " + tokens.peek().shown());
    }
    return new Try(tokens.spanFrom(word.span()), body, handler, last);
  }

  private Catch catchClause() {
    Token word = tokens.next();
    Optional<Pattern> pattern = Optional.empty();
    if (tokens.takeSign("(")) {
      pattern = Optional.of(parser.patterns.pattern("the name of the error"));
      tokens.expect(")", "behind the name of the error");
    }
    Block body = parser.block("behind `catch`");
    return new Catch(tokens.spanFrom(word.span()), pattern, body);
  }

  private Stmt refusedVar(Token word) {
    refuseWord(word);
    Declare declare = declaration();
    end();
    return declare;
  }

  private Stmt refusedWord(Token word) {
    refuseWord(word);
    tokens.next();
    end();
    return new Empty(word.span());
  }

  private Stmt refusedBody(Token word) {
    refuseWord(word);
    int start = tokens.mark();
    while (!tokens.isSign("{") && !tokens.atEnd()) {
      tokens.next();
    }
    skipBraces();
    parser.doubt(start);
    return new Empty(tokens.spanFrom(word.span()));
  }

  void skipBraces() {
    int open = 0;
    do {
      Token token = tokens.next();
      open += token.isSign("{") || token.kind() == Kind.TEMPLATE_HEAD ? 1 : 0;
      open -= token.isSign("}") || token.kind() == Kind.TEMPLATE_TAIL ? 1 : 0;
    } while (open > 0 && !tokens.atEnd());
  }

  private Stmt refusedLine(Token word) {
    refuseWord(word);
    int start = tokens.mark();
    do {
      tokens.next();
    } while (!endsHere() || (tokens.isSign("}") && !tokens.peek().newlineBefore()));
    tokens.takeSign(";");
    parser.doubt(start);
    return new Empty(tokens.spanFrom(word.span()));
  }

  private Stmt refusedExport(Token word) {
    refuseWord(word);
    tokens.next();
    tokens.takeWord("default");
    return parse();
  }

  private Stmt refusedWith(Token word) {
    refuseWord(word);
    int start = tokens.mark();
    tokens.next();
    condition("with");
    Stmt body = parse();
    parser.doubt(start);
    return body;
  }

  private void refuseWord(Token word) {
    tokens.refuse(word.span(), Refusals.ofWord(word.text()).orElseThrow());
  }
}
