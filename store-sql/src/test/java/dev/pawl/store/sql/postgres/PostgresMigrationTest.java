package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.flow.Flow;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Routes;
import dev.pawl.store.Store;
import dev.pawl.store.sql.Scene;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.Invariants;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Ids;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** This Pawl as the older of two on one store, across a migration of the newer one. */
@Timeout(120)
class PostgresMigrationTest {
  private static final PostgresServer SERVER = PostgresServer.shared();
  private static final Duration SOON = Duration.ofSeconds(30);

  /** What a migration may do that calls itself additive. */
  private static final String[] ADDITIONS = {
    "ALTER TABLE workflow.workflow_run ADD COLUMN shade text NOT NULL DEFAULT 'grey'",
    "ALTER TABLE workflow.workflow_run ADD COLUMN fresh bigint",
    "ALTER TABLE workflow.workflow_log ADD COLUMN trace text",
    "ALTER TABLE workflow.workflow_mail ADD COLUMN trace text",
    "CREATE TABLE workflow.workflow_novelty (id uuid PRIMARY KEY)",
    "CREATE INDEX workflow_run_shade ON workflow.workflow_run (shade)",
    "CREATE OR REPLACE FUNCTION workflow.backoff(attempt integer) RETURNS interval LANGUAGE sql"
        + " VOLATILE AS 'SELECT interval ''1 minute'''",
  };

  private static final Flow<String, String> WAITING =
      Flow.define(
          "waiting.v1",
          String.class,
          String.class,
          (ctx, in) -> {
            String first = ctx.step("first", String.class, () -> in + "1");
            String signal = ctx.awaitSignal("go", String.class);
            return ctx.step("second", String.class, () -> first + signal);
          });

  private String url;

  @BeforeEach
  void makeDatabase() {
    url = SERVER.database();
  }

  private int known() {
    return Integer.parseInt(
        PostgresServer.query(url, "SELECT max(version) FROM workflow.workflow_schema").getFirst());
  }

  private void migrate(int version, String name) {
    PostgresServer.execute(
        url,
        "INSERT INTO workflow.workflow_schema VALUES ("
            + version
            + ", '"
            + name
            + "', 'unknown', now())");
  }

  @Test
  void anOlderWorkerWorksOnBesideANewerSchemaAndMayStartOnIt() {
    try (Pawl older = Pawl.open(url).register(WAITING)) {
      older.work(w -> w.lease(Duration.ofSeconds(3)));
      RunHandle<String> before = older.start(WAITING, "a");
      Await.until("it waits", () -> older.get(before.id()).status() == Status.SUSPENDED);

      int next = known() + 1;
      PostgresServer.execute(url, ADDITIONS);
      migrate(next, "0099-novelty.additive.sql");

      before.signal("go", "!");
      assertThat(before.result(SOON)).isEqualTo("a1!");
      RunHandle<String> after = older.start(WAITING, "b");
      try (Pawl second = Pawl.open(url)) {
        second.signal(after.id(), "go", "?");
        assertThat(after.result(SOON)).isEqualTo("b1?");
      }
      assertThat(PostgresStore.missingSchema(url)).isEmpty();
      assertThat(known()).isEqualTo(next);
    }
    try (Store store = PostgresStore.open(url, PostgresOptions.defaults())) {
      Invariants.check(store);
    }
  }

  /** A store as it was before runs could say how long they are kept, with a run in it. */
  @Test
  void aStoreOfTheSchemaBeforeTimesToLiveIsBroughtUpAndKnowsThem() throws Exception {
    String whole = PostgresStore.missingSchema(url);
    PostgresServer.execute(url, whole.substring(0, whole.indexOf(script("0005-ttl.additive.sql"))));
    assertThat(known()).isEqualTo(4);
    PostgresServer.execute(url, "INSERT INTO workflow.workflow_run (type) VALUES ('old.v1')");
    try (PostgresStore store = PostgresStore.open(url, PostgresOptions.defaults())) {
      assertThat(store.list(Query.all())).hasSize(1).allMatch(run -> run.ttl().isEmpty());
      NewRun brief =
          NewRun.of(new RunId(Ids.next()), "new.v1", Json.NULL).withTtl(Duration.ofMillis(1));
      store.commit(
          List.of(new Command.Start(brief), new Command.Cancel(brief.id(), "enough", false)));
      Await.until(
          "its time is over",
          () -> !store.run(brief.id()).orElseThrow().expiry().orElseThrow().isAfter(store.now()));
      Command purge = new Command.Purge(Duration.ofDays(30), Duration.ofDays(1), 10);
      assertThat(store.commit(List.of(purge))).containsExactly(new Outcome.Purged(1, 0));
      assertThat(store.run(brief.id())).isEmpty();
      assertThat(store.list(Query.all())).hasSize(1);
      Invariants.check(store);
    }
  }

