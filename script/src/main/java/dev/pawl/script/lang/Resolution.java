package dev.pawl.script.lang;

import dev.pawl.script.lang.syntax.Node;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** What the resolver found out: which name means which variable, and which node opens a scope. */
final class Resolution {
  final IdentityHashMap<Node, Variable> variables = new IdentityHashMap<>();
  final IdentityHashMap<Node, Scope> scopes = new IdentityHashMap<>();

  /** The variable a name or a name in a pattern stands for; none for names of the library. */
  @Nullable Variable variable(Node node) {
    return variables.get(node);
  }

  Scope scope(Node node) {
    Scope scope = scopes.get(node);
    if (scope == null) {
      throw new IllegalStateException("no scope for " + node);
    }
    return scope;
  }
}
