package dev.pawl.script.lang;

import dev.pawl.script.lang.Emitter.Label;
import dev.pawl.script.lang.syntax.Node;
import dev.pawl.script.lang.syntax.Node.*;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the code of expressions: each leaves one value on the operand stack. */
final class ExpressionCompiler {
  private final FunctionCompiler function;
  private final Emitter out;
  private final AssignmentCompiler assignments;

  /** Where the chains around the present expression end when a part is absent. */
  private final Deque<Label> chains = new ArrayDeque<>();

  ExpressionCompiler(FunctionCompiler function) {
    this.function = function;
    this.out = function.out;
    this.assignments = new AssignmentCompiler(function, this);
  }

  void pushNull() {
    out.emit(Op.CONST, 1, out.constant(Null.NULL));
  }

  /** The value of an expression that is given a name: a function without one takes it. */
  void named(Expr expr, Node pattern) {
    if (expr instanceof FunctionExpr f
        && f.function().name().isEmpty()
        && pattern instanceof NamePattern name) {
      out.at(expr.span().start());
      function.closure(f.function(), name.name());
    } else {
      value(expr);
    }
  }

  /** The expression for what it does; its value is dropped. */
  void effect(Expr expr) {
    switch (expr) {
      case Update update -> assignments.update(update, false);
      case Assign assign -> assignments.assign(assign, false);
      default -> {
        value(expr);
        out.emit(Op.POP, -1);
      }
    }
  }

  void storeTop(Expr target) {
    assignments.storeTop(target);
  }

  void value(Expr expr) {
    out.at(expr.span().start());
    switch (expr) {
      case NullLiteral ignored -> pushNull();
      case BooleanLiteral literal -> constant(literal.value());
      case NumberLiteral literal -> constant(literal.value());
      case TextLiteral literal -> constant(literal.value());
      case Template template -> template(template);
      case Name name -> name(name);
      case ListLiteral list -> list(list.elements());
      case Spread spread -> throw new IllegalStateException("spread outside of a list: " + spread);
      case ObjectLiteral object -> object(object);
      case FunctionExpr f -> functionExpr(f);
      case Unary unary -> unary(unary);
      case Update update -> assignments.update(update, true);
      case Binary binary -> binary(binary);
      case Logical logical -> logical(logical);
      case Conditional conditional -> conditional(conditional);
      case Assign assign -> assignments.assign(assign, true);
      case Member member -> member(member);
      case Index index -> index(index);
      case Call call -> call(call);
      case Chain chain -> chain(chain);
      case Await await -> {
        value(await.operand());
        out.at(await.span().start());
        out.emit(Op.AWAIT, 0);
        out.site();
      }
      case NewError error -> newError(error);
      case Delete delete -> assignments.delete(delete);
      case BadExpr bad -> throw new IllegalStateException("a script with errors: " + bad);
    }
  }

  private void constant(Object value) {
    out.emit(Op.CONST, 1, out.constant(value));
  }

  private void template(Template template) {
    int parts = 0;
    for (int i = 0; i < template.texts().size(); i++) {
      if (!template.texts().get(i).isEmpty()) {
        constant(template.texts().get(i));
        parts++;
      }
      if (i < template.parts().size()) {
        value(template.parts().get(i));
        parts++;
      }
    }
    out.at(template.span().start());
    out.emit(Op.JOIN, 1 - parts, parts);
  }

  private void name(Name name) {
    Variable variable = function.resolution.variable(name);
    if (variable != null) {
      function.load(variable);
    } else if (name.name().equals(Globals.INPUTS) || name.name().equals(Globals.CONTEXT)) {
      out.emit(Op.GLOBAL, 1, name.name().equals(Globals.INPUTS) ? 0 : 1);
    } else {
      constant(builtin(name.name()));
    }
  }

  private static Builtin builtin(String name) {
    Builtin found = Library.find(name);
    if (found == null) {
      throw new IllegalStateException("not in the library: " + name);
    }
    return found;
  }

