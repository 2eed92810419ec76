package dev.pawl.cli.command;

import dev.pawl.cli.bench.Bench;
import dev.pawl.cli.bench.Figures;
import dev.pawl.cli.bench.GraphBench;
import dev.pawl.cli.bench.GraphFigures;
import dev.pawl.cli.bench.Progress;
import dev.pawl.cli.bench.Work;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.cli.terminal.Table;
import dev.pawl.cli.terminal.Table.Cell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** {@code pawl bench}. */
final class Measure implements Command {
  private static final int MOST = 10_000_000;

  @Override
  public Syntax syntax() {
    return Syntax.of(
            "bench",
            """
            Measure how fast Pawl is here, through the public API and with full durability: task
            (queued, then drained), flow1, flow5 (flows of one and five steps), signal (from the
            signal to the result) and fanout1000 (a parent with 1,000 children). On SQLite the same
            rows are then inserted once more without Pawl, as many to a commit as Pawl had.
            Without --store the measurements go to a temporary file. With --peers other engines are
            measured on the same works beside it: './pawl bench --peers --help' in a source checkout.
            """)
        .flag("--graphs", "Measure what graphs cost instead: nodes, messages, a large start")
        .flag("--peers", "Build and run the comparison with other engines; works in a checkout")
        .repeatable("--work", "WORK", "What to measure. Default: all of them")
        .option(
            "--concurrency -c",
            "N",
            "How many runs at once. Default: 256 for task and flow5, else 1")
        .option("--runs -n", "N", "How many runs to measure. Default: some seconds' worth")
        .notes(
            """
            JSON: one object a work: {"work", "system", "store", "durability", "concurrency", "runs",
            "seconds", "runsPerSecond", "stepsPerSecond", "p50Millis", "p99Millis", "commands",
            "commits", "rowsPerSecond", "rawRowsPerSecond", "ofRaw", "resumes"}
            """);
  }

  @Override
  public int run(Session session, Arguments given) throws IOException {
    if (given.has("--peers")) {
      throw syntax()
          .misused(
              "--peers was asked of the jar, which holds no peers; ./pawl in a source checkout"
                  + " builds and runs them");
    }
    if (given.has("--graphs")) {
      return measureGraphs(session, given);
    }
    List<Work> works = new ArrayList<>(given.values("--work").stream().map(Work::parse).toList());
    if (works.isEmpty()) {
      works.addAll(List.of(Work.values()));
    }
    Optional<Integer> concurrency = given.number("--concurrency", 1, 10_000);
    Optional<Integer> runs = given.number("--runs", 1, MOST);
    try (Place place = Place.of(session, given)) {
      List<Figures> all = new ArrayList<>();
      for (Work work : works) {
        all.add(measure(session, place.url(), work, concurrency, runs));
      }
      if (!session.isJson()) {
        session.print(table(all).lines("", session.paint()));
        session.note(all.get(0).durability());
      }
    }
    return ExitCode.OK;
  }

  private static int measureGraphs(Session session, Arguments given) throws IOException {
    try (Place place = Place.of(session, given)) {
      session.note("this takes about half a minute");
      GraphFigures figures = new GraphBench(place.url(), () -> {}).measure();
      if (session.isJson()) {
        session.out().println(figures.json().text());
      } else {
        session.print(table(figures).lines("", session.paint()));
      }
    }
    return ExitCode.OK;
  }

  private static Table table(GraphFigures figures) {
    return new Table("WHAT", "TOOK")
        .row(Cell.of("a no-op node in a chain of 50"), micros(figures.nodeMicros()))
        .row(Cell.of("a no-op step in a flow of 50"), micros(figures.stepMicros()))
        .row(
            Cell.of("so a node is, of a step"),
            Cell.of(String.format(Locale.ROOT, "%.2f", figures.nodeOverStep())))
        .row(Cell.of("a message between two nodes"), micros(figures.messageNanos() / 1000))
        .row(
            Cell.of("a million messages through ten nodes"),
            Cell.of(millis(figures.millionSeconds() * 1000)))
        .row(Cell.of("the start of 5,000 nodes"), Cell.of(millis(figures.startMillis())));
  }

  private static Cell micros(double number) {
    return Cell.of(String.format(Locale.ROOT, "%.2f µs", number));
  }

  /** The store to measure on: the one that was named, or one that is thrown away. */
  private record Place(String url, Optional<Path> temporary) implements AutoCloseable {
    static Place of(Session session, Arguments given) throws IOException {
      if (given.has("--store")) {
        return new Place(session.storeUrl(), Optional.empty());
      }
      Path directory = Files.createTempDirectory("pawl-bench");
      return new Place("sqlite:" + directory.resolve("bench.db"), Optional.of(directory));
    }

    @Override
    public void close() throws IOException {
      if (temporary.isPresent()) {
        remove(temporary.get());
      }
    }
  }

  private static Figures measure(
      Session session,
      String url,
      Work work,
      Optional<Integer> concurrency,
      Optional<Integer> runs) {
    int threads = concurrency.orElse(work.defaultConcurrency());
    int count = runs.orElse(work.defaultRuns());
    try (Progress progress =
        new Progress(session.err(), session.terminal().errIsTty(), work.word(), count)) {
      Figures figures = new Bench(url, progress).measure(work, threads, count);
      if (session.isJson()) {
        session.out().println(figures.json().text());
      }
      return figures;
    }
  }

  private static Table table(List<Figures> all) {
    Table table =
        new Table(
            "WORK",
            "AT ONCE",
            "RUNS",
            "RUNS/S",
            "STEPS/S",
            "P50",
            "P99",
            "PER COMMIT",
            "ROWS/S",
            "RAW ROWS/S",
            "OF RAW");
    for (Figures each : all) {
      table.row(
          Cell.of(each.work().word()),
          Cell.of(whole(each.concurrency())),
          Cell.of(whole(each.runs())),
          Cell.of(whole(each.runsPerSecond())),
          Cell.of(whole(each.stepsPerSecond())),
          Cell.of(millis(each.p50Millis())),
          Cell.of(millis(each.p99Millis())),
          Cell.of(whole((double) each.commands() / Math.max(1, each.commits()))),
          Cell.of(whole(each.rowsPerSecond())),
          Cell.of(each.rawRowsPerSecond().map(Measure::whole).orElse("")),
          Cell.of(each.ofRaw().map(ratio -> Math.round(ratio * 100) + " %").orElse("")));
    }
    return table;
  }

  private static String whole(double number) {
    return String.format(Locale.ROOT, "%,.0f", number);
  }

  private static String millis(double number) {
    return String.format(Locale.ROOT, number < 10 ? "%.2f ms" : "%.0f ms", number);
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
