package dev.pawl.bench;

import dev.pawl.bench.machine.Database;
import dev.pawl.bench.machine.PostgresServer;
import dev.pawl.cli.bench.Latencies;
import dev.pawl.json.Json;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.store.Store;
import dev.pawl.store.sql.SqlStores;
import dev.pawl.time.Ids;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * How long a claim takes on an empty store in Postgres, and on one with so many suspended runs, as
 * many pending ones of types that the claim does not want, and as many finished ones. Both are
 * there at once and have their turns one claim after the other.
 */
final class ClaimGrowth {
  private static final String TYPE = "bench.claimed.v1";
  private static final int AT_ONCE = 5;
  private static final int WARM = 100;
  private static final int OTHER_TYPES = 100;

  private final PostgresServer server;
  private final int rows;
  private final int claims;
  private final Consumer<String> progress;
  private long ticket;

  /**
   * A measurement.
   *
   * @param rows how many runs of each of the three sorts
   * @param claims how many claims are timed on each of the two
   */
  ClaimGrowth(PostgresServer server, int rows, int claims, Consumer<String> progress) {
    this.server = server;
    this.rows = rows;
    this.claims = claims;
    this.progress = progress;
  }

  /** Median milliseconds of claims that find runs, and of those that find nothing. */
  record Medians(double found, double nothing) {}

  /** What was measured on both stores. */
  record Figures(int rows, Medians empty, Medians full) {
    double ratio() {
      return full.found() / empty.found();
    }

    double idleRatio() {
      return full.nothing() / empty.nothing();
    }

    String line() {
      return String.format(
          Locale.ROOT,
          "claim of %d runs: %.3f ms on an empty store, %.3f ms beside %,d suspended, %,d pending"
              + " of other types and %,d finished runs: %.2f times; a look that finds nothing: %.3f"
              + " ms and %.3f ms: %.2f times",
          AT_ONCE,
          empty.found(),
          full.found(),
          rows,
          rows,
          rows,
          ratio(),
          empty.nothing(),
          full.nothing(),
          idleRatio());
    }

    String json() {
      return String.format(
          Locale.ROOT,
          "{\"work\":\"claim\",\"store\":\"postgres\",\"stored\":%d,\"emptyMillis\":%.4f,"
              + "\"fullMillis\":%.4f,\"ratio\":%.3f,\"emptyIdleMillis\":%.4f,"
              + "\"fullIdleMillis\":%.4f,\"idleRatio\":%.3f}",
          rows,
          empty.found(),
          full.found(),
          ratio(),
          empty.nothing(),
          full.nothing(),
          idleRatio());
    }
  }

  Figures measure() throws SQLException {
    Database empty = server.create();
    Database full = server.create();
    try (Store one = SqlStores.open(empty.url());
        Store other = SqlStores.open(full.url())) {
      fill(full);
      List<Store> both = List.of(one, other);
      both.forEach(this::start);
      List<Latencies> found = timed(both, AT_ONCE);
      List<Latencies> nothing = timed(both, 0);
      return new Figures(rows, medians(found, nothing, 0), medians(found, nothing, 1));
    } finally {
      server.drop(empty);
      server.drop(full);
    }
  }

  private static Medians medians(List<Latencies> found, List<Latencies> nothing, int which) {
    return new Medians(
        found.get(which).percentileMillis(0.5), nothing.get(which).percentileMillis(0.5));
  }

  /** As rows of the engine, so that nobody takes them for work of others. */
  private void fill(Database database) throws SQLException {
    long start = System.nanoTime();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO workflow.workflow_run (type, status, run_at, version, begun, priority,"
              + " rank, due_at)"
              + " SELECT 'other.v' || n % "
              + OTHER_TYPES
              + ", (ARRAY['pending', 'suspended', 'succeeded'])[1 + n % 3],"
              + " CASE WHEN n % 3 = 0 THEN now() - interval '1 hour' END, 1, n % 3 > 0,"
              + " 100 + (n % 7)::integer, 200 + n % 7 * 2 + (n % 3 = 0)::integer,"
              + " CASE WHEN n % 3 = 0 THEN now() - interval '1 hour' END"
              + " FROM generate_series(1, "
              + 3L * rows
              + ") n");
      statement.execute("VACUUM (ANALYZE) workflow.workflow_run");
      statement.execute("CHECKPOINT");
    }
    progress.accept(
        String.format(Locale.ROOT, "filled with %,d runs in %.0f s", 3L * rows, seconds(start)));
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private void start(Store store) {
    List<Command> starts = new ArrayList<>();
    for (int i = 0; i < (claims + WARM) * AT_ONCE; i++) {
      starts.add(new Command.Start(NewRun.of(new RunId(Ids.next()), TYPE, Json.NULL)));
    }
    store.commit(starts);
  }

  /** Times claims in turns, after some that do not count. */
  private List<Latencies> timed(List<Store> stores, int expected) {
    List<Latencies> latencies = stores.stream().map(store -> new Latencies(claims)).toList();
    for (int i = -WARM; i < claims; i++) {
      for (int which = 0; which < stores.size(); which++) {
        long nanos = claim(stores.get(which), expected);
        if (i >= 0) {
          latencies.get(which).set(i, nanos);
        }
      }
    }
    return latencies;
  }

  private long claim(Store store, int expected) {
    Command.Claimant by = new Command.Claimant("bench", Duration.ofMinutes(30), ++ticket);
    List<Command> claim = List.of(new Command.Claim(by, Routes.of(TYPE), AT_ONCE));
    long start = System.nanoTime();
    Outcome outcome = store.commit(claim).get(0);
    long nanos = System.nanoTime() - start;
    if (!(outcome instanceof Outcome.Claimed claimed) || claimed.activations().size() != expected) {
      throw new IllegalStateException("a claim of " + expected + " runs came back as " + outcome);
    }
    return nanos;
  }
}
