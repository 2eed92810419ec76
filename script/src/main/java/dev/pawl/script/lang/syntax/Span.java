package dev.pawl.script.lang.syntax;

/**
 * A piece of the source: offsets of its first character and of the one behind its last, and where
 * it begins. Lines and columns count from 1, columns in UTF-16 units.
 */
public record Span(int start, int end, int line, int column) {
  /** From the beginning of this one to the end of the other. */
  public Span to(Span other) {
    return new Span(start, Math.max(end, other.end), line, column);
  }
}
