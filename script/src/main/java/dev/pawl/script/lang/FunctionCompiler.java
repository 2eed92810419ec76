package dev.pawl.script.lang;

import dev.pawl.script.lang.FunctionCode.Capture;
import dev.pawl.script.lang.FunctionCode.Header;
import dev.pawl.script.lang.syntax.Node;
import dev.pawl.script.lang.syntax.Node.*;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the code of one function: its parameters, its variables, its body. */
final class FunctionCompiler {
  final Emitter out = new Emitter();
  final Resolution resolution;
  final ExpressionCompiler expressions;
  final PatternCompiler patterns;
  private final StatementCompiler statements;
  private final Compiler compiler;
  private final Optional<FunctionCompiler> maker;
  private final Node.Function function;
  private final List<Capture> captures = new ArrayList<>();
  private final Map<Variable, Integer> captureIndex = new HashMap<>();
  private final Map<Variable, Integer> rangeStarts = new HashMap<>();

  FunctionCompiler(Compiler compiler, Optional<FunctionCompiler> maker, Node.Function function) {
    this.compiler = compiler;
    this.resolution = compiler.resolution();
    this.maker = maker;
    this.function = function;
    this.expressions = new ExpressionCompiler(this);
    this.patterns = new PatternCompiler(this);
    this.statements = new StatementCompiler(this);
  }

  int compile() {
    return compile(function.name());
  }

  /** Compiles the function; {@code name} is what stacks call it. */
  int compile(String name) {
    int index = compiler.reserve();
    Scope scope = resolution.scope(function);
    List<Pattern> parameters = function.parameters();
    boolean[] defaulted = new boolean[parameters.size()];
    out.at(function.span().start());
    for (int i = 0; i < parameters.size(); i++) {
      defaulted[i] = parameters.get(i) instanceof DefaultPattern;
      placeParameter(parameters.get(i));
    }
    function.rest().ifPresent(this::placeParameter);
    wrapParameters(scope);
    enter(scope);
    takeParameters();
    hoist(function.body());
    statements.all(function.body());
    out.at(function.span().end() - 1);
    out.emit(Op.CONST, 1, out.constant(Null.NULL));
    out.emit(Op.RETURN, -1);
    leave(scope);
    Header header =
        new Header(
            name,
            function.isAsync(),
            parameters.size(),
            function.rest().isPresent(),
            defaulted,
            captures.toArray(Capture[]::new));
    compiler.finish(new FunctionCode(index, out, header));
    return index;
  }

  private static Pattern bare(Pattern parameter) {
    return parameter instanceof DefaultPattern other ? other.target() : parameter;
  }

  private void placeParameter(Pattern parameter) {
    int slot = out.takeSlot();
    if (bare(parameter) instanceof NamePattern name) {
      Variable variable = resolution.variable(name);
      if (variable != null) {
        variable.slot = slot;
        rangeStarts.put(variable, 0);
      }
    }
  }

  private void wrapParameters(Scope scope) {
    for (Variable variable : scope.names.values()) {
      if (variable.slot >= 0 && variable.captured) {
        out.emit(Op.WRAP_CELL, 0, variable.slot);
      }
    }
  }

  private void takeParameters() {
    List<Pattern> all = new ArrayList<>(function.parameters());
    function.rest().ifPresent(all::add);
    for (int slot = 0; slot < all.size(); slot++) {
      takeParameter(all.get(slot), slot);
    }
    for (int slot = 0; slot < all.size(); slot++) {
      if (!(bare(all.get(slot)) instanceof NamePattern)) {
        out.range("", slot, 0);
      }
    }
  }

  private void takeParameter(Pattern parameter, int slot) {
    out.at(parameter.span().start());
    boolean named = bare(parameter) instanceof NamePattern;
    if (parameter instanceof DefaultPattern other) {
      Emitter.Label passed = new Emitter.Label();
      out.jump(Op.JUMP_IF_PASSED, 0, passed, slot);
      expressions.named(other.value(), other.target());
      if (named) {
        initialize(resolution.variable(other.target()));
      } else {
        out.emit(Op.SET_LOCAL, -1, slot);
      }
      out.markAndBind(passed);
    }
    if (!named) {
      out.emit(Op.LOCAL, 1, slot);
      patterns.bind(bare(parameter));
    }
  }

  /** Gives the variables of a scope their slots. */
  void enter(Scope scope) {
    for (Variable variable : scope.names.values()) {
      if (variable.slot >= 0) {
        continue;
      }
      variable.slot = out.takeSlot();
      if (variable.captured) {
        out.emit(Op.NEW_CELL, 0, variable.slot);
        rangeStarts.put(variable, out.address());
      } else if (variable.checked) {
        out.emit(Op.UNSET, 0, variable.slot);
        rangeStarts.put(variable, out.address());
      }
    }
  }

  /** Ends the ranges of a scope's variables; the caller releases the slots. */
  void leave(Scope scope) {
    for (Variable variable : scope.names.values()) {
      Integer start = rangeStarts.get(variable);
      if (start != null) {
        out.range(variable.name, variable.slot, start);
      }
    }
  }

  /** Functions are there from the beginning of their block. */
  void hoist(List<Stmt> body) {
    for (Stmt stmt : body) {
      if (stmt instanceof FunctionDeclaration declaration) {
        out.at(declaration.span().start());
        closure(declaration.function(), declaration.function().name());
        initialize(resolution.variable(declaration));
      }
    }
  }

  /** Leaves a closure of the function on the stack. */
  void closure(Node.Function inner, String name) {
    int index = new FunctionCompiler(compiler, Optional.of(this), inner).compile(name);
    out.emit(Op.CLOSURE, 1, index);
  }

  /** Takes the value from the stack as the first one of a declared variable. */
  void initialize(@org.jspecify.annotations.Nullable Variable variable) {
    if (variable == null) {
      throw new IllegalStateException("a declaration without a variable");
    }
    out.emit(variable.captured ? Op.INIT_CELL : Op.SET_LOCAL, -1, variable.slot);
    rangeStarts.putIfAbsent(variable, out.address());
  }

  void load(Variable variable) {
    if (!variable.belongsTo(function)) {
      out.emit(Op.CAPTURED, 1, captured(variable));
    } else if (variable.captured) {
      out.emit(Op.CELL, 1, variable.slot);
    } else {
      out.emit(variable.checked ? Op.LOCAL_CHECKED : Op.LOCAL, 1, variable.slot);
    }
  }

  void store(Variable variable) {
    if (!variable.belongsTo(function)) {
      out.emit(Op.SET_CAPTURED, -1, captured(variable));
    } else if (variable.captured) {
      out.emit(Op.SET_CELL, -1, variable.slot);
    } else {
      out.emit(variable.checked ? Op.SET_LOCAL_CHECKED : Op.SET_LOCAL, -1, variable.slot);
    }
  }

  /** Whether the variable is a plain slot of this function. */
  boolean isPlain(Variable variable) {
    return variable.belongsTo(function) && !variable.captured && !variable.checked;
  }

  private int captured(Variable variable) {
    Integer known = captureIndex.get(variable);
    if (known != null) {
      return known;
    }
    FunctionCompiler outer = maker.orElseThrow();
    Capture capture =
        variable.belongsTo(outer.function)
            ? new Capture(true, variable.slot, variable.name)
            : new Capture(false, outer.captured(variable), variable.name);
    captures.add(capture);
    captureIndex.put(variable, captures.size() - 1);
    return captures.size() - 1;
  }
}
