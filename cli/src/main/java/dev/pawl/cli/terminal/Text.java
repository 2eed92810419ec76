package dev.pawl.cli.terminal;

/** Other people's texts, made fit for one line of a terminal. */
public final class Text {
  private Text() {}

  /** The text on one line: line ends become a sign, what could steer a terminal becomes a dot. */
  public static String oneLine(String text) {
    StringBuilder out = new StringBuilder(text.length());
    String trimmed = text.strip();
    for (int i = 0; i < trimmed.length(); i++) {
      char c = trimmed.charAt(i);
      if (c == '\n') {
        out.append(" ⏎ ");
      } else if (c == '\t') {
        out.append(' ');
      } else if (c != '\r') {
        out.append(isSafe(c) ? c : '·');
      }
    }
    return out.toString();
  }

  /** The text as it is but for what could steer a terminal; line ends and tabs stay. */
  public static String harmless(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      out.append(c == '\n' || c == '\t' || isSafe(c) ? c : '·');
    }
    return out.toString();
  }

  private static boolean isSafe(char c) {
    return !Character.isISOControl(c) && Character.getType(c) != Character.FORMAT;
  }

  /** The text on one line of at most this many characters; what was cut off is counted. */
  public static String shorten(String text, int limit) {
    String line = oneLine(text.length() > limit * 4 ? text.substring(0, limit * 4) : text);
    if (line.length() <= limit && text.length() <= limit * 4) {
      return line;
    }
    String mark = "… (" + text.length() + " characters)";
    int end = Math.min(line.length(), Math.max(1, limit - mark.length()));
    if (Character.isHighSurrogate(line.charAt(end - 1))) {
      end--;
    }
    return line.substring(0, end) + mark;
  }

  /** How many columns the text takes, near enough. */
  static int width(String text) {
    return text.codePointCount(0, text.length());
  }
}
