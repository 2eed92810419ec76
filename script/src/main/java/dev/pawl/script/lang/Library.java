package dev.pawl.script.lang;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All functions that a script can name, by their full names. */
final class Library {
  private static final Map<String, Builtin> FUNCTIONS = new TreeMap<>();
  private static final Map<String, Object> CONSTANTS = new HashMap<>();

  static {
    MathLibrary.register();
    PlainLibrary.register();
    AsyncLibrary.register();
  }

  private Library() {}

  static void add(String name, Builtin.Body body) {
    FUNCTIONS.put(name, new Builtin(name, body));
  }

  static void constant(String name, double value) {
    CONSTANTS.put(name, value);
  }

  static @Nullable Builtin find(String name) {
    return FUNCTIONS.get(name);
  }

  static Set<String> names() {
    return Collections.unmodifiableSet(FUNCTIONS.keySet());
  }

  static Map<String, Object> constants() {
    return Collections.unmodifiableMap(CONSTANTS);
  }
}
