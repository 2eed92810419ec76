package dev.pawl.script.lang;

import dev.pawl.script.lang.syntax.Node.*;

/** Makes the code of everything that changes a variable, a member or an element. */
final class AssignmentCompiler {
  private final FunctionCompiler function;
  private final Emitter out;
  private final ExpressionCompiler expressions;

  AssignmentCompiler(FunctionCompiler function, ExpressionCompiler expressions) {
    this.function = function;
    this.out = function.out;
    this.expressions = expressions;
  }

  /** {@code wanted}: whether the value is needed behind it. */
  void assign(Assign assign, boolean wanted) {
    switch (assign.target()) {
      case Name name -> assignName(assign, name, wanted);
      case Member member -> {
        expressions.value(member.object());
        if (assign.op().isPresent()) {
          out.emit(Op.DUP, 1);
          out.at(member.nameSpan().start());
          out.emit(Op.GET, 0, out.constant(member.name()), 0);
        }
        right(assign);
        out.at(member.nameSpan().start());
        out.emit(Op.SET, -1, out.constant(member.name()), 0);
        drop(wanted);
      }
      case Index index -> {
        expressions.value(index.object());
        expressions.value(index.key());
        if (assign.op().isPresent()) {
          out.emit(Op.DUP2, 2);
          out.at(index.bracket().start());
          out.emit(Op.GET_INDEX, -1);
        }
        right(assign);
        out.at(index.bracket().start());
        out.emit(Op.SET_INDEX, -2);
        drop(wanted);
      }
      default -> throw unexpected(assign.target());
    }
  }

  private void assignName(Assign assign, Name name, boolean wanted) {
    Variable variable = variable(name);
    if (assign.op().isPresent()) {
      out.at(name.span().start());
      function.load(variable);
    }
    right(assign);
    if (wanted) {
      out.emit(Op.DUP, 1);
    }
    out.at(name.span().start());
    function.store(variable);
  }

  private void right(Assign assign) {
    if (assign.op().isEmpty() && assign.target() instanceof Name name) {
      expressions.named(assign.value(), new NamePattern(name.span(), name.name()));
    } else {
      expressions.value(assign.value());
    }
    if (assign.op().isPresent()) {
      out.at(assign.sign().start());
      out.emit(ExpressionCompiler.instruction(assign.op().get()), -1);
    }
  }

  private void drop(boolean wanted) {
    if (!wanted) {
      out.emit(Op.POP, -1);
    }
  }

  void update(Update update, boolean wanted) {
    int difference = update.increment() ? 1 : -1;
    switch (update.target()) {
      case Name name -> updateName(update, name, difference, wanted);
      case Member member -> {
        expressions.value(member.object());
        out.emit(Op.DUP, 1);
        out.at(member.nameSpan().start());
        out.emit(Op.GET, 0, out.constant(member.name()), 0);
        boolean old = wanted && !update.prefix();
        if (old) {
          out.emit(Op.DUP_X1, 1);
        }
        increment(update, difference);
        out.at(member.nameSpan().start());
        out.emit(Op.SET, -1, out.constant(member.name()), 0);
        drop(wanted && !old);
      }
      case Index index -> {
        expressions.value(index.object());
        expressions.value(index.key());
        out.emit(Op.DUP2, 2);
        out.at(index.bracket().start());
        out.emit(Op.GET_INDEX, -1);
        boolean old = wanted && !update.prefix();
        if (old) {
          out.emit(Op.DUP_X2, 1);
        }
        increment(update, difference);
        out.at(index.bracket().start());
        out.emit(Op.SET_INDEX, -2);
        drop(wanted && !old);
      }
      default -> throw unexpected(update.target());
    }
  }

  private void increment(Update update, int difference) {
    out.at(update.sign().start());
    out.emit(Op.INCREMENT, 0, difference);
  }

  private void updateName(Update update, Name name, int difference, boolean wanted) {
    Variable variable = variable(name);
    out.at(update.sign().start());
    if (!wanted && function.isPlain(variable)) {
      out.emit(Op.INCREMENT_LOCAL, 0, variable.slot, difference);
      return;
    }
    out.at(name.span().start());
    function.load(variable);
    if (wanted && !update.prefix()) {
      out.emit(Op.DUP, 1);
    }
    increment(update, difference);
    if (wanted && update.prefix()) {
      out.emit(Op.DUP, 1);
    }
    out.at(name.span().start());
    function.store(variable);
  }

  /** Assigns the value on the stack, for the variable of a loop. */
  void storeTop(Expr target) {
    switch (target) {
      case Name name -> {
        out.at(name.span().start());
        function.store(variable(name));
      }
      case Member member -> {
        expressions.value(member.object());
        out.emit(Op.SWAP, 0);
        out.at(member.nameSpan().start());
        out.emit(Op.SET, -1, out.constant(member.name()), 0);
        out.emit(Op.POP, -1);
      }
      case Index index -> {
        expressions.value(index.object());
        out.emit(Op.SWAP, 0);
        expressions.value(index.key());
        out.emit(Op.SWAP, 0);
        out.at(index.bracket().start());
        out.emit(Op.SET_INDEX, -2);
        out.emit(Op.POP, -1);
      }
      default -> throw unexpected(target);
    }
  }

  void delete(Delete delete) {
    switch (delete.target()) {
      case Member member -> {
        expressions.value(member.object());
        out.at(member.nameSpan().start());
        out.emit(Op.DELETE, 0, out.constant(member.name()));
      }
      case Index index -> {
        expressions.value(index.object());
        expressions.value(index.key());
        out.at(index.bracket().start());
        out.emit(Op.DELETE_INDEX, -1);
      }
      default -> throw unexpected(delete.target());
    }
  }

  private Variable variable(Name name) {
    Variable variable = function.resolution.variable(name);
    if (variable == null) {
      throw unexpected(name);
    }
    return variable;
  }

  private static IllegalStateException unexpected(Expr target) {
    return new IllegalStateException("nothing that can be assigned to: " + target);
  }
}
