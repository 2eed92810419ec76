package dev.pawl.bench.report;

import dev.pawl.bench.works.Work;
import dev.pawl.cli.terminal.Paint;
import dev.pawl.cli.terminal.Table;
import dev.pawl.cli.terminal.Table.Cell;
import java.util.ArrayList;
import java.util.List;

/** The results in columns, for a screen. */
public final class TextTable {
  private TextTable() {}

  public static List<String> lines(Results results, Paint paint) {
    List<String> lines = new ArrayList<>();
    for (Work work : Work.values()) {
      List<Result> of = results.all().stream().filter(result -> result.work() == work).toList();
      if (!of.isEmpty()) {
        lines.add("");
        lines.add(work.word() + ": " + work.about());
        lines.addAll(table(results, of).lines("  ", paint));
      }
    }
    return lines;
  }

  private static Table table(Results results, List<Result> of) {
    Table table =
        new Table(
            "SYSTEM",
            "AT ONCE",
            "STORED",
            "RUNS/S",
            "P50",
            "P99",
            "ROUNDS",
            "SPREAD",
            "PAWL IS",
            "OTHERS' CPU",
            "");
    for (Result each : of) {
      table.row(
          Cell.of(each.contender() + (each.durable() ? "" : " (not durable)")),
          Cell.of(Integer.toString(each.concurrency())),
          Cell.of(each.stored().map(Words::number).orElse("")),
          Cell.of(Words.number(each.runsPerSecond())),
          Cell.of(Words.millis(each.p50Millis())),
          Cell.of(Words.millis(each.p99Millis())),
          Cell.of(Integer.toString(each.rounds().size())),
          Cell.of(Words.percent(each.spread())),
          Cell.of(
              each.system().equals("pawl") || each.stored().isPresent()
                  ? ""
                  : results.pawlAgainst(each).map(Words::times).orElse("")),
          Cell.of(Words.percent(each.strangers())),
          Cell.faint(more(each)));
    }
    return table;
  }

  static String more(Result result) {
    List<String> told = new ArrayList<>();
    for (String name : result.moreNames()) {
      told.add(name + " " + Words.number(result.more(name).orElse(0.0)));
    }
    return String.join(", ", told);
  }
}
