package dev.pawl.testkit;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Compares the plays in which a process was killed with the one in which none was. */
final class Judge {
  private final String type;
  private final Function<Json, String> view;
  private final Set<String> tolerated;
  private final List<CrashReport.Problem> problems = new ArrayList<>();

  Judge(String type, Function<Json, String> view, Set<String> tolerated) {
    this.type = type;
    this.view = view;
    this.tolerated = tolerated;
  }

  CrashReport judge(Sweep.Play first, List<Sweep.Play> kills) {
    violations(first);
    if (first.end().isEmpty()) {
      problem(first, "end", "it does not end even when nobody is killed: " + first.trouble());
    } else {
      kills.forEach(play -> compare(first, play));
    }
    int killed = (int) kills.stream().filter(Sweep.Play::killed).count();
    return new CrashReport(
        type, end(first), first.commits(), killed, steps(first, kills), List.copyOf(problems));
  }

  private void compare(Sweep.Play first, Sweep.Play play) {
    violations(play);
    if (!end(play).equals(end(first))) {
      problem(play, "end", "it ended otherwise: " + end(play) + " instead of " + end(first));
    }
    effects(first, play);
    results(play);
  }

  private String end(Sweep.Play play) {
    return play.end().map(this::words).orElse("no end: " + play.trouble());
  }

  private String words(Event.Terminal end) {
    return switch (end) {
      case Event.Succeeded done -> "succeeded " + view.apply(done.result());
      case Event.Failed failed ->
          "failed " + failed.failure().code() + ": " + failed.failure().message();
      case Event.Cancelled cancelled -> "cancelled: " + cancelled.reason();
    };
  }

  private void violations(Sweep.Play play) {
    play.violations()
        .forEach(violation -> problem(play, "store", "the store is not sound: " + violation));
  }

  /** Every effect must have happened as often as when nobody was killed. */
  private void effects(Sweep.Play first, Sweep.Play play) {
    Map<String, Long> wanted = counts(first);
    Map<String, Long> found = counts(play);
    Set<String> all = new LinkedHashSet<>(wanted.keySet());
    all.addAll(found.keySet());
    for (String what : all) {
      long often = found.getOrDefault(what, 0L);
      long due = wanted.getOrDefault(what, 0L);
      if (often != due) {
        String step = step(often > due ? play : first, what);
        problem(
            play, step, "'" + what + "' happened " + times(often) + " instead of " + times(due));
      }
    }
    play.effects()
        .mistaken()
        .forEach(effect ->
            problem(
                play,
                effect.step(),
                "its key was used before for something else than '" + effect.what() + "'"));
  }

  private static Map<String, Long> counts(Sweep.Play play) {
    return play.effects().counted().stream()
        .collect(
            Collectors.groupingBy(Effects.Effect::what, LinkedHashMap::new, Collectors.counting()));
  }

  private static String step(Sweep.Play play, String what) {
    return play.effects().counted().stream()
        .filter(effect -> effect.what().equals(what))
        .map(Effects.Effect::step)
        .findFirst()
        .orElse(StepWatch.NO_STEP);
  }

  private static String times(long often) {
    return often == 0 ? "never" : often == 1 ? "once" : often + " times";
  }

  /** A step that returned something must return the same when it runs again. */
  private void results(Sweep.Play play) {
    Map<String, Json> results = new LinkedHashMap<>();
    for (StepWatch.BodyRun body : play.bodies()) {
      Optional<Json> before = body.result().map(result -> results.putIfAbsent(body.key(), result));
      if (before.isPresent()
          && !before.get().equals(body.result().orElseThrow())
          && !tolerated.contains(body.step())) {
        problem(
            play,
            body.step(),
            "it ran twice and returned "
                + before.get().text()
                + ", then "
                + body.result().get().text());
      }
    }
  }

  private void problem(Sweep.Play play, String where, String what) {
    String when = play.kill().map(Sweep.Kill::toString).orElse("nobody killed");
    problems.add(new CrashReport.Problem(where, what, when));
  }

  // ---- how often what ran ----

  private List<CrashReport.Step> steps(Sweep.Play first, List<Sweep.Play> kills) {
    Map<String, Integer> undisturbed = runs(first);
    Set<String> names = new LinkedHashSet<>(undisturbed.keySet());
    List<Map<String, Integer>> disturbed = kills.stream().map(Judge::runs).toList();
    disturbed.forEach(runs -> names.addAll(runs.keySet()));
    Set<String> flagged = new HashSet<>();
    problems.forEach(problem -> flagged.add(problem.where()));
    List<CrashReport.Step> steps = new ArrayList<>();
    for (String name : names) {
      int usual = undisturbed.getOrDefault(name, 0);
      int most = 0;
      int again = 0;
      for (Map<String, Integer> runs : disturbed) {
        most = Math.max(most, runs.getOrDefault(name, 0));
        again += runs.getOrDefault(name, 0) > usual ? 1 : 0;
      }
      steps.add(new CrashReport.Step(name, usual, most, again, flagged.contains(name)));
    }
    return steps;
  }

  private static Map<String, Integer> runs(Sweep.Play play) {
    Map<String, Integer> runs = new LinkedHashMap<>();
    play.bodies().forEach(body -> runs.merge(body.step(), 1, Integer::sum));
    return runs;
  }
}