  /** A list of the elements, spread ones included. */
  private void list(List<Expr> elements) {
    boolean plain = elements.stream().noneMatch(Spread.class::isInstance);
    if (plain && elements.size() <= 64) {
      elements.forEach(this::value);
      out.emit(Op.NEW_LIST, 1 - elements.size(), elements.size());
      return;
    }
    out.emit(Op.NEW_LIST, 1, 0);
    for (Expr element : elements) {
      if (element instanceof Spread spread) {
        value(spread.value());
        out.at(spread.span().start());
        out.emit(Op.APPEND_ALL, -1);
      } else {
        value(element);
        out.emit(Op.APPEND, -1);
      }
    }
  }

  private void object(ObjectLiteral object) {
    out.emit(Op.NEW_OBJECT, 1, Math.min(object.properties().size(), 64));
    for (Property property : object.properties()) {
      switch (property) {
        case SpreadProperty spread -> {
          value(spread.value());
          out.at(spread.span().start());
          out.emit(Op.PUT_ALL, -1);
        }
        case KeyValue pair -> keyValue(pair);
      }
    }
  }

  private void keyValue(KeyValue pair) {
    switch (pair.key()) {
      case NamedKey key -> {
        named(pair.value(), new NamePattern(key.span(), key.name()));
        out.at(key.span().start());
        out.emit(Op.PUT, -1, out.constant(key.name().intern()));
      }
      case ComputedKey key -> {
        value(key.value());
        value(pair.value());
        out.at(key.span().start());
        out.emit(Op.PUT_COMPUTED, -2);
      }
    }
  }

  private void functionExpr(FunctionExpr expr) {
    if (expr.function().name().isEmpty()) {
      function.closure(expr.function(), "");
      return;
    }
    int slots = out.slotMark();
    Scope scope = function.resolution.scope(expr);
    function.enter(scope);
    function.closure(expr.function(), expr.function().name());
    out.emit(Op.DUP, 1);
    function.initialize(function.resolution.variable(expr));
    function.leave(scope);
    out.releaseSlots(slots);
  }

  private void unary(Unary unary) {
    if (unary.op() == UnaryOp.NEGATE && unary.operand() instanceof NumberLiteral number) {
      constant(-number.value());
      return;
    }
    value(unary.operand());
    out.at(unary.span().start());
    switch (unary.op()) {
      case NOT -> out.emit(Op.NOT, 0);
      case NEGATE -> out.emit(Op.NEGATE, 0);
      case TYPEOF -> out.emit(Op.TYPEOF, 0);
    }
  }

  private void binary(Binary binary) {
    value(binary.left());
    value(binary.right());
    out.at(binary.sign().start());
    out.emit(instruction(binary.op()), -1);
  }

  static int instruction(BinaryOp op) {
    return switch (op) {
      case ADD -> Op.ADD;
      case SUBTRACT -> Op.SUBTRACT;
      case MULTIPLY -> Op.MULTIPLY;
      case DIVIDE -> Op.DIVIDE;
      case REMAINDER -> Op.REMAINDER;
      case POWER -> Op.POWER;
      case EQUAL -> Op.EQUAL;
      case NOT_EQUAL -> Op.NOT_EQUAL;
      case LESS -> Op.LESS;
      case LESS_OR_EQUAL -> Op.LESS_OR_EQUAL;
      case GREATER -> Op.GREATER;
      case GREATER_OR_EQUAL -> Op.GREATER_OR_EQUAL;
      case IN -> Op.IN;
    };
  }

  /** Jumps if the expression is not true, otherwise goes on; leaves nothing on the stack. */
  void unless(Expr test, Label target) {
    if (test instanceof Binary binary && isComparison(binary.op())) {
      value(binary.left());
      value(binary.right());
      out.at(binary.sign().start());
      out.jump(instruction(binary.op()) - Op.EQUAL + Op.JUMP_UNLESS_EQUAL, -2, target);
    } else if (test instanceof Logical logical && logical.op() == LogicalOp.AND) {
      unless(logical.left(), target);
      unless(logical.right(), target);
    } else if (test instanceof Unary unary && unary.op() == UnaryOp.NOT) {
      value(unary.operand());
      out.jump(Op.JUMP_IF_TRUE, -1, target);
    } else {
      value(test);
      out.jump(Op.JUMP_IF_FALSE, -1, target);
    }
  }

  private static boolean isComparison(BinaryOp op) {
    return switch (op) {
      case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> true;
      default -> false;
    };
  }

