package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.flow.Flow;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.Invariants;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.work.Task;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A short life on the oldest Postgres that is supported; the profile {@code postgres-versions} runs
 * the whole contract on all of them.
 */
@Timeout(120)
class OldestPostgresTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Task<Integer, Integer> TWICE =
      Task.of("old.twice.v1", Integer.class, Integer.class, number -> number * 2);
  private static final Flow<Integer, Integer> FLOW =
      Flow.define(
          "old.flow.v1",
          Integer.class,
          Integer.class,
          (ctx, number) -> {
            int one = ctx.step("one", Integer.class, () -> number + 1);
            int two = ctx.child(TWICE, one).await();
            ctx.sleep(Duration.ofMillis(10));
            return two + ctx.awaitSignal("more", Integer.class);
          });

  private String url;

  private RunId insert(String type) {
    return RunId.parse(
        PostgresServer.query(
                url,
                "insert into workflow.workflow_run (type, payload) values ('"
                    + type
                    + "', '21') on conflict (idempotency_key) do nothing returning id")
            .getFirst());
  }

  private void say(String name, RunId run) {
    PostgresServer.execute(url, Inbox.words(name, Map.of("run_id", run, "worker_id", "w")));
  }

  @Test
  void itIsMigratedWorkedOnAndSpokenToInSql() {
    PostgresServer server = PostgresServer.of(Path.of("target", "postgres-14"));
    url = server.database();
    assertThat(PostgresServer.query(url, "SHOW server_version").getFirst()).startsWith("14.");
    try (Pawl pawl = Pawl.open(url).register(TWICE).register(FLOW)) {
      pawl.work();
      RunHandle<Integer> run = pawl.start(FLOW, 4);
      run.signal("more", 5);
      assertThat(run.result(SOON)).isEqualTo(15);

      RunId fromSql = insert("old.twice.v1");
      Await.until("it is done", () -> pawl.get(fromSql).status().isTerminal());
      assertThat(pawl.get(fromSql).status()).isEqualTo(Status.SUCCEEDED);

      RunId inSql = insert("foreign.v1");
      say("lease", inSql);
      say("heartbeat", inSql);
      say("note", inSql);
      PostgresServer.execute(
          url,
          "update workflow.workflow_run set status = 'succeeded', result = '1' where id = '"
              + inSql
              + "'");
      assertThat(pawl.get(inSql).status()).isEqualTo(Status.SUCCEEDED);

      RunId cancelled = insert("foreign.v1");
      say("cancel", cancelled);
      assertThat(pawl.get(cancelled).status()).isEqualTo(Status.CANCELLED);
      assertThat(PostgresServer.query(url, "select workflow.reap()")).containsExactly("0");
      Invariants.check(pawl.store());
    }
  }
}
