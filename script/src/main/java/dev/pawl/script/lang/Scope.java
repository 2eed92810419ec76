package dev.pawl.script.lang;

import dev.pawl.script.lang.syntax.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names that one block, loop or function declares. */
final class Scope {
  final @Nullable Scope parent;
  final Node.Function function;
  final Map<String, Variable> names = new LinkedHashMap<>();

  /** Set in a {@code switch}, where control can jump over a declaration. */
  boolean skippable;

  Scope(@Nullable Scope parent, Node.Function function) {
    this.parent = parent;
    this.function = function;
  }

  @Nullable Variable find(String name) {
    for (Scope scope = this; scope != null; scope = scope.parent) {
      Variable found = scope.names.get(name);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  List<String> visible() {
    List<String> all = new ArrayList<>();
    for (Scope scope = this; scope != null; scope = scope.parent) {
      all.addAll(scope.names.keySet());
    }
    return all;
  }
}
