package dev.pawl.script.lang.syntax;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Gathers what is wrong with one script, at most one error per place and no more than {@link
 * #MOST}. Not thread-safe.
 */
public final class ErrorList {
  /** A file with more errors than this is probably not a script at all. */
  public static final int MOST = 200;

  public static final String SYNTAX_ERROR = "SYNTAX_ERROR";
  public static final String NOT_IN_LANGUAGE = "NOT_IN_LANGUAGE";
  public static final String UNDECLARED_NAME = "UNDECLARED_NAME";
  public static final String ALREADY_DECLARED = "ALREADY_DECLARED";
  public static final String CONST_ASSIGNMENT = "CONST_ASSIGNMENT";

  private final Source source;
  private final List<ScriptError> errors = new ArrayList<>();
  private final Set<Integer> places = new HashSet<>();

  public ErrorList(Source source) {
    this.source = source;
  }

  public void add(String code, Span at, String message) {
    if (errors.size() >= MOST || !places.add(at.start())) {
      return;
    }
    String line = source.line(at.line());
    errors.add(new ScriptError(code, message, at.line(), at.column(), at.start(), at.end(), line));
  }

  public boolean isEmpty() {
    return errors.isEmpty();
  }

  /** In the order of their places. */
  public List<ScriptError> sorted() {
    return errors.stream().sorted(Comparator.comparingInt(ScriptError::start)).toList();
  }
}
