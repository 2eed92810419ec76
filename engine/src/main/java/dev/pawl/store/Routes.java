package dev.pawl.store;

import dev.pawl.error.PawlException;
import dev.pawl.log.Names;
import java.util.Set;

/** Which types a worker claims: those named, and all that begin with one of the prefixes. */
public record Routes(Set<String> types, Set<String> prefixes) {
  public Routes {
    types = Set.copyOf(types);
    prefixes = Set.copyOf(prefixes);
  }

  /**
   * Routes from texts as people write them: {@code billing.invoice.v1} is a type, {@code billing.%}
   * a prefix.
   */
  public static Routes of(String... patterns) {
    var types = new java.util.HashSet<String>();
    var prefixes = new java.util.HashSet<String>();
    for (String pattern : patterns) {
      if (isPrefix(pattern)) {
        prefixes.add(prefix(pattern));
      } else {
        types.add(Names.checkType(pattern));
      }
    }
    return new Routes(types, prefixes);
  }

  public static boolean isPrefix(String pattern) {
    return pattern.endsWith("%");
  }

  /**
   * The prefix that a pattern like {@code billing.%} stands for. The {@code %} is only allowed at
   * its end.
   */
  public static String prefix(String pattern) {
    String prefix = pattern.substring(0, pattern.length() - 1);
    if (prefix.indexOf('%') >= 0) {
      throw PawlException.badInput(
          "the pattern '" + pattern + "' has a '%' before its end; only 'prefix.%' is understood");
    }
    return prefix;
  }

  public boolean matches(String type) {
    return types.contains(type) || prefixes.stream().anyMatch(type::startsWith);
  }

  public boolean isEmpty() {
    return types.isEmpty() && prefixes.isEmpty();
  }
}
