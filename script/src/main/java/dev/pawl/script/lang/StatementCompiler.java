package dev.pawl.script.lang;

import dev.pawl.script.lang.Emitter.Label;
import dev.pawl.script.lang.syntax.Node;
import dev.pawl.script.lang.syntax.Node.*;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Makes the code of statements. Between statements the operand stack is empty. */
final class StatementCompiler {
  private final FunctionCompiler function;
  private final Emitter out;
  private final ExpressionCompiler expressions;
  private final Deque<Target> targets = new ArrayDeque<>();

  /** Where break, continue and return lead. */
  private sealed interface Target {}

  private record LoopTarget(Label end, Label next) implements Target {}

  private record SwitchTarget(Label end) implements Target {}

  /** A finally block that has to run on the way out. */
  private record FinallyTarget(int completion, int value, Label block) implements Target {}

  private static final int NORMAL = 0;
  private static final int THROWN = 1;
  private static final int BREAK = 2;
  private static final int CONTINUE = 3;
  private static final int RETURN = 4;

  StatementCompiler(FunctionCompiler function) {
    this.function = function;
    this.out = function.out;
    this.expressions = function.expressions;
  }

  void all(List<Stmt> body) {
    body.forEach(this::statement);
  }

  private void statement(Stmt stmt) {
    if (stmt instanceof FunctionDeclaration || stmt instanceof Empty) {
      return;
    }
    out.at(stmt.span().start());
    if (!(stmt instanceof Block)) {
      out.statement();
    }
    switch (stmt) {
      case Declare declare -> declare.declarators().forEach(this::declarator);
      case FunctionDeclaration ignored -> {}
      case Empty ignored -> {}
      case ExprStmt e -> expressions.effect(e.expr());
      case If branch -> ifStatement(branch);
      case While loop -> whileLoop(loop);
      case DoWhile loop -> doWhile(loop);
      case For loop -> forLoop(loop);
      case ForEach loop -> forEach(loop);
      case Switch choice -> switchStatement(choice);
      case Break ignored -> leave(BREAK);
      case Continue ignored -> leave(CONTINUE);
      case Return value -> {
        value.value().ifPresentOrElse(expressions::value, expressions::pushNull);
        out.at(value.span().start());
        leave(RETURN);
      }
      case Throw value -> {
        expressions.value(value.value());
        out.at(value.span().start());
        out.emit(Op.THROW, -1);
      }
      case Try attempt -> tryStatement(attempt);
      case Block block -> block(block, block.body());
    }
  }

  private void declarator(Declarator declarator) {
    if (declarator.value().isPresent()) {
      expressions.named(declarator.value().get(), declarator.pattern());
    } else {
      expressions.pushNull();
    }
    bind(declarator.pattern());
  }

  private void bind(Pattern pattern) {
    if (pattern instanceof NamePattern) {
      function.initialize(function.resolution.variable(pattern));
    } else {
      function.patterns.bind(pattern);
    }
  }

  private void block(Node scopeOwner, List<Stmt> body) {
    int slots = out.slotMark();
    Scope scope = function.resolution.scope(scopeOwner);
    function.enter(scope);
    function.hoist(body);
    all(body);
    function.leave(scope);
    out.releaseSlots(slots);
  }

  private void ifStatement(If branch) {
    Label otherwise = new Label();
    expressions.unless(branch.test(), otherwise);
    statement(branch.then());
    if (branch.otherwise().isEmpty()) {
      out.markAndBind(otherwise);
      return;
    }
    Label end = new Label();
    out.jump(Op.JUMP, 0, end);
    out.markAndBind(otherwise);
    statement(branch.otherwise().get());
    out.markAndBind(end);
  }

  private void whileLoop(While loop) {
    LoopTarget target = new LoopTarget(new Label(), new Label());
    out.mark(target.next());
    int start = out.address();
    expressions.unless(loop.test(), target.end());
    body(loop.body(), target);
    out.jumpBack(Op.JUMP, 0, start);
    finish(target);
  }

