package dev.pawl.script.lang.syntax;

import dev.pawl.script.lang.syntax.Node.*;
import dev.pawl.script.lang.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Reads expressions, from the assignment down to calls and members. */
final class Expressions {
  private static final int COALESCE = 1;
  private static final int OR = 2;
  private static final int AND = 3;
  private static final int POWER = 13;

  final Literals literals;
  private final Parser parser;
  private final Tokens tokens;
  private boolean inAllowed = true;

  /** What stood in parentheses may be mixed with other operators. */
  private final Set<Expr> inParentheses = Collections.newSetFromMap(new IdentityHashMap<>());

  Expressions(Parser parser) {
    this.parser = parser;
    this.tokens = parser.tokens;
    this.literals = new Literals(parser, this);
  }

  void reset() {
    inAllowed = true;
  }

  /** Reads with {@code in} meaning the head of a loop, not the operator. */
  <T> T withoutIn(Supplier<T> reader) {
    inAllowed = false;
    T result = reader.get();
    inAllowed = true;
    return result;
  }

  /** Lets {@code in} be an operator again; returns what was before. */
  boolean allowIn() {
    boolean before = inAllowed;
    inAllowed = true;
    return before;
  }

  void restoreIn(boolean before) {
    inAllowed = before;
  }

  /** A whole expression; a comma behind it is refused and read over. */
  Expr expression() {
    Expr expr = assignment();
    while (tokens.isSign(",")) {
      tokens.refuse(tokens.next().span(), Refusals.COMMA);
      assignment();
    }
    return expr;
  }

  /** An expression that may stand in a list or as an argument. */
  Expr assignment() {
    tokens.enter();
    try {
      if (parser.functions.arrowAhead()) {
        return parser.functions.arrow();
      }
      if (tokens.isWord("yield")) {
        return refusedYield();
      }
      Expr target = conditional();
      return assignmentTo(target);
    } finally {
      tokens.leave();
    }
  }

  private Expr assignmentTo(Expr target) {
    Token sign = tokens.peek();
    if (sign.kind() != Kind.SIGN || !isAssignment(sign.text())) {
      return target;
    }
    Refusals.ofAssignment(sign.text()).ifPresent(why -> tokens.refuse(sign.span(), why));
    checkTarget(target);
    tokens.next();
    Expr value = assignment();
    Span span = tokens.spanFrom(target.span());
    return new Assign(span, operator(sign.text()), target, value, sign.span());
  }

  private static boolean isAssignment(String sign) {
    return switch (sign) {
      case "=", "+=", "-=", "*=", "/=", "%=" -> true;
      default -> Refusals.ofAssignment(sign).isPresent();
    };
  }

  private static Optional<BinaryOp> operator(String sign) {
    return switch (sign) {
      case "+=" -> Optional.of(BinaryOp.ADD);
      case "-=" -> Optional.of(BinaryOp.SUBTRACT);
      case "*=" -> Optional.of(BinaryOp.MULTIPLY);
      case "/=" -> Optional.of(BinaryOp.DIVIDE);
      case "%=" -> Optional.of(BinaryOp.REMAINDER);
      default -> Optional.empty();
    };
  }

  void checkTarget(Expr target) {
    switch (target) {
      case Name ignored -> {}
      case Member ignored -> {}
      case Index ignored -> {}
      case BadExpr ignored -> {}
      case ObjectLiteral ignored -> tokens.refuse(target.span(), Refusals.PATTERN_ASSIGNMENT);
      case ListLiteral ignored -> tokens.refuse(target.span(), Refusals.PATTERN_ASSIGNMENT);
      default ->
          tokens.error(target.span(), "only a name, a member or an index can be assigned to");
    }
  }

  private Expr conditional() {
    Expr test = binary(0);
    if (!tokens.takeSign("?")) {
      return test;
    }
    boolean before = allowIn();
    Expr then = assignment();
    restoreIn(before);
    tokens.expect(":", "between the two values of `? :`");
    Expr otherwise = assignment();
    return new Conditional(tokens.spanFrom(test.span()), test, then, otherwise);
  }

  private Expr binary(int least) {
    Expr left = unary();
    while (true) {
      Token sign = tokens.peek();
      int strength = strength(sign);
      if (strength <= least) {
        return left;
      }
      if (strength == POWER) {
        checkPowerBase(left, sign);
      }
      tokens.next();
      Expr right = binary(strength == POWER ? POWER - 1 : strength);
      checkMixture(sign, left, right);
      left = combine(sign, left, right);
    }
  }

