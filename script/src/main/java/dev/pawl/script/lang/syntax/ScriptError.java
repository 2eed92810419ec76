package dev.pawl.script.lang.syntax;

/**
 * One thing that is wrong with the text of a script. The message says what was found and what to
 * write instead, and names a near name where there is one.
 *
 * @param sourceLine the line it is on, without its line break
 */
public record ScriptError(
    String code, String message, int line, int column, int start, int end, String sourceLine) {

  /** The message with its place, the line itself and a caret under the place. */
  public String show(String file) {
    String before = sourceLine.substring(0, Math.min(column - 1, sourceLine.length()));
    String indent = before.replaceAll("[^\t]", " ");
    int width = Math.clamp(end - start, 1, Math.max(1, sourceLine.length() - before.length()));
    return "%s:%d:%d: %s: %s%n    %s%n    %s%s"
        .formatted(file, line, column, code, message, sourceLine, indent, "^".repeat(width));
  }
}
