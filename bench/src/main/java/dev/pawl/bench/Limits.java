package dev.pawl.bench;

import dev.pawl.Pawl;
import dev.pawl.bench.host.Contender;
import dev.pawl.bench.machine.Database;
import dev.pawl.bench.machine.RawPostgres;
import dev.pawl.bench.report.Sample;
import dev.pawl.bench.works.Measured;
import dev.pawl.bench.works.Work;
import dev.pawl.cli.bench.RawSqlite;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the bare database does with the rows that Pawl wrote: one by one, and in batches of as many
 * rows as Pawl had in a commit. Rows are counted in the tables.
 */
final class Limits {
  private static final int MOST_RUNS = 3000;
  private static final int MOST_ROWS = 20_000;
  private static final int SINGLE_RUNS = 60;
  private static final int SINGLE_ROWS = 300;

  private Limits() {}

  static boolean apply(Work work) {
    return work == Work.TASK || work == Work.FLOW5 || work == Work.FLOW1;
  }

  static Map<String, Sample> measure(
      Stage stage, Database database, Contender contender, Measured pawl) throws SQLException {
    double rows = pawl.more().getOrDefault("rows", 0.0);
    double commits = pawl.more().getOrDefault("commits", 0.0);
    if (rows < 1 || commits < 1) {
      return Map.of();
    }
    int batch = (int) Math.max(1, Math.round(rows / commits));
    Rates rates = database.isSqlite() ? sqlite(database, batch) : postgres(stage, database, batch);
    double rowsPerRun = rows / pawl.runs();
    Map<String, Sample> limits = new LinkedHashMap<>();
    limits.put("raw-batched", sample(rates.batched(), rowsPerRun, batch));
    limits.put("raw-single", sample(rates.single(), rowsPerRun, 1));
    return limits;
  }

  private record Rates(double single, double batched) {}

  private static Rates sqlite(Database database, int batch) {
    Path file = Path.of(database.url().substring("sqlite:".length()));
    return new Rates(
        RawSqlite.rowsPerSecond(file, SINGLE_RUNS, 1),
        RawSqlite.rowsPerSecond(file, MOST_RUNS, batch));
  }

  /** Batched on one, two and four connections; the best counts. */
  private static Rates postgres(Stage stage, Database database, int batch) throws SQLException {
    Database empty = stage.server().orElseThrow().create();
    try {
      Pawl.open(empty.url()).close();
      double single = RawPostgres.of(database, empty, SINGLE_ROWS).rowsPerSecond(1, 1);
      RawPostgres raw = RawPostgres.of(database, empty, MOST_ROWS);
      double best = 0;
      for (int connections : new int[] {1, 2, 4}) {
        best = Math.max(best, raw.rowsPerSecond(batch, connections));
      }
      return new Rates(single, best);
    } finally {
      stage.server().orElseThrow().drop(empty);
    }
  }

  /** As if it were runs: so many of them would have their rows written in a second. */
  private static Sample sample(double rowsPerSecond, double rowsPerRun, int batch) {
    Measured measured =
        new Measured(
            1,
            rowsPerRun / rowsPerSecond,
            1000 * rowsPerRun / rowsPerSecond,
            1000 * rowsPerRun / rowsPerSecond,
            Map.of(
                "rowsPerSecond", rowsPerSecond,
                "rowsPerRun", rowsPerRun,
                "rowsPerCommit", (double) batch));
    return new Sample(measured, 0);
  }
}
