package dev.pawl.script.lang.syntax;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The reserved words, the signs, and which name is near another. */
public final class Words {
  /** The words that JavaScript's strict modules reserve. */
  static final Set<String> RESERVED =
      Set.of(
          ("break case catch class const continue debugger default delete do else enum export"
                  + " extends false finally for function if implements import in instanceof"
                  + " interface let new null package private protected public return static super"
                  + " switch this throw true try typeof var void while with yield await")
              .split(" "));

  /** Longest first, so that the first that fits is the right one. */
  static final List<String> SIGNS =
      List.of(
          ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==",
          "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
          "|=", "^=", "<<", ">>", "**", "{", "}", "(", ")", "[", "]", ";", ",", "<", ">", "+", "-",
          "*", "/", "%", "&", "|", "^", "!", "~", "?", ":", "=", ".", "@", "#");

  /** Those that begin with a character, by its code, the longest first. */
  private static final List<List<String>> SIGNS_BY_FIRST = signsByFirst();

  private static final int FARTHEST = 2;

  private Words() {}

  /** The signs that a text can go on with whose next character is this, the longest first. */
  static List<String> signsFrom(char first) {
    return first < SIGNS_BY_FIRST.size() ? SIGNS_BY_FIRST.get(first) : List.of();
  }

  private static List<List<String>> signsByFirst() {
    List<List<String>> signs = new ArrayList<>();
    for (char first = 0; first < 128; first++) {
      String start = String.valueOf(first);
      signs.add(SIGNS.stream().filter(sign -> sign.startsWith(start)).toList());
    }
    return List.copyOf(signs);
  }

  /** The candidate that a person who wrote {@code name} most likely meant. */
  public static Optional<String> near(String name, Collection<String> candidates) {
    int best = Math.min(FARTHEST, Math.max(1, name.length() / 3)) + 1;
    Optional<String> found = Optional.empty();
    for (String candidate : candidates) {
      if (candidate.equals(name)) {
        continue;
      }
      int distance = candidate.equalsIgnoreCase(name) ? 0 : distance(name, candidate);
      if (distance < best) {
        best = distance;
        found = Optional.of(candidate);
      }
    }
    return found;
  }

  /** Inserted, dropped, changed or swapped characters; large when the lengths are far apart. */
  private static int distance(String a, String b) {
    if (Math.abs(a.length() - b.length()) > FARTHEST || a.length() > 64) {
      return Integer.MAX_VALUE;
    }
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        d[i][j] = i == 0 || j == 0 ? i + j : cheapest(d, a, b, i, j);
      }
    }
    return d[a.length()][b.length()];
  }

  private static int cheapest(int[][] d, String a, String b, int i, int j) {
    int changed = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
    int best = Math.min(changed, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, d[i - 2][j - 2] + 1) : best;
  }
}