  private void doWhile(DoWhile loop) {
    LoopTarget target = new LoopTarget(new Label(), new Label());
    int start = out.address();
    body(loop.body(), target);
    out.mark(target.next());
    expressions.unless(loop.test(), target.end());
    out.jumpBack(Op.JUMP, 0, start);
    finish(target);
  }

  private void body(Stmt body, LoopTarget target) {
    targets.push(target);
    statement(body);
    targets.pop();
  }

  private void finish(LoopTarget target) {
    out.mark(target.end());
    out.bind(target.end());
    out.bind(target.next());
  }

  private void forLoop(For loop) {
    int slots = out.slotMark();
    Scope scope = function.resolution.scope(loop);
    function.enter(scope);
    loop.start().ifPresent(this::statement);
    LoopTarget target = new LoopTarget(new Label(), new Label());
    int start = out.address();
    loop.test().ifPresent(test -> expressions.unless(test, target.end()));
    body(loop.body(), target);
    out.mark(target.next());
    for (Variable variable : scope.names.values()) {
      if (variable.captured) {
        out.emit(Op.COPY_CELL, 0, variable.slot);
      }
    }
    loop.update().ifPresent(expressions::effect);
    out.jumpBack(Op.JUMP, 0, start);
    finish(target);
    function.leave(scope);
    out.releaseSlots(slots);
  }

  private void forEach(ForEach loop) {
    int slots = out.slotMark();
    int iterator = out.takeSlot();
    Scope scope = function.resolution.scope(loop);
    expressions.value(loop.source());
    out.at(loop.source().span().start());
    if (loop.keys()) {
      out.emit(Op.KEYS, 0);
    }
    out.emit(Op.ITERATE, -1, iterator);
    int rangeStart = out.address();
    LoopTarget target = new LoopTarget(new Label(), new Label());
    out.mark(target.next());
    int start = out.address();
    out.jump(Op.NEXT, 1, target.end(), iterator);
    function.enter(scope);
    switch (loop.target()) {
      case DeclaredTarget declared -> bind(declared.pattern());
      case AssignedTarget assigned -> expressions.storeTop(assigned.target());
    }
    body(loop.body(), target);
    out.jumpBack(Op.JUMP, 0, start);
    function.leave(scope);
    finish(target);
    out.range("", iterator, rangeStart);
    out.releaseSlots(slots);
  }

  private void switchStatement(Switch choice) {
    int slots = out.slotMark();
    int value = out.takeSlot();
    expressions.value(choice.value());
    out.emit(Op.SET_LOCAL, -1, value);
    int rangeStart = out.address();
    Scope scope = function.resolution.scope(choice);
    function.enter(scope);
    choice.cases().forEach(branch -> function.hoist(branch.body()));
    Label[] labels = new Label[choice.cases().size()];
    Optional<Label> otherwise = Optional.empty();
    for (int i = 0; i < labels.length; i++) {
      labels[i] = new Label();
      Case branch = choice.cases().get(i);
      if (branch.test().isEmpty()) {
        otherwise = Optional.of(labels[i]);
      } else {
        out.emit(Op.LOCAL, 1, value);
        expressions.value(branch.test().get());
        out.jump(Op.JUMP_UNLESS_NOT_EQUAL, -2, labels[i]);
      }
    }
    SwitchTarget target = new SwitchTarget(new Label());
    out.jump(Op.JUMP, 0, otherwise.orElse(target.end()));
    targets.push(target);
    for (int i = 0; i < labels.length; i++) {
      out.mark(labels[i]);
      all(choice.cases().get(i).body());
    }
    targets.pop();
    for (Label label : labels) {
      out.bind(label);
    }
    out.markAndBind(target.end());
    function.leave(scope);
    out.range("", value, rangeStart);
    out.releaseSlots(slots);
  }

