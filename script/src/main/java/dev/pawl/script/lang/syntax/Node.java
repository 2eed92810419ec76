package dev.pawl.script.lang.syntax;

import java.util.List;
import java.util.Optional;

/** A part of a script's tree. Every node knows the piece of source it was read from. */
public sealed interface Node {
  Span span();

  /** What has a value. */
  sealed interface Expr extends Node {}

  record NullLiteral(Span span) implements Expr {}

  record BooleanLiteral(Span span, boolean value) implements Expr {}

  record NumberLiteral(Span span, double value) implements Expr {}

  record TextLiteral(Span span, String value) implements Expr {}

  /** {@code texts} has one element more than {@code parts}. */
  record Template(Span span, List<String> texts, List<Expr> parts) implements Expr {}

  record Name(Span span, String name) implements Expr {}

  record ListLiteral(Span span, List<Expr> elements) implements Expr {}

  /** {@code ...value} in a list, a call or an object. */
  record Spread(Span span, Expr value) implements Expr {}

  record ObjectLiteral(Span span, List<Property> properties) implements Expr {}

  sealed interface Property extends Node {}

  record KeyValue(Span span, Key key, Expr value) implements Property {}

  record SpreadProperty(Span span, Expr value) implements Property {}

  sealed interface Key extends Node {}

  record NamedKey(Span span, String name) implements Key {}

  record ComputedKey(Span span, Expr value) implements Key {}

  record FunctionExpr(Span span, Function function) implements Expr {}

  enum UnaryOp {
    NOT,
    NEGATE,
    TYPEOF
  }

  record Unary(Span span, UnaryOp op, Expr operand) implements Expr {}

  /** {@code ++} and {@code --}; {@code sign} is where the operator stands. */
  record Update(Span span, boolean increment, boolean prefix, Expr target, Span sign)
      implements Expr {}

  enum BinaryOp {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    REMAINDER,
    POWER,
    EQUAL,
    NOT_EQUAL,
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    IN
  }

  record Binary(Span span, BinaryOp op, Expr left, Expr right, Span sign) implements Expr {}

  enum LogicalOp {
    AND,
    OR,
    COALESCE
  }

  record Logical(Span span, LogicalOp op, Expr left, Expr right) implements Expr {}

  record Conditional(Span span, Expr test, Expr then, Expr otherwise) implements Expr {}

  /** An assignment; with an operator, {@code a += b} and the like. */
  record Assign(Span span, Optional<BinaryOp> op, Expr target, Expr value, Span sign)
      implements Expr {}

  record Member(Span span, Expr object, String name, Span nameSpan, boolean optional)
      implements Expr {}

  /** {@code bracket} is where the {@code [} stands. */
  record Index(Span span, Expr object, Expr key, Span bracket, boolean optional) implements Expr {}

  record Call(Span span, Expr callee, List<Expr> arguments, boolean optional) implements Expr {}

  /** A chain with {@code ?.} in it: what an absent part makes null. */
  record Chain(Span span, Expr expr) implements Expr {}

  record Await(Span span, Expr operand) implements Expr {}

  record NewError(Span span, List<Expr> arguments) implements Expr {}

  record Delete(Span span, Expr target) implements Expr {}

  /** Stands where an expression could not be read; there is an error for it. */
  record BadExpr(Span span) implements Expr {}

  /** What a value is taken apart into. */
  sealed interface Pattern extends Node {}

  record NamePattern(Span span, String name) implements Pattern {}

  record ObjectPattern(Span span, List<PropertyPattern> properties, Optional<NamePattern> rest)
      implements Pattern {}

  record PropertyPattern(Span span, Key key, Pattern target) implements Node {}

  record ListPattern(Span span, List<Pattern> elements, Optional<Pattern> rest)
      implements Pattern {}

  record DefaultPattern(Span span, Pattern target, Expr value) implements Pattern {}

  /** A place of a list pattern that nothing is taken from. */
  record HolePattern(Span span) implements Pattern {}

  /**
   * A function of any form. An arrow whose body is an expression has a body of one return. {@code
   * name} is empty where it has none.
   */
  record Function(
      Span span,
      String name,
      Span nameSpan,
      List<Pattern> parameters,
      Optional<Pattern> rest,
      List<Stmt> body,
      boolean isAsync)
      implements Node {}

  /** What is carried out. */
  sealed interface Stmt extends Node {}

  record Declare(Span span, boolean constant, List<Declarator> declarators) implements Stmt {}

  record Declarator(Span span, Pattern pattern, Optional<Expr> value) implements Node {}

  /** {@code workflow} tells the third form of a script from a plain function. */
  record FunctionDeclaration(Span span, Function function, boolean workflow) implements Stmt {}

  record ExprStmt(Span span, Expr expr) implements Stmt {}

  record If(Span span, Expr test, Stmt then, Optional<Stmt> otherwise) implements Stmt {}

  record While(Span span, Expr test, Stmt body) implements Stmt {}

  record DoWhile(Span span, Stmt body, Expr test) implements Stmt {}

  record For(Span span, Optional<Stmt> start, Optional<Expr> test, Optional<Expr> update, Stmt body)
      implements Stmt {}

  /** {@code for of} and, with {@code keys}, {@code for in}. */
  record ForEach(Span span, LoopTarget target, boolean keys, Expr source, Stmt body)
      implements Stmt {}

  sealed interface LoopTarget extends Node {}

  record DeclaredTarget(Span span, boolean constant, Pattern pattern) implements LoopTarget {}

  record AssignedTarget(Span span, Expr target) implements LoopTarget {}

  record Switch(Span span, Expr value, List<Case> cases) implements Stmt {}

  /** Without a test it is {@code default}. */
  record Case(Span span, Optional<Expr> test, List<Stmt> body) implements Node {}

  record Break(Span span) implements Stmt {}

  record Continue(Span span) implements Stmt {}

  record Return(Span span, Optional<Expr> value) implements Stmt {}

  record Throw(Span span, Expr value) implements Stmt {}

  record Try(Span span, Block body, Optional<Catch> handler, Optional<Block> last)
      implements Stmt {}

  record Catch(Span span, Optional<Pattern> pattern, Block body) implements Node {}

  record Block(Span span, List<Stmt> body) implements Stmt {}

  record Empty(Span span) implements Stmt {}

  /** A whole script. */
  record Program(Span span, List<Stmt> body) implements Node {}
}
