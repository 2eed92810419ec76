package dev.pawl.script.lang;

/** A function of the script together with the variables it has from outside. */
final class Closure implements Callable {
  final FunctionCode code;
  final Cell[] captured;

  Closure(FunctionCode code, Cell[] captured) {
    this.code = code;
    this.captured = captured;
  }

  @Override
  public String name() {
    return code.name;
  }
}
