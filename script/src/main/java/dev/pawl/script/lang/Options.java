package dev.pawl.script.lang;

import dev.pawl.script.lang.syntax.Words;
import java.util.List;

/** Named options of the library's functions. */
final class Options {
  private Options() {}

  /** Refuses names that the function does not know. */
  static void check(String function, ObjectValue options, List<String> known) {
    for (int i = 0; i < options.size; i++) {
      String name = options.keys[i];
      if (!known.contains(name)) {
        throw Thrown.input(
            "`"
                + function
                + "` has no option `"
                + name
                + "`"
                + Words.near(name, known)
                    .map(near -> ": did you mean `" + near + "`?")
                    .orElse("; it has " + String.join(", ", known)));
      }
    }
  }
}