  private int strength(Token token) {
    if (token.kind() == Kind.WORD) {
      boolean relation =
          token.text().equals("instanceof") || (token.text().equals("in") && inAllowed);
      return relation ? 9 : 0;
    }
    if (token.kind() != Kind.SIGN) {
      return 0;
    }
    return switch (token.text()) {
      case "??" -> COALESCE;
      case "||" -> OR;
      case "&&" -> AND;
      case "|" -> 4;
      case "^" -> 5;
      case "&" -> 6;
      case "==", "!=", "===", "!==" -> 8;
      case "<", ">", "<=", ">=" -> 9;
      case "<<", ">>", ">>>" -> 10;
      case "+", "-" -> 11;
      case "*", "/", "%" -> 12;
      case "**" -> POWER;
      default -> 0;
    };
  }

  private void checkPowerBase(Expr left, Token sign) {
    boolean prefixed = left instanceof Unary || left instanceof Await || left instanceof Delete;
    if (prefixed && !inParentheses.contains(left)) {
      tokens.error(
          sign.span(), "`-a ** b` can be read in two ways: write `(-a) ** b` or `-(a ** b)`");
    }
  }

  private void checkMixture(Token sign, Expr left, Expr right) {
    if (!sign.isSign("??")) {
      return;
    }
    if (isBareAndOr(left) || isBareAndOr(right)) {
      tokens.error(
          sign.span(), "`??` beside `||` or `&&` can be read in two ways: use parentheses");
    }
  }

  private boolean isBareAndOr(Expr expr) {
    return expr instanceof Logical logical
        && logical.op() != LogicalOp.COALESCE
        && !inParentheses.contains(expr);
  }

  private Expr combine(Token sign, Expr left, Expr right) {
    Span span = tokens.spanFrom(left.span());
    return switch (sign.text()) {
      case "??" -> new Logical(span, LogicalOp.COALESCE, left, right);
      case "||" -> new Logical(span, LogicalOp.OR, left, right);
      case "&&" -> new Logical(span, LogicalOp.AND, left, right);
      case "|", "^", "&", "<<", ">>", ">>>" -> {
        tokens.refuse(sign.span(), Refusals.bits(sign.text()));
        yield left;
      }
      case "instanceof" -> {
        tokens.refuse(
            sign.span(),
            "`instanceof` is not in the language: look at `error.code` or `typeof value`");
        yield left;
      }
      default -> new Binary(span, binaryOp(sign.text()), left, right, sign.span());
    };
  }

  private static BinaryOp binaryOp(String sign) {
    return switch (sign) {
      case "==", "===" -> BinaryOp.EQUAL;
      case "!=", "!==" -> BinaryOp.NOT_EQUAL;
      case "<" -> BinaryOp.LESS;
      case "<=" -> BinaryOp.LESS_OR_EQUAL;
      case ">" -> BinaryOp.GREATER;
      case ">=" -> BinaryOp.GREATER_OR_EQUAL;
      case "in" -> BinaryOp.IN;
      case "+" -> BinaryOp.ADD;
      case "-" -> BinaryOp.SUBTRACT;
      case "*" -> BinaryOp.MULTIPLY;
      case "/" -> BinaryOp.DIVIDE;
      case "%" -> BinaryOp.REMAINDER;
      case "**" -> BinaryOp.POWER;
      default -> throw new IllegalStateException(sign);
    };
  }

  private Expr unary() {
    Token token = tokens.peek();
    if (token.kind() == Kind.SIGN) {
      return switch (token.text()) {
        case "!" -> prefix(UnaryOp.NOT);
        case "-" -> prefix(UnaryOp.NEGATE);
        case "+" -> refusedPrefix(Refusals.UNARY_PLUS);
        case "~" -> refusedPrefix(Refusals.bits("~"));
        case "++", "--" -> prefixUpdate();
        default -> postfix();
      };
    }
    if (token.kind() == Kind.WORD) {
      return switch (token.text()) {
        case "typeof" -> prefix(UnaryOp.TYPEOF);
        case "void" -> refusedPrefix(Refusals.ofWord("void").orElseThrow());
        case "delete" -> delete();
        case "await" -> await();
        default -> postfix();
      };
    }
    return postfix();
  }

  private Expr operand() {
    tokens.enter();
    Expr operand = unary();
    tokens.leave();
    return operand;
  }

  private Expr prefix(UnaryOp op) {
    Token sign = tokens.next();
    Expr operand = operand();
    return new Unary(tokens.spanFrom(sign.span()), op, operand);
  }

  private Expr refusedPrefix(String why) {
    tokens.refuse(tokens.next().span(), why);
    return operand();
  }

