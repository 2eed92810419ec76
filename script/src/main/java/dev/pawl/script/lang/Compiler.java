package dev.pawl.script.lang;

import dev.pawl.script.lang.syntax.Node;
import dev.pawl.script.lang.syntax.Node.*;
import dev.pawl.script.lang.syntax.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes the code of a whole script from its tree; function 0 is the script itself. */
final class Compiler {
  private final Resolution resolution;
  private final List<Optional<FunctionCode>> functions = new ArrayList<>();

  private Compiler(Resolution resolution) {
    this.resolution = resolution;
  }

  static FunctionCode[] compile(Node.Function top, Resolution resolution) {
    Compiler compiler = new Compiler(resolution);
    new FunctionCompiler(compiler, Optional.empty(), top).compile();
    return compiler.functions.stream().map(Optional::orElseThrow).toArray(FunctionCode[]::new);
  }

  /**
   * The script as a function. If it has a workflow, or nothing but declarations and a function
   * {@code main}, it ends with a call of that.
   */
  static Node.Function wrap(Program program) {
    List<Stmt> body = new ArrayList<>(program.body());
    Span end = program.span();
    entry(program)
        .ifPresent(function -> {
          Span at = function.nameSpan();
          Expr call =
              new Call(
                  at, new Name(at, function.name()), List.of(new Name(at, Globals.INPUTS)), false);
          body.add(new Return(at, Optional.of(call)));
        });
    return new Node.Function(end, "", end, List.of(), Optional.empty(), body, true);
  }

  private static Optional<Node.Function> entry(Program program) {
    List<Node.Function> declared =
        program.body().stream()
            .filter(FunctionDeclaration.class::isInstance)
            .map(FunctionDeclaration.class::cast)
            .sorted((a, b) -> Boolean.compare(b.workflow(), a.workflow()))
            .filter(f -> f.workflow() || f.function().name().equals("main"))
            .map(FunctionDeclaration::function)
            .toList();
    boolean onlyDeclarations =
        program.body().stream()
            .allMatch(stmt ->
                stmt instanceof FunctionDeclaration
                    || stmt instanceof Declare
                    || stmt instanceof Empty);
    return onlyDeclarations ? declared.stream().findFirst() : Optional.empty();
  }

  Resolution resolution() {
    return resolution;
  }

  /** Reserves the next number for a function, so that outer ones come before inner ones. */
  int reserve() {
    functions.add(Optional.empty());
    return functions.size() - 1;
  }

  void finish(FunctionCode code) {
    functions.set(code.index, Optional.of(code));
  }
}
