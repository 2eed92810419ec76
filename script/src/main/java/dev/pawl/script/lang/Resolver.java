package dev.pawl.script.lang;

import dev.pawl.script.lang.syntax.ErrorList;
import dev.pawl.script.lang.syntax.Node;
import dev.pawl.script.lang.syntax.Node.*;
import dev.pawl.script.lang.syntax.Refusals;
import dev.pawl.script.lang.syntax.Span;
import java.util.List;
import java.util.Set;

/**
 * Finds what every name means. Reports names that are declared nowhere or twice, constants that are
 * assigned to, and members the library does not have.
 */
final class Resolver {
  private final ErrorList errors;
  private final Set<String> doubtful;
  private final Resolution found = new Resolution();
  private Scope scope;

  private Resolver(ErrorList errors, Set<String> doubtful, Scope top) {
    this.errors = errors;
    this.doubtful = doubtful;
    this.scope = top;
  }

  /** {@code doubtful} names may be declared in a part that could not be read. */
  static Resolution resolve(Node.Function top, Set<String> doubtful, ErrorList errors) {
    Resolver resolver = new Resolver(errors, doubtful, new Scope(null, top));
    resolver.found.scopes.put(top, resolver.scope);
    resolver.declareAll(top.body());
    resolver.statements(top.body());
    return resolver.found;
  }

  private void open(Node node, Node.Function function) {
    scope = new Scope(scope, function);
    found.scopes.put(node, scope);
  }

  private void close() {
    Scope parent = scope.parent;
    if (parent != null) {
      scope = parent;
    }
  }

  private void declareAll(List<Stmt> body) {
    for (Stmt stmt : body) {
      if (stmt instanceof Declare declare) {
        declare.declarators().forEach(d -> declare(d.pattern(), declare.constant(), d.span()));
      } else if (stmt instanceof FunctionDeclaration function) {
        Node.Function f = function.function();
        declare(function, f.name(), f.nameSpan(), false, -1);
      }
    }
  }

  private void declare(Pattern pattern, boolean constant, Span whole) {
    switch (pattern) {
      case NamePattern name -> declare(name, name.name(), name.span(), constant, whole.end());
      case DefaultPattern other -> declare(other.target(), constant, whole);
      case HolePattern ignored -> {}
      case ListPattern list -> {
        list.elements().forEach(element -> declare(element, constant, whole));
        list.rest().ifPresent(rest -> declare(rest, constant, whole));
      }
      case ObjectPattern object -> {
        object.properties().forEach(property -> declare(property.target(), constant, whole));
        object.rest().ifPresent(rest -> declare(rest, constant, whole));
      }
    }
  }

  private void declare(Node node, String name, Span span, boolean constant, int readyAt) {
    Variable earlier = scope.names.get(name);
    if (earlier != null) {
      errors.add(
          ErrorList.ALREADY_DECLARED,
          span,
          "`%s` is already declared in this block, in line %d: use another name"
              .formatted(name, earlier.declared.line()));
      found.variables.put(node, earlier);
      return;
    }
    Variable variable = new Variable(name, constant, scope.function, span, readyAt);
    variable.checked = scope.skippable && readyAt >= 0;
    scope.names.put(name, variable);
    found.variables.put(node, variable);
  }

  private void statements(List<Stmt> body) {
    body.forEach(this::statement);
  }

  private void statement(Stmt stmt) {
    switch (stmt) {
      case Declare declare ->
          declare
              .declarators()
              .forEach(d -> {
                pattern(d.pattern());
                d.value().ifPresent(this::expr);
              });
      case FunctionDeclaration function -> function(function.function());
      case ExprStmt e -> expr(e.expr());
      case If branch -> {
        expr(branch.test());
        statement(branch.then());
        branch.otherwise().ifPresent(this::statement);
      }
      case While loop -> {
        expr(loop.test());
        statement(loop.body());
      }
      case DoWhile loop -> {
        statement(loop.body());
        expr(loop.test());
      }
      case For loop -> forLoop(loop);
      case ForEach loop -> forEach(loop);
      case Switch choice -> switchStatement(choice);
      case Break ignored -> {}
      case Continue ignored -> {}
      case Empty ignored -> {}
      case Return value -> value.value().ifPresent(this::expr);
      case Throw value -> expr(value.value());
      case Try attempt -> tryStatement(attempt);
      case Block block -> block(block);
    }
  }

