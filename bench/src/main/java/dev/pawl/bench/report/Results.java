package dev.pawl.bench.report;

import dev.pawl.bench.works.Work;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that was measured, and what was not and why. What was measured before stands until
 * somebody measures the same again: then all systems' figures go, since only those of one run can
 * be compared. How a store bears growth is compared with that store alone, so there only its own
 * go.
 */
public final class Results {
  private record Turn(
      Work work, int concurrency, Optional<Integer> stored, Optional<String> grown) {
    static Turn of(Result result) {
      Optional<String> grown = result.stored().map(count -> result.store());
      return new Turn(result.work(), result.concurrency(), result.stored(), grown);
    }
  }

  private final List<Result> all = new ArrayList<>();
  private final Set<Turn> now = new HashSet<>();
  private final List<String> missing = new ArrayList<>();

  public Results() {}

  Results(List<Result> before) {
    all.addAll(before);
  }

  public static String today() {
    return LocalDate.now(ZoneOffset.UTC).toString();
  }

  public void add(Result result) {
    if (now.add(Turn.of(result))) {
      all.removeIf(old -> Turn.of(old).equals(Turn.of(result)));
    }
    all.add(result);
  }

  /** Says that something was not measured. */
  public void miss(String line) {
    if (!missing.contains(line)) {
      missing.add(line);
    }
  }

  public List<Result> all() {
    return List.copyOf(all);
  }

  public List<String> missing() {
    return List.copyOf(missing);
  }

  public List<Result> of(Work work) {
    return all.stream().filter(each -> each.work() == work && each.stored().isEmpty()).toList();
  }

  public Optional<Result> of(Work work, String contender, int concurrency) {
    return of(work).stream()
        .filter(each -> each.contender().equals(contender) && each.concurrency() == concurrency)
        .findFirst();
  }

  public Optional<Result> of(Work work, String contender) {
    return of(work).stream().filter(each -> each.contender().equals(contender)).findFirst();
  }

  /** A contender's best at a work, at whatever concurrency. */
  public Optional<Result> best(Work work, String contender) {
    return of(work).stream()
        .filter(each -> each.contender().equals(contender))
        .max(Comparator.comparingDouble(Result::runsPerSecond));
  }

  /**
   * How much better Pawl is than this result: on Postgres, or on SQLite where it was not measured
   * there. More than 1 is better.
   */
  public Optional<Double> pawlAgainst(Result other) {
    return of(other.work(), "pawl-postgres", other.concurrency())
        .or(() -> of(other.work(), "pawl-sqlite", other.concurrency()))
        .filter(pawl -> other.figure() > 0 && pawl.figure() > 0)
        .map(pawl ->
            other.work().unit().isMoreBetter()
                ? pawl.figure() / other.figure()
                : other.figure() / pawl.figure());
  }
}
