package dev.pawl.script.lang.syntax;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The text of a script, its lines, and its front matter. Line breaks are LF, CR, CR LF and the two
 * Unicode separators. Immutable.
 */
public final class Source {
  private static final String FENCE = "---";

  private final String name;
  private final String text;
  private final int[] lineStarts;
  private final Map<String, String> frontMatter = new LinkedHashMap<>();
  private int bodyStart;
  private boolean unclosedFrontMatter;

  public Source(String name, String text) {
    this.name = name;
    this.text = text;
    this.lineStarts = lineStarts(text);
    readFrontMatter();
  }

  public String name() {
    return name;
  }

  public String text() {
    return text;
  }

  /** The lines {@code key: value} between two lines {@code ---}, of which the first is line 1. */
  public Map<String, String> frontMatter() {
    return frontMatter;
  }

  /** Where the script begins, behind the front matter. */
  int bodyStart() {
    return bodyStart;
  }

  boolean hasUnclosedFrontMatter() {
    return unclosedFrontMatter;
  }

  public Span span(int start, int end) {
    int line = lineOf(start);
    return new Span(start, end, line, start - lineStarts[line - 1] + 1);
  }

  /** The text of a line, counted from 1, without its line break. */
  public String line(int number) {
    int start = lineStarts[number - 1];
    int end = start;
    while (end < text.length() && !isLineBreak(text.charAt(end))) {
      end++;
    }
    return text.substring(start, end);
  }

  /** The name that begins at this offset, or nothing. */
  public String nameAt(int offset) {
    int end = offset;
    while (end < text.length() && Scanner.isNamePart(text.charAt(end))) {
      end++;
    }
    return text.substring(offset, end);
  }

  static boolean isLineBreak(char c) {
    return c == '\n' || c == '\r' || c == '\u2028' || c == '\u2029';
  }

  private int lineOf(int offset) {
    int found = Arrays.binarySearch(lineStarts, offset);
    return found >= 0 ? found + 1 : -found - 1;
  }

  private static int[] lineStarts(String text) {
    int[] starts = new int[16];
    int count = 1;
    for (int i = 0; i < text.length(); i++) {
      boolean crLf = text.charAt(i) == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
      if (isLineBreak(text.charAt(i)) && !crLf) {
        if (count == starts.length) {
          starts = Arrays.copyOf(starts, count * 2);
        }
        starts[count++] = i + 1;
      }
    }
    return Arrays.copyOf(starts, count);
  }

  private void readFrontMatter() {
    if (!line(1).stripTrailing().equals(FENCE)) {
      return;
    }
    for (int number = 2; number <= lineStarts.length; number++) {
      String line = line(number).strip();
      if (line.equals(FENCE)) {
        bodyStart = number < lineStarts.length ? lineStarts[number] : text.length();
        return;
      }
      int colon = line.indexOf(':');
      if (colon > 0 && !line.startsWith("#")) {
        frontMatter.put(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
      }
    }
    unclosedFrontMatter = true;
    frontMatter.clear();
    bodyStart = text.length();
  }
}
