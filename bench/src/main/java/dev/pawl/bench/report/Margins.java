package dev.pawl.bench.report;

import dev.pawl.bench.works.Work;
import dev.pawl.cli.terminal.Paint;
import dev.pawl.cli.terminal.Table;
import dev.pawl.cli.terminal.Table.Cell;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What Pawl aims at, held against what was measured in this run. */
public final class Margins {
  private static final String POSTGRES = "pawl-postgres";
  private static final String SQLITE = "pawl-sqlite";
  private static final double FLAT_THROUGHPUT = 0.8;
  private static final double FLAT_CLAIM = 1.5;

  private final Results results;

  public Margins(Results results) {
    this.results = results;
  }

  public List<Margin> all() {
    List<Margin> margins = new ArrayList<>();
    margins.add(
        faster(
            "flow5, 64 at once, Postgres",
            results.of(Work.FLOW5, POSTGRES, 64),
            "DBOS at 64",
            results.of(Work.FLOW5, "dbos", 64),
            10));
    margins.add(
        faster(
            "flow5, 256 at once, Postgres",
            results.of(Work.FLOW5, POSTGRES, 256),
            "DBOS at its best",
            results.best(Work.FLOW5, "dbos"),
            20));
    margins.add(task("dbos", 20));
    margins.add(task("db-scheduler", 3));
    margins.add(task("jobrunr", 3));
    margins.add(task("pg-boss", 3));
    margins.add(task("graphile-worker", 1));
    margins.add(quicker(Work.FLOW1));
    margins.add(quicker(Work.SIGNAL));
    margins.add(
        faster(
            "flow5, 256 at once, SQLite FULL",
            results.of(Work.FLOW5, SQLITE, 256),
            "Pawl on Postgres",
            results.of(Work.FLOW5, POSTGRES, 256),
            1.5));
    margins.add(ofRaw("sqlite"));
    margins.add(ofRaw("postgres"));
    margins.add(fanOut(SQLITE));
    margins.add(fanOut(POSTGRES));
    margins.add(sleepers(SQLITE));
    margins.add(sleepers(POSTGRES));
    for (String store : List.of("sqlite", "postgres")) {
      margins.add(grown(Work.TASK, store));
      margins.add(grown(Work.FLOW5, store));
      margins.add(claims(store));
      margins.add(longFlow(store));
    }
    return margins;
  }

  private Margin task(String peer, double times) {
    return faster(
        "task, Postgres",
        results.of(Work.TASK, POSTGRES),
        peer,
        results.of(Work.TASK, peer),
        times);
  }

  private static Margin faster(
      String work, Optional<Result> pawl, String against, Optional<Result> peer, double times) {
    String asked = times == 1 ? "on par or better" : Words.times(times);
    if (pawl.isEmpty() || peer.isEmpty()) {
      return Margin.unknown(work, against, asked);
    }
    double ratio = pawl.get().runsPerSecond() / peer.get().runsPerSecond();
    String measured =
        "%s (%s against %s runs/s)"
            .formatted(
                Words.times(ratio),
                Words.number(pawl.get().runsPerSecond()),
                Words.number(peer.get().runsPerSecond()));
    return Margin.of(work, against, asked, measured, ratio >= times);
  }

  private Margin quicker(Work work) {
    String title = work.word() + ", p50, Postgres";
    Optional<Result> pawl = results.of(work, POSTGRES);
    Optional<Result> dbos = results.of(work, "dbos");
    if (pawl.isEmpty() || dbos.isEmpty()) {
      return Margin.unknown(title, "DBOS", "half the latency");
    }
    double ratio = pawl.get().p50Millis() / dbos.get().p50Millis();
    String measured =
        "%s (%s against %s)"
            .formatted(
                Words.percent(ratio),
                Words.millis(pawl.get().p50Millis()),
                Words.millis(dbos.get().p50Millis()));
    return Margin.of(title, "DBOS", "half the latency", measured, ratio <= 0.5);
  }

  /** At the concurrency where Pawl writes the most rows. */
  private Margin ofRaw(String store) {
    String title = "flow5, rows a second, " + store;
    Optional<Result> pawl = results.best(Work.FLOW5, "pawl-" + store);
    Optional<Result> raw =
        pawl.flatMap(best -> results.of(Work.FLOW5, "raw-batched-" + store, best.concurrency()));
    if (raw.isEmpty()) {
      return Margin.unknown(title, "raw batched inserts", "40 %");
    }
    double ratio = pawl.get().runsPerSecond() / raw.get().runsPerSecond();
    String measured =
        "%s at %d at once (%s raw rows/s, %s to a commit)"
            .formatted(
                Words.percent(ratio),
                pawl.get().concurrency(),
                Words.number(raw.get().more("rowsPerSecond").orElse(0.0)),
                Words.number(raw.get().more("rowsPerCommit").orElse(0.0)));
    return Margin.of(title, "raw batched inserts", "40 %", measured, ratio >= 0.4);
  }