  /** A store as it was when Postgres derived when a run is due, with runs of every kind in it. */
  @Test
  void whatWasDueBeforeRowsBecameLeanIsDueAfterwards() throws Exception {
    String whole = PostgresStore.missingSchema(url);
    PostgresServer.execute(url, whole.substring(0, whole.indexOf(script("0007-lean-rows.sql"))));
    assertThat(known()).isEqualTo(6);
    PostgresServer.execute(
        url,
        "INSERT INTO workflow.workflow_run (type, priority) VALUES ('due.v1', 7)",
        "INSERT INTO workflow.workflow_run (type, run_at) VALUES ('later.v1', now() + '1 day')",
        "INSERT INTO workflow.workflow_run (type) VALUES ('held.v1')",
        "UPDATE workflow.workflow_run SET status = 'leased', leased_by = 'w', lease_until ="
            + " clock_timestamp() + '10 ms' WHERE type = 'held.v1'");
    try (PostgresStore store = PostgresStore.open(url, PostgresOptions.defaults())) {
      Invariants.check(store);
      Await.until(
          "the lease is over",
          () ->
              store.list(Query.all()).stream()
                  .flatMap(run -> run.lease().stream())
                  .allMatch(lease -> lease.until().isBefore(store.now())));
      Command.Claimant claimant = new Command.Claimant("w2", Duration.ofSeconds(30), 1);
      Command.Claim claim = new Command.Claim(claimant, Routes.of("%"), 10);
      Outcome.Claimed claimed = (Outcome.Claimed) store.commit(List.of(claim)).getFirst();
      assertThat(claimed.activations())
          .extracting(held -> held.run().type())
          .containsExactly("due.v1", "held.v1");
      Invariants.check(store);
    }
  }

  /** A store as it was when all of a log was in one table, whose rights others had been given. */
  @Test
  void aLogThatWasBegunInTheTableGoesOnInTheRow() throws Exception {
    String whole = PostgresStore.missingSchema(url);
    PostgresServer.execute(
        url, whole.substring(0, whole.indexOf(script("0009-entries-in-rows.sql"))));
    assertThat(known()).isEqualTo(8);
    String reader = "reader_of_" + url.replaceAll(".*/", "");
    PostgresServer.execute(
        url,
        "INSERT INTO workflow.workflow_run (type) VALUES ('old.v1')",
        "INSERT INTO workflow.workflow_event (workflow_id, event_type) SELECT id, 'seen' FROM"
            + " workflow.workflow_run",
        "CREATE ROLE " + reader,
        "GRANT USAGE ON SCHEMA workflow TO " + reader,
        "GRANT SELECT, INSERT (workflow_id, event_type) ON workflow.workflow_event TO " + reader);
    try (PostgresStore store = PostgresStore.open(url, PostgresOptions.defaults())) {
      Command.Claimant claimant = new Command.Claimant("w", Duration.ofSeconds(30), 1);
      Command.Claim claim = new Command.Claim(claimant, Routes.of("%"), 1);
      Outcome.Claimed claimed = (Outcome.Claimed) store.commit(List.of(claim)).getFirst();
      Activation held = claimed.activations().getFirst();
      store.commit(List.of(Scene.advance(held, 1, new Event.Succeeded(Json.TRUE))));

      PostgresServer.execute(
          url,
          "SET ROLE "
              + reader
              + "; INSERT INTO workflow.workflow_event (workflow_id, event_type) SELECT"
              + " workflow_id, 'read' FROM workflow.workflow_event LIMIT 1");
      assertThat(
              PostgresServer.query(
                  url, "SELECT event_type FROM workflow.workflow_event ORDER BY id"))
          .containsExactly("created", "seen", "leased", "succeeded", "read");
      Invariants.check(store);
    } finally {
      PostgresServer.execute(url, "DROP OWNED BY " + reader, "DROP ROLE " + reader);
    }
  }

  static String script(String name) throws IOException {
    try (InputStream in = PostgresStore.class.getResourceAsStream("migrations/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }

  @Test
  void aSchemaThatTakesSomethingAwayOrIsTwoAheadIsRefused() {
    PostgresStore.open(url, PostgresOptions.defaults()).close();
    int next = known() + 1;
    migrate(next, "0099-upheaval.sql");
    assertRefused(next);
    PostgresServer.execute(url, "DELETE FROM workflow.workflow_schema WHERE version = " + next);
    migrate(next, "0099-novelty.additive.sql");
    PostgresStore.open(url, PostgresOptions.defaults()).close();
    migrate(next + 1, "0100-novelty.additive.sql");
    assertRefused(next + 1);
  }

  private void assertRefused(int version) {
    assertThatThrownBy(() -> PostgresStore.open(url, PostgresOptions.defaults()))
        .isInstanceOfSatisfying(
            PawlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_TOO_NEW))
        .hasMessageContaining("schema version " + version);
  }
}