  private void block(Block block) {
    open(block, scope.function);
    declareAll(block.body());
    statements(block.body());
    close();
  }

  private void forLoop(For loop) {
    open(loop, scope.function);
    loop.start().ifPresent(start -> declareAll(List.of(start)));
    loop.start().ifPresent(this::statement);
    loop.test().ifPresent(this::expr);
    loop.update().ifPresent(this::expr);
    statement(loop.body());
    close();
  }

  private void forEach(ForEach loop) {
    open(loop, scope.function);
    switch (loop.target()) {
      case DeclaredTarget target -> {
        declare(target.pattern(), target.constant(), loop.source().span());
        pattern(target.pattern());
      }
      case AssignedTarget target -> assigned(target.target());
    }
    expr(loop.source());
    statement(loop.body());
    close();
  }

  private void switchStatement(Switch choice) {
    expr(choice.value());
    open(choice, scope.function);
    scope.skippable = true;
    choice.cases().forEach(branch -> declareAll(branch.body()));
    for (Case branch : choice.cases()) {
      branch.test().ifPresent(this::expr);
      statements(branch.body());
    }
    close();
  }

  private void tryStatement(Try attempt) {
    block(attempt.body());
    if (attempt.handler().isPresent()) {
      Catch handler = attempt.handler().get();
      open(handler, scope.function);
      handler.pattern().ifPresent(pattern -> declare(pattern, false, pattern.span()));
      handler.pattern().ifPresent(this::pattern);
      declareAll(handler.body().body());
      statements(handler.body().body());
      close();
    }
    attempt.last().ifPresent(this::block);
  }

  private void function(Node.Function function) {
    open(function, function);
    for (Pattern parameter : function.parameters()) {
      declare(parameter, false, parameter.span());
    }
    function.rest().ifPresent(rest -> declare(rest, false, rest.span()));
    declareAll(function.body());
    function.parameters().forEach(this::pattern);
    function.rest().ifPresent(this::pattern);
    statements(function.body());
    close();
  }

  /** Resolves the defaults and computed keys inside a pattern. */
  private void pattern(Pattern pattern) {
    switch (pattern) {
      case NamePattern ignored -> {}
      case HolePattern ignored -> {}
      case DefaultPattern other -> {
        pattern(other.target());
        expr(other.value());
      }
      case ListPattern list -> {
        list.elements().forEach(this::pattern);
        list.rest().ifPresent(this::pattern);
      }
      case ObjectPattern object -> {
        for (PropertyPattern property : object.properties()) {
          key(property.key());
          pattern(property.target());
        }
      }
    }
  }

  private void key(Key key) {
    if (key instanceof ComputedKey computed) {
      expr(computed.value());
    }
  }

  private void exprs(List<Expr> all) {
    all.forEach(this::expr);
  }

  private void expr(Expr expr) {
    switch (expr) {
      case NullLiteral ignored -> {}
      case BooleanLiteral ignored -> {}
      case NumberLiteral ignored -> {}
      case TextLiteral ignored -> {}
      case BadExpr ignored -> {}
      case Template template -> exprs(template.parts());
      case Name name -> name(name);
      case ListLiteral list -> exprs(list.elements());
      case Spread spread -> expr(spread.value());
      case ObjectLiteral object -> object.properties().forEach(this::property);
      case FunctionExpr function -> functionExpr(function);
      case Unary unary -> expr(unary.operand());
      case Update update -> assigned(update.target());
      case Binary binary -> {
        expr(binary.left());
        expr(binary.right());
      }
      case Logical logical -> {
        expr(logical.left());
        expr(logical.right());
      }
      case Conditional conditional -> {
        expr(conditional.test());
        expr(conditional.then());
        expr(conditional.otherwise());
      }
      case Assign assign -> {
        assigned(assign.target());
        expr(assign.value());
      }
      case Member member -> member(member);
      case Index index -> {
        expr(index.object());
        expr(index.key());
      }
      case Call call -> {
        expr(call.callee());
        exprs(call.arguments());
      }
      case Chain chain -> expr(chain.expr());
      case Await await -> expr(await.operand());
      case NewError error -> exprs(error.arguments());
      case Delete delete -> {
        checkLibraryTarget(delete.target());
        expr(delete.target());
      }
    }
  }

