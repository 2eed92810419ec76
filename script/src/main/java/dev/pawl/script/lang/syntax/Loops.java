package dev.pawl.script.lang.syntax;

import dev.pawl.script.lang.syntax.Node.*;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the loops. */
final class Loops {
  private final Parser parser;
  private final Tokens tokens;
  private final Statements statements;

  Loops(Parser parser, Statements statements) {
    this.parser = parser;
    this.tokens = parser.tokens;
    this.statements = statements;
  }

  Stmt whileLoop() {
    Token word = tokens.next();
    Expr test = statements.condition("while");
    Stmt body = loopBody();
    return new While(tokens.spanFrom(word.span()), test, body);
  }

  Stmt doWhile() {
    Token word = tokens.next();
    Stmt body = loopBody();
    tokens.expectWord("while", "behind the body of `do`");
    Expr test = statements.condition("while");
    tokens.takeSign(";");
    return new DoWhile(tokens.spanFrom(word.span()), body, test);
  }

  Stmt forLoop() {
    Token word = tokens.next();
    if (tokens.isWord("await")) {
      tokens.refuse(tokens.next().span(), Refusals.FOR_AWAIT);
    }
    tokens.expect("(", "behind `for`");
    Token first = tokens.peek();
    if (first.isSign(";")) {
      return counting(word, Optional.empty());
    }
    if (first.isWord("let") || first.isWord("const")) {
      return declaring(word, first);
    }
    if (first.isWord("var")) {
      tokens.refuse(first.span(), Refusals.ofWord("var").orElseThrow());
      return declaring(word, first);
    }
    return assigning(word, first);
  }

  private Stmt declaring(Token word, Token kind) {
    boolean constant = kind.text().equals("const");
    tokens.next();
    Span start = tokens.peek().span();
    Pattern pattern = parser.patterns.pattern("the name of a variable");
    if (isEachWord()) {
      Span span = tokens.spanFrom(kind.span());
      return each(word, new DeclaredTarget(span, constant, pattern));
    }
    List<Declarator> declarators = new ArrayList<>();
    declarators.add(
        parser.expressions.withoutIn(() -> statements.declarator(start, pattern, constant)));
    while (tokens.takeSign(",")) {
      Span next = tokens.peek().span();
      Pattern other = parser.patterns.pattern("the name of a variable");
      declarators.add(
          parser.expressions.withoutIn(() -> statements.declarator(next, other, constant)));
    }
    Declare declare = new Declare(tokens.spanFrom(kind.span()), constant, declarators);
    return counting(word, Optional.of(declare));
  }

  private Stmt assigning(Token word, Token first) {
    Expr expr = parser.expressions.withoutIn(parser.expressions::expression);
    if (isEachWord()) {
      parser.expressions.checkTarget(expr);
      return each(word, new AssignedTarget(expr.span(), expr));
    }
    return counting(word, Optional.of(new ExprStmt(tokens.spanFrom(first.span()), expr)));
  }

  private boolean isEachWord() {
    return tokens.peek().isName("of") || tokens.isWord("in");
  }

  private Stmt each(Token word, LoopTarget target) {
    boolean keys = tokens.next().text().equals("in");
    Expr source = keys ? parser.expressions.expression() : parser.expressions.assignment();
    tokens.expect(")", "to close the head of `for`");
    Stmt body = loopBody();
    return new ForEach(tokens.spanFrom(word.span()), target, keys, source, body);
  }

  private Stmt counting(Token word, Optional<Stmt> start) {
    tokens.expect(";", "behind the start of `for`, or `of` or `in`");
    Optional<Expr> test = Optional.empty();
    if (!tokens.isSign(";")) {
      test = Optional.of(parser.expressions.expression());
    }
    tokens.expect(";", "behind the condition of `for`");
    Optional<Expr> update = Optional.empty();
    if (!tokens.isSign(")")) {
      update = Optional.of(parser.expressions.expression());
    }
    tokens.expect(")", "to close the head of `for`");
    Stmt body = loopBody();
    return new For(tokens.spanFrom(word.span()), start, test, update, body);
  }

  private Stmt loopBody() {
    parser.loops++;
    Stmt body = statements.body();
    parser.loops--;
    return body;
  }
}
