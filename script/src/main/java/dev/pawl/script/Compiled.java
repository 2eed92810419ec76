package dev.pawl.script;

import dev.pawl.script.lang.Script;
import dev.pawl.script.lang.syntax.Children;
import dev.pawl.script.lang.syntax.Node;
import dev.pawl.store.Definition;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Scripts that were compiled, those used last. A compiled script knows nothing of who runs it, so
 * that all workers of a process share them. Thread-safe.
 */
final class Compiled {
  static final Compiled SHARED = new Compiled();

  private static final int MAX = 256;

  /** By the whole definition: a hash alone is what a store says it is. */
  private final Map<Definition, Program> programs =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Definition, Program> eldest) {
          return size() > MAX;
        }
      };

  /**
   * A script ready to run.
   *
   * @param cleansUp whether it could catch a cancellation
   */
  record Program(Script script, boolean cleansUp) {}

  /**
   * The program of a definition.
   *
   * @throws ScriptRefused if it is not a script that this version can run
   */
  Program of(Definition definition) {
    synchronized (this) {
      Program known = programs.get(definition);
      if (known != null) {
        return known;
      }
    }
    Script script = Scripts.script(definition);
    Program fresh = new Program(script, hasTry(script.program()));
    synchronized (this) {
      programs.put(definition, fresh);
    }
    return fresh;
  }

  private static boolean hasTry(Node root) {
    Deque<Node> open = new ArrayDeque<>();
    open.push(root);
    while (!open.isEmpty()) {
      Node node = open.pop();
      if (node instanceof Node.Try) {
        return true;
      }
      Children.of(node).forEach(open::push);
    }
    return false;
  }
}