  private Margin fanOut(String pawl) {
    return results
        .of(Work.FANOUT1000, pawl)
        .flatMap(result -> result.more("resumes"))
        .map(resumes ->
            Margin.of(
                "fanout1000, " + pawl,
                "resumes of the parent",
                "at most 5",
                Words.number(resumes),
                resumes <= 5))
        .orElseGet(
            () -> Margin.unknown("fanout1000, " + pawl, "resumes of the parent", "at most 5"));
  }

  private Margin sleepers(String pawl) {
    String asked = "p99 under 1 s";
    return results
        .of(Work.SLEEPERS, pawl)
        .filter(result -> result.runs() >= 10_000)
        .map(result ->
            Margin.of(
                "sleepers, " + pawl,
                Words.number(result.runs()) + " due at once",
                asked,
                Words.millis(result.p99Millis()),
                result.p99Millis() < 1000))
        .orElseGet(() -> Margin.unknown("sleepers, " + pawl, "10,000 due at once", asked));
  }

  private List<Result> stages(Work work, String store) {
    return results.all().stream()
        .filter(each ->
            each.work() == work
                && each.contender().equals("pawl-" + store)
                && each.stored().isPresent())
        .sorted(Comparator.comparingInt(each -> each.stored().orElse(0)))
        .toList();
  }

  private Margin grown(Work work, String store) {
    String title = work.word() + " as the store grows, " + store;
    List<Result> stages = stages(work, store);
    if (stages.size() < 2) {
      return Margin.unknown(title, "an empty store", "within 20 %");
    }
    double least = stages.stream().mapToDouble(Result::runsPerSecond).min().orElse(0);
    double ratio = least / stages.get(0).runsPerSecond();
    return Margin.of(
        title,
        "an empty store",
        "within 20 %",
        Words.percent(ratio)
            + " with "
            + Words.number(stages.getLast().stored().orElse(0))
            + " and as many",
        ratio >= FLAT_THROUGHPUT);
  }

  private Margin claims(String store) {
    String title = "claim, median, " + store;
    List<Double> claims =
        stages(Work.TASK, store).stream()
            .map(stage -> stage.more("claimMillis"))
            .flatMap(Optional::stream)
            .toList();
    if (claims.size() < 2) {
      return Margin.unknown(title, "an empty store", "within 1.5 times");
    }
    double ratio = claims.stream().mapToDouble(each -> each).max().orElse(0) / claims.get(0);
    return Margin.of(
        title,
        "an empty store",
        "within 1.5 times",
        "%s (%s empty)".formatted(Words.times(ratio), Words.millis(claims.get(0))),
        ratio <= FLAT_CLAIM);
  }

  /** The last thousand steps against the second: the first has not been compiled. */
  private Margin longFlow(String store) {
    String title = "10,000 steps, cost per step, " + store;
    Optional<Result> flow = results.of(Work.LONG, "pawl-" + store);
    Optional<Double> early = flow.flatMap(result -> result.more("microsPerStep2000"));
    Optional<Double> late = flow.flatMap(result -> result.more("microsPerStep10000"));
    if (early.isEmpty() || late.isEmpty()) {
      return Margin.unknown(title, "its second thousand", "flat, warm and cold");
    }
    double cold = flow.get().more("coldMicrosPerStep").orElse(0.0);
    double coldFew = flow.get().more("coldMicrosPerStepOf1000").orElse(0.0);
    String measured =
        "last thousand %s µs, second %s µs; cold %s µs, of 1,000 steps %s µs"
            .formatted(
                Words.number(late.get()),
                Words.number(early.get()),
                Words.number(cold),
                Words.number(coldFew));
    boolean flat = late.get() <= early.get() * FLAT_CLAIM && cold <= coldFew * FLAT_CLAIM;
    return Margin.of(title, "its second thousand", "flat, warm and cold", measured, flat);
  }

  public static List<String> lines(List<Margin> margins, Paint paint) {
    Table table = new Table("WORK", "AGAINST", "ASKED", "MEASURED", "MET");
    for (Margin margin : margins) {
      table.row(
          Cell.of(margin.work()),
          Cell.of(margin.against()),
          Cell.of(margin.asked()),
          Cell.of(margin.measured().orElse("")),
          Cell.of(margin.verdict()));
    }
    return table.lines("  ", paint);
  }
}
