package dev.pawl.testkit.sim;

import dev.pawl.doctor.Violation;
import dev.pawl.time.Ids;
import dev.pawl.time.Ticker;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Plays seed after seed, on as many threads as there are processors, and tells of each that breaks
 * a promise. One in a hundred is played twice, and both must come to the same in every move.
 *
 * <p>A play in which some kind of operation never succeeded is no pass either ({@link Deed}).
 *
 * <p>As a command, {@code ./pawl verify}: {@code --seeds N}, {@code --hours N}, or {@code --seed S}
 * for one alone; {@code --only flows} leaves out scripts and graphs. It needs a JDK 25 that is
 * opened for it: {@code --add-opens=java.base/java.lang=ALL-UNNAMED -Djdk.trackAllThreads=false}.
 */
public final class Simulation {
  private static final int REPLAY_EVERY = 100;
  private static final int WARM_UP = 50;

  /** In so many seeds every kind of operation succeeds. */
  private static final long ENOUGH = 1_000;

  private static final Figures FAILED = new Figures(0, 0, 0, 0, 0, 0, 1, Map.of());
  private static final Figures FAILED_SEED = new Figures(1, 0, 0, 0, 0, 0, 1, Map.of());
  private static final double ENDLESS_HOURS = 1_000_000;
  private static final Duration TELL_EVERY = Duration.ofSeconds(30);

  private final long base;
  private final Sabotage sabotage;
  private final List<Notation> notations;

  /** How many seeds a second were played in the last period of which was told; 0 before. */
  private double lately;

  private long seedsBefore;
  private final AtomicLong next = new AtomicLong();
  private final Consumer<String> failures;
  private final Ticker ticker = Ticker.system();
  private final long startNanos = ticker.nanos();
  private Figures figures = Figures.NONE;

  /**
   * What was done.
   *
   * @param replayed how many seeds were played twice
   * @param orders what clients asked for and were told to be done
   * @param moves how often a thread was let go on
   * @param failed how many seeds broke a promise
   * @param deeds how often each kind of operation succeeded
   */
  public record Figures(
      long seeds,
      long replayed,
      long runs,
      long orders,
      long commits,
      long moves,
      long failed,
      Map<Deed, Long> deeds) {
    static final Figures NONE = new Figures(0, 0, 0, 0, 0, 0, 0, Map.of());

    Figures plus(Figures more) {
      return new Figures(
          seeds + more.seeds,
          replayed + more.replayed,
          runs + more.runs,
          orders + more.orders,
          commits + more.commits,
          moves + more.moves,
          failed + more.failed,
          sum(deeds, more.deeds));
    }

    private static Map<Deed, Long> sum(Map<Deed, Long> one, Map<Deed, Long> other) {
      Map<Deed, Long> sum = Deed.none();
      sum.putAll(one);
      other.forEach((deed, times) -> sum.merge(deed, times, Long::sum));
      return sum;
    }

    /** The operations that never succeeded, of those that could have. */
    public Set<Deed> missing(List<Notation> notations) {
      Set<Deed> missing = EnumSet.allOf(Deed.class);
      missing.removeAll(deeds.keySet());
      missing.removeIf(deed ->
          deed.kind().isPresent()
              && notations.stream().noneMatch(its -> its.kind().equals(deed.kind().get())));
      return missing;
    }
  }

  private Simulation(
      long base, Sabotage sabotage, List<Notation> notations, Consumer<String> failures) {
    this.base = base;
    this.sabotage = sabotage;
    this.notations = notations;
    this.failures = failures;
  }

  /** A seed that nobody has used before. */
  public static long freshSeed() {
    return Ids.next().getLeastSignificantBits() >>> 16;
  }

  /**
   * Plays so many seeds from this one on, and tells of each that fails, and of each kind of
   * operation that never succeeded.
   *
   * @param notations what plans may be written in, besides as flows
   */
  public static Figures play(
      long base, long seeds, List<Notation> notations, Consumer<String> failures) {
    return play(base, seeds, ENOUGH, Sabotage.NONE, notations, failures);
  }

  /**
   * The same over a store that may be wrong.
   *
   * @param enough from how many seeds on every kind of operation has to succeed
   */
  static Figures play(
      long base,
      long seeds,
      long enough,
      Sabotage sabotage,
      List<Notation> notations,
      Consumer<String> failures) {
    Simulation simulation = new Simulation(base, sabotage, notations, failures);
    Figures figures = simulation.play(() -> simulation.next.get() < seeds);
    return simulation.judged(figures, enough);
  }

  /** What one seed comes to: the promises that it breaks, in words. */
  public static List<String> violations(long seed, List<Notation> notations) {
    return new Episode(seed, Sabotage.NONE, notations)
        .play().violations().stream().map(Violation::toString).toList();
  }

