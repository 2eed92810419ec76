package dev.pawl.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.pawl.bench.works.Measured;
import dev.pawl.bench.works.Work;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

class ReportTest {
  @TempDir Path directory;

  private static Result result(
      Work work, String system, String store, int concurrency, double... runsPerSecond) {
    return result(work, system, store, concurrency, Optional.empty(), runsPerSecond);
  }

  private static Result result(
      Work work,
      String system,
      String store,
      int concurrency,
      Optional<Integer> stored,
      double... runsPerSecond) {
    List<Sample> samples =
        DoubleStream.of(runsPerSecond)
            .mapToObj(rate ->
                new Sample(
                    new Measured(1000, 1000 / rate, 1000 / rate, 2000 / rate, Map.of()), 0.1))
            .toList();
    return new Result(
        "2026-11-16",
        work,
        system,
        store,
        !store.equals("memory"),
        concurrency,
        stored,
        "1.0; defaults",
        "fsync",
        samples);
  }

  private static Results results() {
    Results results = new Results();
    results.add(result(Work.TASK, "pawl", "postgres", 1, 9000, 11_000, 10_000));
    results.add(result(Work.TASK, "dbos", "postgres", 1, 400));
    results.add(result(Work.TASK, "graphile-worker", "postgres", 1, 12_000));
    results.add(result(Work.TASK, "temporal-test", "memory", 1, 600));
    results.add(result(Work.FLOW5, "pawl", "postgres", 256, 8000));
    results.add(result(Work.FLOW5, "dbos", "postgres", 64, 390));
    results.add(result(Work.FLOW5, "dbos", "postgres", 256, 300));
    results.add(result(Work.FLOW5, "raw-batched", "postgres", 256, 10_000));
    results.add(result(Work.FLOW1, "pawl", "postgres", 1, 500));
    results.add(result(Work.FLOW1, "dbos", "postgres", 1, 200));
    results.miss("pg-boss is skipped: 'npm' cannot be run");
    return results;
  }

  @Test
  void whatWasMeasuredBeforeIsKeptUntilItsWorkIsMeasuredAgain() throws Exception {
    Path file = directory.resolve("some/benchmarks.jsonl");
    Kept.write(file, results());
    Results again = Kept.read(file);
    assertThat(again.all()).isEqualTo(results().all());

    again.add(result(Work.TASK, "pawl", "postgres", 1, 20_000));
    again.add(result(Work.TASK, "dbos", "postgres", 1, 500));
    again.add(result(Work.FLOW5, "pawl", "postgres", 256, 9000));

    assertThat(again.of(Work.TASK)).extracting(Result::system).containsExactly("pawl", "dbos");
    assertThat(again.of(Work.FLOW5))
        .extracting(Result::contender, Result::concurrency)
        .containsExactly(tuple("dbos", 64), tuple("pawl-postgres", 256));
    assertThat(again.of(Work.FLOW1)).isEqualTo(results().of(Work.FLOW1));
    assertThat(Kept.read(directory.resolve("none.jsonl")).all()).isEmpty();
  }

  @Test
  void theGrowthOfOneStoreIsKeptWhileThatOfAnotherIsMeasuredAgain() throws Exception {
    Path file = directory.resolve("benchmarks.jsonl");
    Optional<Integer> many = Optional.of(1_000_000);
    Results before = new Results();
    before.add(result(Work.TASK, "pawl", "postgres", 1, many, 5000));
    before.add(result(Work.TASK, "pawl", "sqlite", 1, many, 12_000));
    Kept.write(file, before);

    Results again = Kept.read(file);
    again.add(result(Work.TASK, "pawl", "sqlite", 1, many, 14_000));

    assertThat(again.all())
        .extracting(Result::store, Result::runsPerSecond)
        .containsExactly(tuple("postgres", 5000.0), tuple("sqlite", 14_000.0));
  }

  @Test
  void theMiddleRoundCountsAndTheSpreadIsTold() {
    Result pawl = results().of(Work.TASK, "pawl-postgres").orElseThrow();
    assertThat(pawl.runsPerSecond()).isEqualTo(10_000);
    assertThat(pawl.spread()).isEqualTo(0.2);
  }

  @Test
  void aMarginIsMetMissedOrNotMeasured() {
    List<Margin> margins = new Margins(results()).all();
    assertThat(verdict(margins, "task, Postgres", "dbos")).isEqualTo("yes");
    assertThat(verdict(margins, "task, Postgres", "graphile-worker")).isEqualTo("NO");
    assertThat(verdict(margins, "task, Postgres", "pg-boss")).isEqualTo("not measured");
    // Against the best of DBOS, which is at 64, and not against the one at 256.
    assertThat(verdict(margins, "flow5, 256 at once, Postgres", "DBOS at its best"))
        .isEqualTo("yes");
    assertThat(margins)
        .filteredOn(margin -> margin.against().equals("DBOS at its best"))
        .allMatch(margin -> margin.measured().orElse("").contains("390"));
    assertThat(verdict(margins, "flow5, rows a second, postgres", "raw batched inserts"))
        .isEqualTo("yes");
    assertThat(verdict(margins, "flow1, p50, Postgres", "DBOS")).isEqualTo("yes");
    assertThat(verdict(margins, "flow5, 64 at once, Postgres", "DBOS at 64"))
        .isEqualTo("not measured");
  }

  private static String verdict(List<Margin> margins, String work, String against) {
    return margins.stream()
        .filter(margin -> margin.work().equals(work) && margin.against().equals(against))
        .findFirst()
        .orElseThrow()
        .verdict();
  }

  @Test
  void aLineOfJsonHasWhatProgramsLookFor() {
    assertThat(JsonLines.line(results().all().get(0)))
        .startsWith(
            "{\"work\":\"task\",\"system\":\"pawl\",\"store\":\"postgres\",\"concurrency\":1,"
                + "\"runsPerSecond\":10000.0,\"p50Millis\":")
        .contains("\"p99Millis\":", "\"rounds\":3", "\"durability\":\"fsync\"");
  }

  @Test
  void thePageKeepsWhatStandsAroundTheFigures() throws Exception {
    Machine machine = new Machine("ext4", 1000, "Postgres 18, fsync on");
    Path page = directory.resolve("benchmarks.md");
    new Page(machine, results(), new Margins(results()).all()).write(directory);
    Files.writeString(page, "# Mine\n\n" + Files.readString(page) + "\n## Behind\n");
    new Page(machine, results(), new Margins(results()).all()).write(directory);
    assertThat(Files.readString(page))
        .startsWith("# Mine\n")
        .endsWith("## Behind\n")
        .containsOnlyOnce("### What was aimed at")
        .contains("| graphile-worker | 1 | 12,000 |", "pg-boss is skipped", "(not durable)");
  }

  @Test
  void theChartIsWellFormedAndItsBarsAreToScale() throws Exception {
    String svg = new Chart(results()).svg();
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
    assertThat(svg).contains("prefers-color-scheme: dark", "Pawl on Postgres", "(not durable)");
    double most = barOf(svg, "graphile-worker");
    assertThat(barOf(svg, "Pawl on Postgres") / most)
        .isCloseTo(10_000.0 / 12_000, org.assertj.core.api.Assertions.within(0.01));
  }

  /** The width of the first bar behind a label. */
  private static double barOf(String svg, String label) {
    String rest = svg.substring(svg.indexOf(">" + label + "<"));
    return Double.parseDouble(rest.replaceFirst("(?s).*?width=\"([0-9.]+)\".*", "$1"));
  }
}
