package dev.pawl.script.lang;

/** A value that can be called. */
sealed interface Callable permits Closure, Builtin {
  String name();
}
