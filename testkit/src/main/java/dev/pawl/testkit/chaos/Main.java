package dev.pawl.testkit.chaos;

import dev.pawl.time.Chance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The command {@code pawl chaos}: {@code pawl chaos --minutes 5 --store postgres --seed 17}. Prints
 * a table and exits with 0 if nothing was wrong.
 */
public final class Main {
  private static final int TASKS = 5000;

  /** The exit code of who asked for something that is not there, as sysexits has it. */
  private static final int MISUSED = 64;

  private static final String HELP =
      """
      usage: pawl chaos [--minutes N] [--store sqlite|postgres] [--seed N]

      Lets real worker processes and a real store fail again and again while tasks and flows are
      started: SIGKILL, SIGSTOP for longer than a lease, a server without power, answers to COMMIT
      that get lost, slow, reset and silent connections. Then waits until everything has ended, and
      checks that nothing acknowledged is lost, that no effect happened twice under one lease, and
      that the store is sound. Exits with 0 if so.

        --minutes N    how long it goes on before it heals (1)
        --store WHICH  on a Postgres server of its own, or on a SQLite file (postgres)
        --seed N       what chance begins with (new each time)
      """;

  private Main() {}

  /** Goes through with it and exits. */
  public static void main(String[] words) throws IOException {
    List<String> given = List.of(words);
    if (given.contains("--help") || given.contains("-h")) {
      System.out.print(HELP);
      return;
    }
    try {
      go(Wish.of(given));
    } catch (IllegalArgumentException e) {
      System.err.println("pawl: " + e.getMessage() + "; 'pawl chaos --help' says what it takes");
      System.exit(MISUSED);
    }
  }

  private static void go(Wish wish) throws IOException {
    ChaosPlan plan = wish.postgres() ? ChaosPlan.postgres(TASKS) : ChaosPlan.sqlite(TASKS);
    Path directory = Files.createTempDirectory("pawl-chaos");
    System.err.println("pawl: chaos for " + wish.time().toSeconds() + " s in " + directory);
    ChaosReport report = Chaos.run(plan.lasting(wish.time()), wish.seed(), directory);
    System.out.println(report);
    System.exit(report.isSound() ? 0 : 1);
  }

  /** What is asked for. */
  record Wish(boolean postgres, Duration time, long seed) {
    private static final List<String> KNOWN = List.of("--minutes", "--store", "--seed");
    private static final double MOST_MINUTES = 10_000;

    /** Reads it off the words; whatever cannot be meant is an IllegalArgumentException. */
    static Wish of(List<String> words) {
      Map<String, String> given = new HashMap<>();
      for (int i = 0; i < words.size(); i += 2) {
        if (!KNOWN.contains(words.get(i)) || i + 1 == words.size()) {
          throw new IllegalArgumentException(
              "'" + words.get(i) + "' is no option of chaos, or lacks its value");
        }
        given.put(words.get(i), words.get(i + 1));
      }
      String fresh = String.valueOf((long) (Chance.system().next() * 1_000_000_000));
      return new Wish(
          isPostgres(given.getOrDefault("--store", "postgres")),
          minutes(given.getOrDefault("--minutes", "1")),
          seed(given.getOrDefault("--seed", fresh)));
    }

    private static boolean isPostgres(String store) {
      if (!List.of("postgres", "sqlite").contains(store)) {
        throw new IllegalArgumentException(
            "--store is 'postgres' or 'sqlite', not '" + store + "'");
      }
      return store.equals("postgres");
    }

    private static Duration minutes(String text) {
      try {
        double minutes = Double.parseDouble(text);
        if (minutes > 0 && minutes <= MOST_MINUTES) {
          return Duration.ofMillis((long) (minutes * Duration.ofMinutes(1).toMillis()));
        }
      } catch (NumberFormatException e) {
        // The sentence below is right for this case too.
      }
      throw new IllegalArgumentException("--minutes takes a positive number, not '" + text + "'");
    }

    private static long seed(String text) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("--seed takes a whole number, not '" + text + "'", e);
      }
    }
  }
}