  private void tryStatement(Try attempt) {
    if (attempt.last().isEmpty()) {
      tryCatch(attempt);
      return;
    }
    int slots = out.slotMark();
    FinallyTarget target = new FinallyTarget(out.takeSlot(), out.takeSlot(), new Label());
    int start = out.address();
    targets.push(target);
    tryCatch(attempt);
    targets.pop();
    int end = out.address();
    complete(target, NORMAL);
    out.jump(Op.JUMP, 0, target.block());
    out.handler(start, end, out.address());
    out.stack(1);
    out.emit(Op.SET_LOCAL, -1, target.value());
    complete(target, THROWN);
    out.markAndBind(target.block());
    Block last = attempt.last().get();
    block(last, last.body());
    goOn(target);
    out.range("", target.completion(), start);
    out.range("", target.value(), start);
    out.releaseSlots(slots);
  }

  private void complete(FinallyTarget target, int completion) {
    out.emit(Op.CONST, 1, out.constant((double) completion));
    out.emit(Op.SET_LOCAL, -1, target.completion());
  }

  /** Behind a finally block: whatever led into it continues. */
  private void goOn(FinallyTarget target) {
    Label end = new Label();
    boolean inLoop = targets.stream().anyMatch(LoopTarget.class::isInstance);
    boolean breakable = inLoop || targets.stream().anyMatch(SwitchTarget.class::isInstance);
    Label[] labels = new Label[RETURN + 1];
    for (int completion = THROWN; completion <= RETURN; completion++) {
      labels[completion] = new Label();
      if ((completion != CONTINUE || inLoop) && (completion != BREAK || breakable)) {
        out.jump(Op.JUMP_IF_COMPLETION, 0, labels[completion], target.completion(), completion);
      }
    }
    out.jump(Op.JUMP, 0, end);
    out.markAndBind(labels[THROWN]);
    out.emit(Op.LOCAL, 1, target.value());
    out.emit(Op.RETHROW, -1);
    if (breakable) {
      out.markAndBind(labels[BREAK]);
      leave(BREAK);
    }
    if (inLoop) {
      out.markAndBind(labels[CONTINUE]);
      leave(CONTINUE);
    }
    out.markAndBind(labels[RETURN]);
    out.emit(Op.LOCAL, 1, target.value());
    leave(RETURN);
    out.markAndBind(end);
  }

  private void tryCatch(Try attempt) {
    int start = out.address();
    block(attempt.body(), attempt.body().body());
    if (attempt.handler().isEmpty()) {
      return;
    }
    int end = out.address();
    Label after = new Label();
    out.jump(Op.JUMP, 0, after);
    out.handler(start, end, out.address());
    out.stack(1);
    Catch handler = attempt.handler().get();
    int slots = out.slotMark();
    Scope scope = function.resolution.scope(handler);
    function.enter(scope);
    handler.pattern().ifPresentOrElse(this::bind, () -> out.emit(Op.POP, -1));
    function.hoist(handler.body().body());
    all(handler.body().body());
    function.leave(scope);
    out.releaseSlots(slots);
    out.markAndBind(after);
  }

  /** Leaves for the innermost target of this kind, through the finally blocks on the way. */
  private void leave(int completion) {
    Iterator<Target> inner = targets.iterator();
    while (inner.hasNext()) {
      switch (inner.next()) {
        case FinallyTarget target -> {
          if (completion == RETURN) {
            out.emit(Op.SET_LOCAL, -1, target.value());
          }
          complete(target, completion);
          out.jump(Op.JUMP, 0, target.block());
          return;
        }
        case LoopTarget target -> {
          if (completion != RETURN) {
            out.jump(Op.JUMP, 0, completion == BREAK ? target.end() : target.next());
            return;
          }
        }
        case SwitchTarget target -> {
          if (completion == BREAK) {
            out.jump(Op.JUMP, 0, target.end());
            return;
          }
        }
      }
    }
    out.emit(Op.RETURN, -1);
  }
}
