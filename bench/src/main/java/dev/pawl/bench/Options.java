package dev.pawl.bench;

import dev.pawl.bench.host.Contender;
import dev.pawl.bench.machine.PostgresServer;
import dev.pawl.bench.works.Work;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What is to be measured.
 *
 * @param concurrencies instead of each work's own, if not empty
 * @param seconds how long a timed round lasts
 * @param grow sizes of the store to measure growth at; none for no growth
 * @param claims how many runs of each sort that a claim does not want to measure it beside; then
 *     nothing else is measured
 */
record Options(
    List<Work> works,
    List<Contender> contenders,
    List<Integer> concurrencies,
    int rounds,
    Optional<Integer> runs,
    double seconds,
    Optional<String> postgres,
    List<Integer> grow,
    Optional<Integer> claims,
    boolean quick,
    boolean json,
    Optional<Path> out) {
  private static final int MOST = 10_000_000;

  static Syntax syntax() {
    return Syntax.of(
            "bench",
            """
            Measure Pawl and the engines one would pick instead on the same works, side by side: each
            in a process of its own, on a fresh database of the same Postgres server, in turns.
            """)
        .flag("--peers", "Measure the peers; without it 'pawl bench' measures Pawl alone")
        .repeatable(
            "--work",
            "WORK[,…]",
            "task, flow5, flow1, signal, sleepers, fanout1000, recovery, parked, payload,\n"
                + "startup, long. Default: all of them")
        .repeatable(
            "--systems",
            "NAME[,…]",
            "pawl (or pawl-postgres, pawl-sqlite), dbos, db-scheduler, jobrunr, graphile-worker,\n"
                + "pg-boss, restate, temporal-test. Default: all of them")
        .repeatable(
            "--concurrency -c", "N[,…]", "How many at once. Default: flow5 1,16,64,256; else 1")
        .option("--rounds", "N", "How many rounds. Default: 3; recovery and parked 1")
        .option("--runs -n", "N", "How many runs a round, or the most. Default: each work's own")
        .option("--seconds", "N", "How long a timed round lasts. Default: 4")
        .flag("--quick", "Rounds of a second and a tenth of the runs: to see that it works")
        .option(
            "--postgres",
            "URL",
            "A server to use, postgres://user:password@host:port/name. Default:\n"
                + "$PAWL_BENCH_POSTGRES, else one is brought up with fsync and synchronous_commit"
                + " on")
        .repeatable(
            "--grow",
            "N[,…]",
            "Measure task, flow5 and the claim with so many suspended and as many finished runs\n"
                + "in the store")
        .option(
            "--claims",
            "N",
            "Only this: the claim on an empty store in Postgres, and beside N suspended, N pending"
                + " of\nother types and N finished runs, in turns")
        .option(
            "--out",
            "DIR",
            "Write benchmarks.md and benchmarks.svg there, and benchmarks.jsonl, from which a later"
                + "\nrun takes what it does not measure itself")
        .notes(
            """
            JSON: one object a result: {"work", "system", "store", "concurrency", "runsPerSecond",
            "p50Millis", "p99Millis", "rounds", "spread", "durability", "settings", …}. What was not
            measured, and why, goes to standard error, and so does everything else.
            """);
  }

  static Options of(Arguments given) {
    boolean quick = given.has("--quick");
    List<Work> works = list(given, "--work", Work::parse);
    List<Contender> contenders = Contender.parse(list(given, "--systems", word -> word));
    List<Integer> grow = list(given, "--grow", Options::number);
    return new Options(
        works.isEmpty() && grow.isEmpty() ? List.of(Work.values()) : works,
        given.has("--systems") ? contenders : List.of(Contender.values()),
        list(given, "--concurrency", Options::number),
        given.number("--rounds", 1, 100).orElse(quick ? 1 : 3),
        given.number("--runs", 1, MOST),
        given.number("--seconds", 1, 3600).orElse(quick ? 1 : 4),
        given
            .value("--postgres")
            .or(() -> Optional.ofNullable(System.getenv("PAWL_BENCH_POSTGRES")))
            .filter(url -> !url.isBlank())
            .map(Options::server),
        grow,
        given.number("--claims", 1, MOST),
        quick,
        given.has("--json"),
        given.value("--out").map(Path::of));
  }

  private static String server(String url) {
    if (!PostgresServer.isAddress(url)) {
      throw syntax()
          .misused(
              "'" + url + "' names no server; it takes postgres://user:password@host:port/name");
    }
    return url;
  }

  private static int number(String word) {
    try {
      int number = Integer.parseInt(word);
      if (number >= 0 && number <= MOST) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The sentence below is right for this case too.
    }
    throw syntax().misused("'" + word + "' is not a whole number from 0 to " + MOST);
  }

  private static <T> List<T> list(Arguments given, String option, Function<String, T> parse) {
    try {
      return given.values(option).stream()
          .flatMap(words -> Arrays.stream(words.split(",")))
          .map(String::strip)
          .filter(word -> !word.isEmpty())
          .map(parse)
          .toList();
    } catch (IllegalArgumentException e) {
      throw syntax().misused(String.valueOf(e.getMessage()));
    }
  }

  int runs(Work work) {
    int usual = work.isTimed() || !quick ? work.runs() : Math.max(1, work.runs() / 10);
    return runs.orElse(usual);
  }

  int rounds(Work work) {
    return work.isMadeOnce() ? 1 : rounds;
  }

  List<Integer> concurrencies(Work work) {
    return work == Work.FLOW5 && !concurrencies.isEmpty() ? concurrencies : work.concurrencies();
  }

  /** The most that is run before a round, where it is measured: connections are made, plans too. */
  double warmSeconds() {
    return quick ? 0.5 : 1.5;
  }

  /** The most that is run before the first round of all, when nothing is compiled yet. */
  double rehearsalSeconds() {
    return quick ? 0.5 : 60;
  }
}
