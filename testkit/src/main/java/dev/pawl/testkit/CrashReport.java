package dev.pawl.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What came of a crash sweep. Printed, it is a table: how it ends, how often each step ran, and
 * what was wrong, with the kill that shows it.
 *
 * @param type the type it was about
 * @param end how it ends when nobody is killed
 * @param commits what a process commits when nobody is killed, in order
 * @param kills how many processes were killed, each in a play of its own
 * @param steps what ran how often
 * @param problems what was wrong; nothing, if the program is sound
 */
public record CrashReport(
    String type,
    String end,
    List<String> commits,
    int kills,
    List<Step> steps,
    List<Problem> problems) {

  public CrashReport {
    commits = List.copyOf(commits);
    steps = List.copyOf(steps);
    problems = List.copyOf(problems);
  }

  /**
   * A step, task or node.
   *
   * @param usual how often its body runs when nobody is killed
   * @param most how often it ran at the most in one play
   * @param again in how many plays it ran more often than usual
   * @param flagged whether a problem was found with it
   */
  public record Step(String name, int usual, int most, int again, boolean flagged) {}

  /**
   * Something wrong.
   *
   * @param where the step it is about, or {@code end} or {@code store}
   * @param when the kill after which it showed
   */
  public record Problem(String where, String what, String when) {
    @Override
    public String toString() {
      return where + ": " + what + ", " + when;
    }
  }

  public boolean isSound() {
    return problems.isEmpty();
  }

  /** Fails with the whole report if anything was wrong, or if nothing could be tried. */
  public CrashReport assertSound() {
    if (!isSound() || kills == 0) {
      throw new AssertionError(toString());
    }
    return this;
  }

  /** The step of this name, with its number behind {@code #} if it is not its first use. */
  public Step step(String name) {
    return steps.stream()
        .filter(step -> step.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no step '" + name + "' ever ran\n" + this));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append("crash sweep of ").append(type).append(": ");
    text.append(commits.size()).append(" commits, ").append(kills).append(" kills, ");
    text.append(isSound() ? "sound" : grouped().size() + " problems").append("\n");
    text.append("  undisturbed it ").append(end.startsWith("no end") ? "has " : "").append(end);
    text.append("\n");
    table().forEach(line -> text.append("  ").append(line).append("\n"));
    grouped()
        .forEach((problem, when) -> {
          text.append("  ! ").append(problem).append("\n");
          text.append("      ").append(when.getFirst());
          text.append(when.size() == 1 ? "" : ", and in " + (when.size() - 1) + " more")
              .append("\n");
        });
    return text.toString();
  }

  private List<String> table() {
    int width = steps.stream().mapToInt(step -> step.name().length()).max().orElse(0);
    String format = "%-" + Math.max(4, width) + "s  %5s  %4s  %5s  %s";
    List<String> lines = new ArrayList<>();
    if (!steps.isEmpty()) {
      lines.add(format.formatted("step", "usual", "most", "again", "").stripTrailing());
    }
    for (Step step : steps) {
      String verdict = step.flagged() ? "<- look here" : step.again() > 0 ? "the same again" : "";
      lines.add(
          format
              .formatted(step.name(), step.usual(), step.most(), step.again(), verdict)
              .stripTrailing());
    }
    return lines;
  }

  private Map<String, List<String>> grouped() {
    Map<String, List<String>> grouped = new LinkedHashMap<>();
    for (Problem problem : problems) {
      grouped
          .computeIfAbsent(problem.where() + ": " + problem.what(), key -> new ArrayList<>())
          .add(problem.when());
    }
    return grouped;
  }
}