  private Expr prefixUpdate() {
    Token sign = tokens.next();
    Expr target = operand();
    checkTarget(target);
    return new Update(
        tokens.spanFrom(sign.span()), sign.text().equals("++"), true, target, sign.span());
  }

  private Expr delete() {
    Token word = tokens.next();
    Expr target = operand();
    if (!(target instanceof Member) && !(target instanceof Index)) {
      tokens.error(
          target.span(), "`delete` takes a property: `delete object.name` or `delete object[key]`");
    }
    return new Delete(tokens.spanFrom(word.span()), target);
  }

  private Expr await() {
    Token word = tokens.next();
    if (!parser.asyncAllowed) {
      tokens.error(
          word.span(),
          "`await` stands in a function that is not async: write `async` before the function");
    }
    Expr operand = operand();
    return new Await(tokens.spanFrom(word.span()), operand);
  }

  private Expr refusedYield() {
    Token word = tokens.next();
    tokens.refuse(word.span(), Refusals.ofWord("yield").orElseThrow());
    tokens.takeSign("*");
    boolean operandFollows =
        !tokens.peek().newlineBefore()
            && !tokens.isSign(";")
            && !tokens.isSign(")")
            && !tokens.isSign("}")
            && !tokens.isSign("]")
            && !tokens.isSign(",");
    return operandFollows ? assignment() : new BadExpr(word.span());
  }

  private Expr postfix() {
    Expr expr = calls();
    Token sign = tokens.peek();
    if ((sign.isSign("++") || sign.isSign("--")) && !sign.newlineBefore()) {
      checkTarget(expr);
      tokens.next();
      return new Update(
          tokens.spanFrom(expr.span()), sign.text().equals("++"), false, expr, sign.span());
    }
    return expr;
  }

  /** An operand with the members, indexes and calls behind it. */
  private Expr calls() {
    Token first = tokens.peek();
    Expr expr = literals.primary();
    if (first.isSign("(")) {
      inParentheses.add(expr);
    }
    boolean chain = false;
    Span start = first.span();
    while (true) {
      Token token = tokens.peek();
      if (token.isSign("?.")) {
        chain = true;
        tokens.next();
        expr = optional(start, expr);
      } else if (token.isSign(".")) {
        tokens.next();
        expr = member(start, expr, false);
      } else if (token.isSign("(") && !token.newlineBefore()) {
        expr = new Call(start, expr, arguments(), false);
      } else if (token.isSign("[") && !token.newlineBefore()) {
        expr = index(start, expr, false);
      } else if (isTemplate(token) && !token.newlineBefore()) {
        tokens.refuse(token.span(), Refusals.TAGGED);
        literals.primary();
      } else {
        return chain ? new Chain(tokens.spanFrom(start), expr) : respan(expr, start);
      }
    }
  }

  /** A call ends where its closing parenthesis does, which is known only now. */
  private Expr respan(Expr expr, Span start) {
    return expr instanceof Call call
        ? new Call(tokens.spanFrom(start), call.callee(), call.arguments(), call.optional())
        : expr;
  }

  private static boolean isTemplate(Token token) {
    return token.kind() == Kind.TEMPLATE || token.kind() == Kind.TEMPLATE_HEAD;
  }

  private Expr optional(Span start, Expr object) {
    if (tokens.isSign("(")) {
      List<Expr> arguments = arguments();
      return new Call(tokens.spanFrom(start), object, arguments, true);
    }
    return tokens.isSign("[") ? index(start, object, true) : member(start, object, true);
  }

  private Expr member(Span start, Expr object, boolean optional) {
    Token name = tokens.peek();
    if (name.kind() != Kind.NAME && name.kind() != Kind.WORD) {
      throw tokens.fail(
          name.span(), "expected the name of a property behind `.`, found " + name.shown());
    }
    tokens.next();
    return new Member(tokens.spanFrom(start), object, name.text(), name.span(), optional);
  }

  private Expr index(Span start, Expr object, boolean optional) {
    Token bracket = tokens.next();
    boolean before = allowIn();
    Expr key = expression();
    restoreIn(before);
    tokens.expect("]", "to close the index");
    return new Index(tokens.spanFrom(start), object, key, bracket.span(), optional);
  }

  List<Expr> arguments() {
    tokens.expect("(", "to open the arguments");
    boolean before = allowIn();
    List<Expr> arguments = new ArrayList<>();
    while (!tokens.isSign(")") && !tokens.atEnd()) {
      arguments.add(literals.element());
      if (!tokens.takeSign(",")) {
        break;
      }
    }
    restoreIn(before);
    tokens.expect(")", "to close the arguments");
    return arguments;
  }
}
