package dev.pawl.script.lang;

/** A call of a function of the script: its variables, its operands, and where it stands. */
final class CodeFrame extends Frame {
  final Closure closure;
  final FunctionCode function;

  /** Variables first, then the operand stack. */
  final Object[] slots;

  /** The next instruction. */
  int address;

  /** The first free place of the operand stack. */
  int top;

  CodeFrame(Closure closure) {
    this.closure = closure;
    this.function = closure.code;
    this.slots = new Object[closure.code.frameSize];
    this.top = closure.code.locals;
  }

  void push(Object value) {
    slots[top++] = value;
  }
}
