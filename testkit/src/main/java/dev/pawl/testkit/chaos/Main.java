package dev.pawl.testkit.chaos;

import dev.pawl.time.Chance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The command {@code pawl chaos}: {@code pawl chaos --minutes 5 --store postgres --seed 17}. Prints
 * a table and exits with 0 if nothing was wrong.
 */
public final class Main {
  private static final int TASKS = 5000;
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
    boolean postgres = option(given, "--store", "postgres").equals("postgres");
    Duration time = Duration.ofMinutes(Long.parseLong(option(given, "--minutes", "1")));
    String fresh = String.valueOf((long) (Chance.system().next() * 1_000_000_000));
    long seed = Long.parseLong(option(given, "--seed", fresh));
    ChaosPlan plan = postgres ? ChaosPlan.postgres(TASKS) : ChaosPlan.sqlite(TASKS);
    Path directory = Files.createTempDirectory("pawl-chaos");
    System.err.println("pawl: chaos for " + time.toMinutes() + " min in " + directory);
    ChaosReport report = Chaos.run(plan.lasting(time), seed, directory);
    System.out.println(report);
    System.exit(report.isSound() ? 0 : 1);
  }

  private static String option(List<String> words, String name, String otherwise) {
    int at = words.indexOf(name);
    return at >= 0 && at + 1 < words.size() ? words.get(at + 1) : otherwise;
  }
}
