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
import java.util.concurrent.atomic.AtomicLong;
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
  /** How many commands each of the two stores is given one by one, with a look after each. */
  private static final long COMMANDS = Long.getLong("pawl.differential", 100_000);

  /** Sequences are short, so that there is little to look at after each command. */
  private static final int SEQUENCE = 50;

  /** One seed in so many is played in batches instead, each a transaction of many commands. */
  private static final int IN_BATCHES = 200;

  private static final int BATCHES = 20;
  private static final int MAX_BATCH = 150;

  /** How many threads compare Postgres, each with a database of its own: it is slower. */
  private static final int DATABASES = 2;

  /**
   * One seed in so many is played as behind a pooler, where nothing is prepared and nothing
   * remembered from one transaction to the next.
   */
  private static final int POOLED = 8;

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

  /** Says on which store a seed is to be played. */
  @FunctionalInterface
  private interface Choice {
    Emptied of(long seed);
  }

  /** How far the threads that compare one kind of store have come. */
  private record Progress(AtomicLong next, AtomicLong alone) {
    Progress(long seed) {
      this(new AtomicLong(seed), new AtomicLong());
    }
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
      comparisons.add(supplyAsync(() -> compareSqlite(new Progress(seed)), threads));
      Progress progress = new Progress(seed);
      for (int i = 0; i < DATABASES; i++) {
        comparisons.add(supplyAsync(() -> comparePostgres(server.database(), progress), threads));
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

  private Compared compareSqlite(Progress progress) {
    ManualClock clock = new ManualClock();
    Path file = directory.resolve("store.db");
    SqliteOptions options =
        SqliteOptions.defaults().clock(clock).synchronous(SqliteOptions.Synchronous.NORMAL);
    try (Emptied emptied =
        new Emptied(
            SqliteStore.open(file, options),
            DriverManager.getConnection("jdbc:sqlite:" + file),
            ThreeStoresTest::emptySqlite)) {
      return compare(progress, clock, one -> emptied);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Compared comparePostgres(String url, Progress progress) {
    ManualClock clock = new ManualClock();
    try (Emptied direct = postgres(url, PostgresOptions.defaults().clock(clock));
        Emptied pooled = postgres(url, PostgresOptions.defaults().clock(clock).hints(false))) {
      return compare(progress, clock, one -> one % POOLED == 0 ? pooled : direct);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What is compared is what commands mean, not what survives: it need not wait for the disk. */
  private static Emptied postgres(String url, PostgresOptions options) throws SQLException {
    String hasty = url + "?options=-c%20synchronous_commit=off";
    return new Emptied(
        PostgresStore.open(hasty, options), PostgresServer.connect(url), PostgresServer::empty);
  }

  /** Plays one seed after the other, beside others who do, until all have done enough. */
  private static Compared compare(Progress progress, ManualClock clock, Choice choice)
      throws SQLException {
    Compared compared = new Compared(0, 0, Map.of());
    while (progress.alone().get() < COMMANDS) {
      long seed = progress.next().getAndIncrement();
      Emptied emptied = choice.of(seed);
      clock.set(ManualClock.START);
      emptied.emptying().empty(emptied.connection());
      Compared more = play(seed, clock, emptied.store());
      progress.alone().addAndGet(more.alone());
      compared = compared.and(more);
    }
    return compared;
  }

  private static Compared play(long seed, ManualClock clock, Store store) {
    Map<String, Integer> variety = new TreeMap<>();
    if (seed % IN_BATCHES == 0) {
      AgainstMemory comparison = new AgainstMemory(seed, clock, MAX_BATCH);
      return new Compared(0, comparison.compareAtLength(store, BATCHES, variety), variety);
    }
    AgainstMemory comparison = new AgainstMemory(seed, clock, 1);
    return new Compared(comparison.compareAtLength(store, SEQUENCE, variety), 0, variety);
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
}