  private void property(Property property) {
    switch (property) {
      case KeyValue pair -> {
        key(pair.key());
        expr(pair.value());
      }
      case SpreadProperty spread -> expr(spread.value());
    }
  }

  private void functionExpr(FunctionExpr expr) {
    Node.Function function = expr.function();
    if (function.name().isEmpty()) {
      function(function);
      return;
    }
    open(expr, scope.function);
    declare(expr, function.name(), function.nameSpan(), false, -1);
    function(function);
    close();
  }

  private void member(Member member) {
    if (member.object() instanceof Name name && isLibrary(name.name())) {
      if (Globals.isNamespace(name.name())) {
        checkMember(name.name(), member);
        return;
      }
    }
    expr(member.object());
  }

  private boolean isLibrary(String name) {
    return scope.find(name) == null && Globals.NAMES.contains(name);
  }

  private void checkMember(String namespace, Member member) {
    if (Globals.member(namespace, member.name()) == null) {
      errors.add(
          ErrorList.UNDECLARED_NAME,
          member.nameSpan(),
          Globals.unknownMember(namespace, member.name()));
    }
  }

  private void assigned(Expr target) {
    if (!(target instanceof Name name)) {
      checkLibraryTarget(target);
      expr(target);
      return;
    }
    Variable variable = scope.find(name.name());
    if (variable != null && variable.constant) {
      errors.add(
          ErrorList.CONST_ASSIGNMENT,
          name.span(),
          "`%s` is a constant, declared in line %d: declare it with `let` to change it"
              .formatted(name.name(), variable.declared.line()));
    } else if (variable == null && Globals.NAMES.contains(name.name())) {
      errors.add(
          ErrorList.CONST_ASSIGNMENT,
          name.span(),
          "`%s` belongs to the library and cannot be changed: use another name"
              .formatted(name.name()));
    }
    name(name);
  }

  private void checkLibraryTarget(Expr target) {
    if (target instanceof Member member
        && member.object() instanceof Name name
        && isLibrary(name.name())
        && Globals.isNamespace(name.name())) {
      errors.add(
          ErrorList.CONST_ASSIGNMENT,
          name.span(),
          "`%s.%s` belongs to the library and cannot be changed"
              .formatted(name.name(), member.name()));
    }
  }

  private void name(Name name) {
    Variable variable = scope.find(name.name());
    if (variable != null) {
      use(name, variable);
      return;
    }
    if (Refusals.ofName(name.name()).isPresent()) {
      errors.add(
          ErrorList.NOT_IN_LANGUAGE, name.span(), Refusals.ofName(name.name()).orElseThrow());
    } else if (Globals.isNamespace(name.name()) && !Globals.isCallable(name.name())) {
      errors.add(
          ErrorList.SYNTAX_ERROR,
          name.span(),
          "`%s` is not a value: name one of its members, such as `%s`"
              .formatted(name.name(), Globals.example(name.name())));
    } else if (!Globals.NAMES.contains(name.name()) && !doubtful.contains(name.name())) {
      errors.add(
          ErrorList.UNDECLARED_NAME, name.span(), Globals.undeclared(name.name(), scope.visible()));
    }
  }

  private void use(Name name, Variable variable) {
    found.variables.put(name, variable);
    if (!variable.belongsTo(scope.function)) {
      variable.captured = true;
    } else if (name.span().start() < variable.readyAt) {
      variable.checked = true;
    }
  }
}
