package dev.pawl.testkit.sim;

import dev.pawl.doctor.Violation;
import dev.pawl.time.Ids;
import dev.pawl.time.Ticker;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Plays seed after seed, on as many threads as there are processors, and tells of each that breaks
 * a promise. One in a hundred is played twice, and both must come to the same in every move.
 *
 * <p>As a command, {@code ./pawl verify}: {@code --seeds N}, {@code --hours N}, or {@code --seed S}
 * for one alone. It needs a JDK 25 that is opened for it: {@code
 * --add-opens=java.base/java.lang=ALL-UNNAMED -Djdk.trackAllThreads=false}.
 */
public final class Simulation {
  private static final int REPLAY_EVERY = 100;
  private static final int WARM_UP = 50;
  private static final Duration TELL_EVERY = Duration.ofSeconds(30);

  private final long base;
  private final AtomicLong next = new AtomicLong();
  private final Consumer<String> failures;
  private final Ticker ticker = Ticker.system();
  private final long startNanos = ticker.nanos();
  private Figures figures = new Figures(0, 0, 0, 0, 0, 0, 0);

  /**
   * What was done.
   *
   * @param replayed how many seeds were played twice
   * @param orders what clients asked for and were told to be done
   * @param moves how often a thread was let go on
   * @param failed how many seeds broke a promise
   */
  public record Figures(
      long seeds, long replayed, long runs, long orders, long commits, long moves, long failed) {
    Figures plus(Figures more) {
      return new Figures(
          seeds + more.seeds,
          replayed + more.replayed,
          runs + more.runs,
          orders + more.orders,
          commits + more.commits,
          moves + more.moves,
          failed + more.failed);
    }
  }

  private Simulation(long base, Consumer<String> failures) {
    this.base = base;
    this.failures = failures;
  }

  /** A seed that nobody has used before. */
  public static long freshSeed() {
    return Ids.next().getLeastSignificantBits() >>> 16;
  }

  /** Plays so many seeds from this one on, and tells of each that fails. */
  public static Figures play(long base, long seeds, Consumer<String> failures) {
    Simulation simulation = new Simulation(base, failures);
    return simulation.play(() -> simulation.next.get() < seeds);
  }

  private Figures play(BooleanSupplier more) {
    warmUp();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      threads.add(Thread.ofPlatform().name("pawl-simulation-" + i).start(() -> playOn(more)));
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("the simulation was interrupted", e);
      }
    }
    return figures();
  }

  /**
   * What the JVM makes once and shares, such as readers of JSON, is made by one thread alone:
   * afterwards no simulation ever waits for another.
   */
  private static void warmUp() {
    for (long seed = 1; seed <= WARM_UP; seed++) {
      new Episode(seed, Sabotage.NONE).play();
    }
  }

  private void playOn(BooleanSupplier more) {
    while (more.getAsBoolean()) {
      long number = next.getAndIncrement();
      add(playOne(base + number, number % REPLAY_EVERY == 0));
    }
  }

  private synchronized void add(Figures more) {
    figures = figures.plus(more);
  }

  private synchronized Figures figures() {
    return figures;
  }

  private Figures playOne(long seed, boolean twice) {
    Episode.Result result;
    String problem;
    try {
      result = new Episode(seed, Sabotage.NONE).play();
      problem = result.violations().stream().findFirst().map(Violation::toString).orElse("");
      if (twice && problem.isEmpty()) {
        long again = new Episode(seed, Sabotage.NONE).play().trace();
        problem = again == result.trace() ? "" : "it does not replay: its two traces differ";
      }
    } catch (RuntimeException | Error e) {
      failures.accept(failure(seed, e.toString()));
      return new Figures(1, 0, 0, 0, 0, 0, 1);
    }
    if (!problem.isEmpty()) {
      failures.accept(failure(seed, problem));
    }
    return new Figures(
        1,
        twice ? 1 : 0,
        result.runs(),
        result.orders(),
        result.commits(),
        result.moves(),
        problem.isEmpty() ? 0 : 1);
  }

  private static String failure(long seed, String problem) {
    return "seed "
        + seed
        + " breaks a promise: "
        + problem
        + "\n  to see it again: ./pawl verify --seed "
        + seed;
  }

  // ---- the command ----

  public static void main(String[] args) {
    System.exit(run(args, System.out) ? 0 : 1);
  }

  /** Carries out the command; returns whether every promise was kept. */
  public static boolean run(String[] args, PrintStream out) {
    Map<String, String> options = options(args);
    if (options.containsKey("--seed")) {
      return show(Long.parseLong(options.get("--seed")), out);
    }
    long base = freshSeed();
    Simulation simulation = new Simulation(base, out::println);
    out.println("playing seeds from " + base + " on");
    long seeds = Long.parseLong(options.getOrDefault("--seeds", "" + Long.MAX_VALUE));
    double hours = Double.parseDouble(options.getOrDefault("--hours", "1000000"));
    Duration limit = Duration.ofMillis((long) (hours * 3_600_000));
    long[] told = {0};
    Figures figures =
        simulation.play(() -> {
          simulation.tellProgress(told, out);
          return simulation.next.get() < seeds && simulation.passed().compareTo(limit) < 0;
        });
    simulation.tell(out);
    return figures.failed() == 0;
  }

  private static Map<String, String> options(String[] args) {
    Map<String, String> options = new TreeMap<>();
    for (int i = 0; i + 1 < args.length; i += 2) {
      options.put(args[i], args[i + 1]);
    }
    if (args.length % 2 != 0
        || !List.of("--hours", "--seed", "--seeds").containsAll(options.keySet())) {
      throw new IllegalArgumentException(
          "asked for "
              + List.of(args)
              + "; understood are --seeds NUMBER, --hours NUMBER and --seed NUMBER");
    }
    return options;
  }

  private static boolean show(long seed, PrintStream out) {
    Episode episode = new Episode(seed, Sabotage.NONE);
    Episode.Result result = episode.play();
    for (Violation violation : result.violations()) {
      out.println(violation);
      out.println(
          violation.run()
              + " is to do "
              + episode.store().run(violation.run()).filter(Episode::isPlan).map(episode::planOf));
      episode.witness().log(violation.run()).forEach(out::println);
      episode.store().mail(violation.run()).forEach(out::println);
    }
    out.println(
        "seed "
            + seed
            + ": trace "
            + Long.toHexString(result.trace())
            + ", "
            + result.runs()
            + " runs, "
            + result.commits()
            + " commits, "
            + result.moves()
            + " moves");
    return result.violations().isEmpty();
  }

  private Duration passed() {
    return ticker.since(startNanos);
  }

  private synchronized void tellProgress(long[] told, PrintStream out) {
    long periods = passed().dividedBy(TELL_EVERY);
    if (periods > told[0]) {
      told[0] = periods;
      tell(out);
    }
  }

  private void tell(PrintStream out) {
    Figures now = figures();
    out.printf(
        Locale.ROOT,
        "%d seeds (%.0f a second), %d played twice, %d runs, %d orders, %d commits, %d moves, %d"
            + " failed%n",
        now.seeds(),
        now.seeds() * 1e9 / Math.max(1, passed().toNanos()),
        now.replayed(),
        now.runs(),
        now.orders(),
        now.commits(),
        now.moves(),
        now.failed());
  }
}
