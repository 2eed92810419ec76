package dev.pawl.bench;

import dev.pawl.bench.host.Contender;
import dev.pawl.bench.machine.Disk;
import dev.pawl.bench.machine.PostgresServer;
import dev.pawl.bench.report.JsonLines;
import dev.pawl.bench.report.Kept;
import dev.pawl.bench.report.Machine;
import dev.pawl.bench.report.Margin;
import dev.pawl.bench.report.Margins;
import dev.pawl.bench.report.Page;
import dev.pawl.bench.report.Result;
import dev.pawl.bench.report.Results;
import dev.pawl.bench.report.TextTable;
import dev.pawl.cli.exit.CommandException;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.cli.terminal.Paint;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Where {@code pawl bench --peers} starts. */
public final class Main {
  private static final double SYNC_SECONDS = 1;
  private static final int CLAIMS = 1000;

  private final PrintStream out;
  private final PrintStream err;

  private Main(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Measures what the words ask for and exits. */
  public static void main(String[] args) {
    System.exit(run(System.out, System.err, args));
  }

  /** Measures, telling figures on one stream and everything else on the other. */
  public static int run(PrintStream out, PrintStream err, String... args) {
    List<String> words = new ArrayList<>(List.of(args));
    words.remove("bench");
    Syntax syntax = Options.syntax();
    try {
      Arguments given = syntax.parse(words);
      if (given.has("--help")) {
        syntax.help().forEach(out::println);
        return ExitCode.OK;
      }
      return new Main(out, err).measure(Options.of(given));
    } catch (CommandException e) {
      err.println("pawl: " + e.getMessage());
      return ExitCode.USAGE;
    } catch (IOException | SQLException | RuntimeException e) {
      err.println("pawl: the bench broke off: " + e);
      return ExitCode.FAILED;
    }
  }

  private int measure(Options options) throws IOException, SQLException {
    Results results = options.out().isPresent() ? Kept.read(kept(options)) : new Results();
    boolean wanted =
        options.contenders().stream().anyMatch(each -> each.store().equals("postgres"));
    try (Stage stage = Stage.set(options.postgres(), wanted)) {
      Machine machine = machine(stage);
      machine.lines().forEach(this::progress);
      if (options.claims().isPresent()) {
        return measureClaims(options, stage);
      }
      Consumer<Result> told =
          result -> {
            told(options, result);
            write(options, machine, results);
          };
      new Rounds(options, stage, results, this::progress, told).playAll();
      new Growth(options, stage, results, this::progress, told).measure();
      tell(options, machine, results);
    }
    return ExitCode.OK;
  }

  private int measureClaims(Options options, Stage stage) throws SQLException {
    if (stage.server().isEmpty()) {
      throw new IllegalStateException(stage.why());
    }
    ClaimGrowth.Figures figures =
        new ClaimGrowth(
                stage.server().get(),
                options.claims().get(),
                options.runs().orElse(CLAIMS),
                this::progress)
            .measure();
    out.println(options.json() ? figures.json() : figures.line());
    return ExitCode.OK;
  }

  private Machine machine(Stage stage) throws IOException {
    return new Machine(
        Disk.kind(stage.directory()),
        Disk.syncsPerSecond(stage.directory(), SYNC_SECONDS),
        stage.server().map(PostgresServer::settings).orElse(stage.why()));
  }

  private void told(Options options, Result result) {
    if (options.json()) {
      out.println(JsonLines.line(result));
    }
  }

  private static Path kept(Options options) {
    return options.out().orElseThrow().resolve(Kept.FILE);
  }

  /** After every result: whoever breaks off keeps what there is. */
  private static void write(Options options, Machine machine, Results results) {
    if (options.out().isEmpty()) {
      return;
    }
    try {
      Kept.write(kept(options), results);
      new Page(machine, results, new Margins(results).all()).write(options.out().get());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void progress(String line) {
    err.println(line);
    err.flush();
  }

  private void tell(Options options, Machine machine, Results results) {
    List<Margin> margins = new Margins(results).all();
    PrintStream people = options.json() ? err : out;
    Paint plain = new Paint(false);
    if (!options.json()) {
      machine.lines().forEach(people::println);
    }
    TextTable.lines(results, plain).forEach(people::println);
    people.println();
    settings(options, results).forEach(people::println);
    results.missing().forEach(people::println);
    people.println();
    people.println("The margins:");
    Margins.lines(margins, plain).forEach(people::println);
    people.flush();
    if (options.out().isPresent()) {
      write(options, machine, results);
      progress("written: benchmarks.md, .svg and .jsonl in " + options.out().get());
    }
  }

  private static List<String> settings(Options options, Results results) {
    List<String> lines = new ArrayList<>();
    for (Contender contender : options.contenders()) {
      results.all().stream()
          .filter(each -> each.contender().equals(contender.word()))
          .findFirst()
          .ifPresent(each ->
              lines.add(
                  contender.word() + ": " + each.settings() + " [" + each.durability() + "]"));
    }
    return lines;
  }
}
