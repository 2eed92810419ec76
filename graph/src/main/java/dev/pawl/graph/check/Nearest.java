package dev.pawl.graph.check;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Guesses what somebody meant to write. */
final class Nearest {
  private Nearest() {}

  /** {@code ; did you mean 'x'?} if something known is near enough, else what is known. */
  static String hint(String written, Collection<String> known) {
    return find(written, known)
        .map(near -> "; did you mean '" + near + "'?")
        .orElseGet(
            () -> known.isEmpty() ? "; there are none" : "; there are " + String.join(", ", known));
  }

  static Optional<String> find(String written, Collection<String> known) {
    int limit = Math.max(2, written.length() / 3);
    return known.stream()
        .filter(word -> distance(written, word) <= limit)
        .min(Comparator.comparingInt(word -> distance(written, word)));
  }

  /** How many letters must be changed, added or left out. */
  private static int distance(String one, String other) {
    String a = one.toLowerCase(Locale.ROOT);
    String b = other.toLowerCase(Locale.ROOT);
    int[] above = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int changed = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(changed, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[b.length()];
  }
}
