package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.flow.Flow;
import dev.pawl.testkit.postgres.PgBouncer;
import dev.pawl.work.Task;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same through a PgBouncer in transaction mode; the profile pgbouncer has it run. */
@Tag("pgbouncer")
class PgBouncerTest extends PostgresStoreTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int RUNS = 50;

  @TempDir static Path directory;
  private static PgBouncer bouncer;

  @BeforeAll
  static void start() {
    bouncer = PgBouncer.start(directory, database());
  }

  @AfterAll
  static void stop() {
    bouncer.close();
  }

  @Override
  String address() {
    return bouncer.url();
  }

  private static int noted(Connection connection, int number) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT set_config('pawl.note', '" + number + "', true)");
    }
    return number + 1;
  }

  @Test
  void twoWorkersShareFlowsTasksAndTransactionsBehindIt() {
    Task<Integer, Integer> twice =
        Task.of("pooled.twice.v1", Integer.class, Integer.class, number -> number * 2);
    Flow<Integer, Integer> flow =
        Flow.define(
            "pooled.flow.v1",
            Integer.class,
            Integer.class,
            (ctx, number) -> {
              int one = ctx.step("one", Integer.class, () -> number + 1);
              int two = ctx.child(twice, one).await();
              ctx.sleep(Duration.ofMillis(20));
              return ctx.transaction(
                  "note", Connection.class, Integer.class, connection -> noted(connection, two));
            });
    try (Pawl first = Pawl.open(address()).register(flow).register(twice);
        Pawl second = Pawl.open(address()).register(flow).register(twice)) {
      first.work(w -> w.poll(Duration.ofMillis(200)));
      second.work(w -> w.poll(Duration.ofMillis(200)));
      List<RunHandle<Integer>> runs = new ArrayList<>();
      for (int i = 0; i < RUNS; i++) {
        runs.add((i % 2 == 0 ? first : second).start(flow, i));
      }
      for (int i = 0; i < RUNS; i++) {
        assertThat(runs.get(i).result(SOON)).isEqualTo((i + 1) * 2 + 1);
      }
    }
  }
}