  private void logical(Logical logical) {
    value(logical.left());
    Label end = new Label();
    int jump =
        switch (logical.op()) {
          case AND -> Op.JUMP_IF_FALSE_KEEP;
          case OR -> Op.JUMP_IF_TRUE_KEEP;
          case COALESCE -> Op.JUMP_IF_VALUE_KEEP;
        };
    out.jump(jump, -1, end);
    value(logical.right());
    out.markAndBind(end);
  }

  private void conditional(Conditional conditional) {
    Label otherwise = new Label();
    Label end = new Label();
    unless(conditional.test(), otherwise);
    value(conditional.then());
    out.jump(Op.JUMP, -1, end);
    out.markAndBind(otherwise);
    value(conditional.otherwise());
    out.markAndBind(end);
  }

  private void chain(Chain chain) {
    Label end = new Label();
    chains.push(end);
    value(chain.expr());
    chains.pop();
    out.markAndBind(end);
  }

  private void member(Member member) {
    Object constant = libraryMember(member);
    if (constant != null) {
      constant(constant);
      return;
    }
    value(member.object());
    out.at(member.nameSpan().start());
    int name = out.constant(member.name());
    if (member.optional()) {
      out.jump(Op.GET_OPTIONAL, 0, chains.element(), name);
    } else {
      out.emit(Op.GET, 0, name, 0);
    }
  }

  private @Nullable Object libraryMember(Member member) {
    boolean library =
        member.object() instanceof Name name
            && function.resolution.variable(name) == null
            && Globals.isNamespace(name.name());
    return library ? Globals.member(((Name) member.object()).name(), member.name()) : null;
  }

  private void index(Index index) {
    value(index.object());
    if (index.optional()) {
      out.at(index.bracket().start());
      out.jump(Op.JUMP_IF_NULL, 0, chains.element());
    }
    value(index.key());
    out.at(index.bracket().start());
    out.emit(Op.GET_INDEX, -1);
  }

  private void call(Call call) {
    int place = placeOf(call.callee());
    boolean spread = call.arguments().stream().anyMatch(Spread.class::isInstance);
    Builtin builtin = builtinOf(call.callee());
    if (builtin != null && !call.optional()) {
      arguments(call.arguments(), spread);
      out.at(place);
      int count = call.arguments().size();
      out.emit(
          spread ? Op.BUILTIN_LIST : Op.BUILTIN,
          spread ? 0 : 1 - count,
          out.constant(builtin),
          spread ? 0 : count);
    } else if (call.callee() instanceof Member member && !call.optional()) {
      invoke(call, member, spread);
    } else {
      value(call.callee());
      if (call.optional()) {
        out.jump(Op.JUMP_IF_NULL, 0, chains.element());
      }
      arguments(call.arguments(), spread);
      out.at(place);
      if (spread) {
        out.emit(Op.CALL_LIST, -1);
      } else {
        out.emit(Op.CALL, -call.arguments().size(), call.arguments().size());
      }
    }
    out.site();
  }

  private void invoke(Call call, Member member, boolean spread) {
    value(member.object());
    out.at(member.nameSpan().start());
    int name = out.constant(member.name());
    if (member.optional()) {
      out.jump(Op.METHOD_OPTIONAL, 0, chains.element(), name);
    }
    arguments(call.arguments(), spread);
    out.at(member.nameSpan().start());
    int method = Methods.id(member.name());
    if (spread) {
      out.emit(Op.INVOKE_LIST, -1, name, method);
    } else {
      out.emit(Op.INVOKE, -call.arguments().size(), name, method, call.arguments().size());
    }
  }

  private void arguments(List<Expr> arguments, boolean spread) {
    if (spread) {
      list(arguments);
    } else {
      arguments.forEach(this::value);
    }
  }

  private @Nullable Builtin builtinOf(Expr callee) {
    if (callee instanceof Name name && function.resolution.variable(name) == null) {
      return Library.find(name.name());
    }
    return callee instanceof Member member && libraryMember(member) instanceof Builtin found
        ? found
        : null;
  }

  private static int placeOf(Expr callee) {
    return switch (callee) {
      case Member member -> member.nameSpan().start();
      case Index index -> index.bracket().start();
      default -> callee.span().start();
    };
  }

  private void newError(NewError error) {
    list(error.arguments());
    out.at(error.span().start());
    out.emit(Op.NEW_ERROR, 0);
  }
}