  /** Too few seeds may well lack an operation. */
  private Figures judged(Figures all, long enough) {
    Set<Deed> missing = all.seeds() < enough ? Set.of() : all.missing(notations);
    missing.forEach(deed ->
        failures.accept(
            "in "
                + all.seeds()
                + " seeds from "
                + base
                + " on no "
                + deed
                + " succeeded: that shows nothing about it"));
    return missing.isEmpty() ? all : all.plus(FAILED);
  }

  private Figures play(BooleanSupplier more) {
    warmUp();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < processors(); i++) {
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

  private static int processors() {
    return Runtime.getRuntime().availableProcessors();
  }

  /**
   * What the JVM makes once and shares, such as readers of JSON, is made by one thread alone, so
   * that simulations seldom wait for each other. When they do, it changes nothing in them.
   */
  private void warmUp() {
    for (long seed = 1; seed <= WARM_UP; seed++) {
      new Episode(seed, Sabotage.NONE, notations).play();
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
      result = new Episode(seed, sabotage, notations).play();
      problem = result.violations().stream().findFirst().map(Violation::toString).orElse("");
      if (twice && problem.isEmpty()) {
        long again = new Episode(seed, sabotage, notations).play().trace();
        problem = again == result.trace() ? "" : "it does not replay: its two traces differ";
      }
    } catch (RuntimeException | Error e) {
      failures.accept(failure(seed, e.toString()));
      return FAILED_SEED;
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
        problem.isEmpty() ? 0 : 1,
        result.deeds());
  }

  private String failure(long seed, String problem) {
    return "seed "
        + seed
        + " breaks a promise: "
        + problem
        + "\n  to see it again: ./pawl verify "
        + (notations.isEmpty() ? "--only flows " : "")
        + "--seed "
        + seed;
  }

  // ---- the command ----

  /**
   * Carries out the command; returns whether every promise was kept.
   *
   * @param all what plans may be written in, unless {@code --only flows} is said
   */
  public static boolean run(String[] args, List<Notation> all, PrintStream out) {
    Map<String, String> options = options(args);
    List<Notation> notations = options.containsKey("--only") ? List.of() : all;
    if (options.containsKey("--seed")) {
      return show(number(options, "--seed", 0L, Long::valueOf), notations, out);
    }
    long seeds = number(options, "--seeds", Long.MAX_VALUE, Long::valueOf);
    double hours = number(options, "--hours", ENDLESS_HOURS, Double::valueOf);
    long base = freshSeed();
    Simulation simulation = new Simulation(base, Sabotage.NONE, notations, out::println);
    out.println("playing seeds from " + base + " on");
    Duration limit = Duration.ofMillis((long) (hours * 3_600_000));
    long[] told = {0};
    Figures figures =
        simulation.play(() -> {
          simulation.tellProgress(told, out);
          return simulation.next.get() < seeds && simulation.passed().compareTo(limit) < 0;
        });
    simulation.tell(out);
    out.println("succeeded: " + figures.deeds());
    return simulation.judged(figures, ENOUGH).failed() == 0;
  }

  private static Map<String, String> options(String[] args) {
    Map<String, String> options = new TreeMap<>();
    for (int i = 0; i + 1 < args.length; i += 2) {
      options.put(args[i], args[i + 1]);
    }
    if (args.length % 2 != 0
        || !List.of("--hours", "--only", "--seed", "--seeds").containsAll(options.keySet())
        || !options.getOrDefault("--only", "flows").equals("flows")) {
      throw new IllegalArgumentException(
          "asked for "
              + List.of(args)
              + "; understood are --seeds NUMBER, --hours NUMBER, --seed NUMBER and --only flows");
    }
    return options;
  }

  private static <T> T number(
      Map<String, String> options, String name, T usual, Function<String, T> parse) {
    @Nullable String said = options.get(name);
    try {
      return said == null ? usual : parse.apply(said);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " needs a number, not '" + said + "'", e);
    }
  }

  private static boolean show(long seed, List<Notation> notations, PrintStream out) {
    Episode episode = new Episode(seed, Sabotage.NONE, notations);
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
      long seeds = figures().seeds();
      lately = (seeds - seedsBefore) / (double) TELL_EVERY.toSeconds();
      seedsBefore = seeds;
      tell(out);
    }
  }

  private synchronized void tell(PrintStream out) {
    Figures now = figures();
    double perSecond = now.seeds() * 1e9 / Math.max(1, passed().toNanos());
    out.printf(
        Locale.ROOT,
        "%d seeds (%.0f a second, %.0f on each of %d processors; lately %.0f on each), %d played"
            + " twice, %d runs, %d orders, %d commits, %d moves, %d failed%n",
        now.seeds(),
        perSecond,
        perSecond / processors(),
        processors(),
        (lately == 0 ? perSecond : lately) / processors(),
        now.replayed(),
        now.runs(),
        now.orders(),
        now.commits(),
        now.moves(),
        now.failed());
  }
}
