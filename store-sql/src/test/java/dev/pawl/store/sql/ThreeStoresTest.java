package dev.pawl.store.sql;

import dev.pawl.store.Store;
import dev.pawl.store.sql.postgres.PostgresOptions;
import dev.pawl.store.sql.postgres.PostgresStore;
import dev.pawl.store.sql.sqlite.SqliteOptions;
import dev.pawl.store.sql.sqlite.SqliteStore;
import dev.pawl.testkit.ManualClock;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Ticker;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same made-up command sequences on memory, SQLite and Postgres, with the same time. The seed
 * is new each time; {@code -Dpawl.seed=17} repeats one, {@code -Dpawl.differential=1000000} asks
 * for more commands.
 */
@Timeout(1200)
class ThreeStoresTest {
  private static final long COMMANDS = Long.getLong("pawl.differential", 100_000);
  private static final int BATCHES = 40;
  private static final int MAX_BATCH = 150;

  @TempDir Path directory;

  @Test
  void doTheSame() {
    long seed = Long.getLong("pawl.seed", new SecureRandom().nextInt(1_000_000_000));
    System.out.println("memory, SQLite and Postgres are compared from seed " + seed);
    Ticker ticker = Ticker.system();
    long start = ticker.nanos();
    CompletableFuture<Long> sqlite =
        CompletableFuture.supplyAsync(() -> compare(seed, this::sqlite));
    String url = PostgresServer.shared().database();
    long postgres;
    try {
      postgres = compare(seed, (clock, number) -> postgres(url, clock));
    } finally {
      sqlite.exceptionally(e -> 0L).join();
    }
    System.out.printf(
        "%d commands on Postgres, %d on SQLite, each as in memory, in %d s%n",
        postgres, sqlite.join(), ticker.since(start).toSeconds());
  }

  /** Plays sequence after sequence until there were enough commands; returns how many. */
  private static long compare(long seed, BiFunction<ManualClock, Integer, Store> stores) {
    Map<String, Integer> variety = new TreeMap<>();
    long commands = 0;
    for (int i = 0; commands < COMMANDS; i++) {
      ManualClock clock = new ManualClock();
      try (Store store = stores.apply(clock, i)) {
        commands +=
            new AgainstMemory(seed + i, clock, MAX_BATCH).compareAtLength(store, BATCHES, variety);
      }
    }
    AgainstMemory.checkVariety(variety);
    return commands;
  }

  private Store sqlite(ManualClock clock, int number) {
    return SqliteStore.open(
        directory.resolve("store-" + number + ".db"),
        SqliteOptions.defaults().clock(clock).synchronous(SqliteOptions.Synchronous.NORMAL));
  }

  /** What is compared is what commands mean, not what survives: it need not wait for the disk. */
  private static Store postgres(String url, ManualClock clock) {
    PostgresServer.empty(url);
    String hasty = url + "?options=-c%20synchronous_commit=off";
    return PostgresStore.open(hasty, PostgresOptions.defaults().clock(clock));
  }
}
