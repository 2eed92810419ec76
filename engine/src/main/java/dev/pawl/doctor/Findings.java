package dev.pawl.doctor;

import dev.pawl.log.RunId;
import java.util.ArrayList;
import java.util.List;

/** The violations found of one run. Not thread-safe. */
final class Findings {
  /** How much of a value is shown. */
  private static final int SHOWN_CHARS = 200;

  private final RunId run;
  private final List<Violation> violations = new ArrayList<>();

  Findings(RunId run) {
    this.run = run;
  }

  void add(String invariant, String message) {
    violations.add(new Violation(invariant, run, "run " + run + ": " + message));
  }

  void addAll(Findings others) {
    violations.addAll(others.violations);
  }

  List<Violation> violations() {
    return violations;
  }

  boolean isEmpty() {
    return violations.isEmpty();
  }

  /** A value as a message shows it. */
  static String show(Object value) {
    String text = value.toString();
    return text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "…";
  }
}
