package dev.pawl.store.sql;

import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same made-up command sequences on memory, SQLite and Postgres, with the same time, and a look
 * after each command. The seed is new each time; {@code -Dpawl.seed=17} repeats one, {@code
 * -Dpawl.differential=1000000} asks for more commands.
 */
@Timeout(1200)
class ThreeStoresTest {
  /** How many commands each of the two stores is given one by one: 100,000 looks in all. */
  private static final long COMMANDS = Long.getLong("pawl.differential", 50_000);

  /** Sequences are short, so that there is little to look at after each command. */
  private static final int SEQUENCE = 100;

  /** One seed in so many is played in batches instead, each a transaction of many commands. */
  private static final int IN_BATCHES = 100;

  private static final int BATCHES = 20;
  private static final int MAX_BATCH = 150;

  /** How many threads compare Postgres, each with a database of its own: it is slower. */
  private static final int DATABASES = 2;

  @TempDir Path directory;

  /** What was compared: commands given one by one, those in batches, and what came of them. */
  private record Compared(long alone, long together, Map<String, Integer> variety) {
    Compared and(Compared other) {
      Map<String, Integer> all = new TreeMap<>(variety);
      other.variety.forEach((what, often) -> all.merge(what, often, Integer::sum));
      return new Compared(alone + other.alone, together + other.together, all);
    }
  }

  /**
   * A store that is emptied behind its back for each sequence, through a connection of its own: to
   * open it anew would mean new files, connections and plans each time.
   */
  private record Emptied(Store store, Connection connection, Emptying emptying)
      implements AutoCloseable {
    @Override
    public void close() throws SQLException {
      store.close();
      connection.close();
    }
  }

  @FunctionalInterface
  private interface Emptying {
    void empty(Connection connection) throws SQLException;
  }

  @FunctionalInterface
  private interface Opening {
    Emptied open(ManualClock clock) throws SQLException;
  }

  @Test
  void doTheSame() {
    long seed = Long.getLong("pawl.seed", new SecureRandom().nextInt(1_000_000_000));
    System.out.println("memory, SQLite and Postgres are compared from seed " + seed);
    Ticker ticker = Ticker.system();
    long start = ticker.nanos();
    PostgresServer server = PostgresServer.shared();
    List<CompletableFuture<Compared>> comparisons = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(1 + DATABASES)) {
      comparisons.add(supplyAsync(() -> compare(seed, 0, 1, this::sqlite), threads));
      for (int i = 0; i < DATABASES; i++) {
        int first = i;
        Opening opening = clock -> postgres(server.database(), clock);
        comparisons.add(supplyAsync(() -> compare(seed, first, DATABASES, opening), threads));
      }
    }
    Compared sqlite = comparisons.getFirst().join();
    Compared postgres =
        comparisons.stream().skip(1).map(CompletableFuture::join).reduce(Compared::and).get();
    for (Compared compared : List.of(sqlite, postgres)) {
      AgainstMemory.checkVariety(compared.variety());
      assertThat(compared.alone()).isGreaterThanOrEqualTo(COMMANDS);
    }
    System.out.printf(
        "%d commands one by one on Postgres, %d on SQLite, each followed by a comparison with"
            + " memory; %d and %d in batches; in %d s%n",
        postgres.alone(),
        sqlite.alone(),
        postgres.together(),
        sqlite.together(),
        ticker.since(start).toSeconds());
  }

  /** Plays every {@code step}-th sequence until this thread has done its share. */
  private static Compared compare(long seed, int first, int step, Opening opening) {
    ManualClock clock = new ManualClock();
    Compared compared = new Compared(0, 0, Map.of());
    try (Emptied emptied = opening.open(clock)) {
      for (int i = first; compared.alone() * step < COMMANDS; i += step) {
        clock.set(ManualClock.START);
        Map<String, Integer> variety = new TreeMap<>();
        emptied.emptying().empty(emptied.connection());
        Store store = emptied.store();
        if ((seed + i) % IN_BATCHES == 0) {
          AgainstMemory comparison = new AgainstMemory(seed + i, clock, MAX_BATCH);
          long together = comparison.compareAtLength(store, BATCHES, variety);
          compared = compared.and(new Compared(0, together, variety));
        } else {
          AgainstMemory comparison = new AgainstMemory(seed + i, clock, 1);
          long alone = comparison.compareAtLength(store, SEQUENCE, variety);
          compared = compared.and(new Compared(alone, 0, variety));
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return compared;
  }

  private Emptied sqlite(ManualClock clock) throws SQLException {
    Path file = directory.resolve("store.db");
    SqliteOptions options =
        SqliteOptions.defaults().clock(clock).synchronous(SqliteOptions.Synchronous.NORMAL);
    return new Emptied(
        SqliteStore.open(file, options),
        DriverManager.getConnection("jdbc:sqlite:" + file),
        ThreeStoresTest::emptySqlite);
  }

  private static void emptySqlite(Connection connection) throws SQLException {
    List<String> tables = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet names =
            statement.executeQuery(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'pawl_schema'")) {
      while (names.next()) {
        tables.add(names.getString(1));
      }
    }
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      for (String table : tables) {
        statement.executeUpdate("DELETE FROM " + table);
      }
    }
    connection.commit();
    connection.setAutoCommit(true);
  }

  /** What is compared is what commands mean, not what survives: it need not wait for the disk. */
  private static Emptied postgres(String url, ManualClock clock) throws SQLException {
    String hasty = url + "?options=-c%20synchronous_commit=off";
    return new Emptied(
        PostgresStore.open(hasty, PostgresOptions.defaults().clock(clock).hints(false)),
        PostgresServer.connect(url),
        PostgresServer::empty);
  }
}
