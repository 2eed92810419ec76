package dev.pawl.script.lang.syntax;

import dev.pawl.script.lang.syntax.Node.*;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Walks over trees without recursion. */
public final class Children {
  private Children() {}

  /** The nodes directly below, in the order of the source. */
  public static List<Node> of(Node node) {
    List<Node> found = new ArrayList<>();
    collect(node, found);
    return found;
  }

  /** The first node that has more than {@code limit} nodes above it. */
  static Optional<Node> deeperThan(int limit, Node root) {
    record Level(Node node, int depth) {}
    Deque<Level> open = new ArrayDeque<>();
    open.push(new Level(root, 0));
    while (!open.isEmpty()) {
      Level level = open.pop();
      if (level.depth() > limit) {
        return Optional.of(level.node());
      }
      of(level.node()).forEach(child -> open.push(new Level(child, level.depth() + 1)));
    }
    return Optional.empty();
  }

  private static void collect(Node node, List<Node> to) {
    switch (node) {
      case Expr expr -> collectExpr(expr, to);
      case Stmt stmt -> collectStmt(stmt, to);
      case KeyValue property -> add(to, property.key(), property.value());
      case SpreadProperty property -> to.add(property.value());
      case NamedKey ignored -> {}
      case ComputedKey key -> to.add(key.value());
      case Pattern pattern -> collectPattern(pattern, to);
      case PropertyPattern property -> add(to, property.key(), property.target());
      case Function function -> {
        to.addAll(function.parameters());
        function.rest().ifPresent(to::add);
        to.addAll(function.body());
      }
      case Declarator declarator -> {
        to.add(declarator.pattern());
        declarator.value().ifPresent(to::add);
      }
      case DeclaredTarget target -> to.add(target.pattern());
      case AssignedTarget target -> to.add(target.target());
      case Case branch -> {
        branch.test().ifPresent(to::add);
        to.addAll(branch.body());
      }
      case Catch handler -> {
        handler.pattern().ifPresent(to::add);
        to.add(handler.body());
      }
      case Program program -> to.addAll(program.body());
    }
  }

  private static void collectExpr(Expr expr, List<Node> to) {
    switch (expr) {
      case NullLiteral ignored -> {}
      case BooleanLiteral ignored -> {}
      case NumberLiteral ignored -> {}
      case TextLiteral ignored -> {}
      case Name ignored -> {}
      case BadExpr ignored -> {}
      case Template template -> to.addAll(template.parts());
      case ListLiteral list -> to.addAll(list.elements());
      case Spread spread -> to.add(spread.value());
      case ObjectLiteral object -> to.addAll(object.properties());
      case FunctionExpr function -> to.add(function.function());
      case Unary unary -> to.add(unary.operand());
      case Update update -> to.add(update.target());
      case Binary binary -> add(to, binary.left(), binary.right());
      case Logical logical -> add(to, logical.left(), logical.right());
      case Conditional c -> add(to, c.test(), c.then(), c.otherwise());
      case Assign assign -> add(to, assign.target(), assign.value());
      case Member member -> to.add(member.object());
      case Index index -> add(to, index.object(), index.key());
      case Call call -> {
        to.add(call.callee());
        to.addAll(call.arguments());
      }
      case Chain chain -> to.add(chain.expr());
      case Await await -> to.add(await.operand());
      case NewError error -> to.addAll(error.arguments());
      case Delete delete -> to.add(delete.target());
    }
  }

  private static void collectPattern(Pattern pattern, List<Node> to) {
    switch (pattern) {
      case NamePattern ignored -> {}
      case HolePattern ignored -> {}
      case ObjectPattern object -> {
        to.addAll(object.properties());
        object.rest().ifPresent(to::add);
      }
      case ListPattern list -> {
        to.addAll(list.elements());
        list.rest().ifPresent(to::add);
      }
      case DefaultPattern other -> add(to, other.target(), other.value());
    }
  }

  private static void collectStmt(Stmt stmt, List<Node> to) {
    switch (stmt) {
      case Declare declare -> to.addAll(declare.declarators());
      case FunctionDeclaration function -> to.add(function.function());
      case ExprStmt expr -> to.add(expr.expr());
      case If branch -> {
        add(to, branch.test(), branch.then());
        branch.otherwise().ifPresent(to::add);
      }
      case While loop -> add(to, loop.test(), loop.body());
      case DoWhile loop -> add(to, loop.body(), loop.test());
      case For loop -> {
        loop.start().ifPresent(to::add);
        loop.test().ifPresent(to::add);
        loop.update().ifPresent(to::add);
        to.add(loop.body());
      }
      case ForEach loop -> add(to, loop.target(), loop.source(), loop.body());
      case Switch choice -> {
        to.add(choice.value());
        to.addAll(choice.cases());
      }
      case Break ignored -> {}
      case Continue ignored -> {}
      case Empty ignored -> {}
      case Return value -> value.value().ifPresent(to::add);
      case Throw value -> to.add(value.value());
      case Try attempt -> {
        to.add(attempt.body());
        attempt.handler().ifPresent(to::add);
        attempt.last().ifPresent(to::add);
      }
      case Block block -> to.addAll(block.body());
    }
  }

  private static void add(List<Node> to, Node... nodes) {
    to.addAll(List.of(nodes));
  }
}
