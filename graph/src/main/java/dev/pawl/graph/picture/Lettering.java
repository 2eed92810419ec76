package dev.pawl.graph.picture;

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
   * The text in one line or two; of one that is longer still, its beginning and its end, so that
   * long names that begin alike can be told apart.
   */
  static List<String> wrap(String text, double size, boolean bold, double most) {
    if (width(text, size, bold) <= most) {
      return List.of(text);
    }
    String first = fit(text, size, bold, most);
    int end = first.length() - 1;
    int cut = end;
    while (cut > end / 2 && BREAKS.indexOf(text.charAt(cut - 1)) < 0) {
      cut--;
    }
    cut = cut > end / 2 ? cut : end;
    return List.of(
        text.substring(0, cut).strip(), end(text.substring(cut).strip(), size, bold, most));
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
