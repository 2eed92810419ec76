package dev.pawl.graph.picture;

import java.util.ArrayList;
import java.util.List;

/**
 * How wide texts are. Who looks at the picture has whatever font, so these are guesses on the wide
 * side: a text that fits by them fits.
 */
final class Lettering {
  private static final String NARROW = "ijl.,:;'|!·";
  private static final String SLIM = "ftrI()[]{}-/ \"";
  private static final String WIDE = "mwMW@%…—";
  private static final String BREAKS = "-_./: ";
  private static final double BOLD = 1.12;

  private Lettering() {}

  static double width(String text, double size, boolean bold) {
    double ems = text.codePoints().mapToDouble(Lettering::ems).sum();
    return ems * size * (bold ? BOLD : 1);
  }

  private static double ems(int letter) {
    if (letter > 0x2e7f) {
      return 1.3;
    }
    if (NARROW.indexOf(letter) >= 0) {
      return 0.36;
    }
    if (SLIM.indexOf(letter) >= 0) {
      return 0.44;
    }
    if (WIDE.indexOf(letter) >= 0) {
      return 1.02;
    }
    return Character.isUpperCase(letter) ? 0.78 : 0.65;
  }

  /** The text, or as much of its beginning as fits, and an ellipsis. */
  static String fit(String text, double size, boolean bold, double most) {
    if (width(text, size, bold) <= most) {
      return text;
    }
    int end = text.length();
    while (end > 0 && width(text.substring(0, end) + "…", size, bold) > most) {
      end = text.offsetByCodePoints(end, -1);
    }
    return text.substring(0, end).stripTrailing() + "…";
  }

  /**
   * The text in so many lines at most. Of one that is longer still the end is left out; or the
   * middle, so that long names that begin alike can be told apart.
   */
  static List<String> wrap(
      String text, double size, boolean bold, double most, int lines, boolean keepEnd) {
    List<String> wrapped = new ArrayList<>();
    String rest = text;
    while (wrapped.size() < lines - 1 && width(rest, size, bold) > most) {
      int cut = cut(rest, fit(rest, size, bold, most).length() - 1);
      wrapped.add(rest.substring(0, cut).strip());
      rest = rest.substring(cut).strip();
    }
    wrapped.add(keepEnd ? end(rest, size, bold, most) : fit(rest, size, bold, most));
    return wrapped;
  }

  /** Where to break a line that has room for so many characters. */
  private static int cut(String text, int room) {
    int cut = room;
    while (cut > room / 2 && BREAKS.indexOf(text.charAt(cut - 1)) < 0) {
      cut--;
    }
    return cut > room / 2 ? cut : room;
  }

  /** The text, or an ellipsis and as much of its end as fits. */
  private static String end(String text, double size, boolean bold, double most) {
    int begin = 0;
    while (begin < text.length()
        && width((begin == 0 ? "" : "…") + text.substring(begin), size, bold) > most) {
      begin = text.offsetByCodePoints(begin, 1);
    }
    return (begin == 0 ? "" : "…") + text.substring(begin).stripLeading();
  }
}
