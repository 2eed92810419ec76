package dev.pawl.script.lang;

import dev.pawl.script.lang.syntax.Node;
import dev.pawl.script.lang.syntax.Span;

/** A declared name, as the resolver finds it and the compiler places it. */
final class Variable {
  final String name;
  final boolean constant;
  private final Node.Function owner;
  final Span declared;

  /** Whether an inner function uses it: then it lives in a {@link Cell}. */
  boolean captured;

  /** Whether a use may run before the declaration does: then every use looks. */
  boolean checked;

  /** Where its declaration is complete. */
  int readyAt;

  int slot = -1;

  Variable(String name, boolean constant, Node.Function owner, Span declared, int readyAt) {
    this.name = name;
    this.constant = constant;
    this.owner = owner;
    this.declared = declared;
    this.readyAt = readyAt;
  }

  /** Whether the function itself, not one around it, declares the variable. */
  @SuppressWarnings("ReferenceEquality") // each function of the tree is one of its own
  boolean belongsTo(Node.Function function) {
    return owner == function;
  }
}
