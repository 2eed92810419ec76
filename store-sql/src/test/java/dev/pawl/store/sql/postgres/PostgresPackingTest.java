package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.sql.Scene;
import dev.pawl.testkit.Invariants;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How the server packs what is large: with lz4 if it was built with it, else as it always did. */
class PostgresPackingTest {
  private static final Json LARGE = Json.string("large ".repeat(20_000));

  private String url;

  @BeforeEach
  void makeDatabase() {
    url = PostgresServer.shared().database();
  }

  private void migrateBefore(String script) throws Exception {
    String whole = PostgresStore.missingSchema(url);
    int at = whole.indexOf(PostgresMigrationTest.script(script));
    assertThat(at).isPositive();
    PostgresServer.execute(url, whole.substring(0, at));
  }

  private List<String> methods() {
    return PostgresServer.query(
        url,
        "SELECT DISTINCT a.attcompression FROM pg_attribute a WHERE (a.attrelid::regclass::text,"
            + " a.attname) IN (('workflow.workflow_run', 'payload'), ('workflow.workflow_run',"
            + " 'result'), ('workflow.workflow_log', 'data'), ('workflow.workflow_mail', 'data'))");
  }

  @Test
  void whatIsLargeIsPackedWithLz4WhereTheServerHasIt() {
    PostgresStore.open(url, PostgresOptions.defaults()).close();
    boolean possible =
        !PostgresServer.query(
                url,
                "SELECT 1 FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' ="
                    + " ANY (enumvals)")
            .isEmpty();
    assertThat(methods()).containsExactly(possible ? "l" : "");
  }

  @Test
  void whatWasPackedOtherwiseIsReadBesideWhatIsPackedNow() throws Exception {
    migrateBefore("0010-lz4.additive.sql");
    PostgresServer.execute(
        url,
        "INSERT INTO workflow.workflow_run (type, payload) VALUES ('old.v1', '"
            + LARGE.text()
            + "')");
    try (PostgresStore store = PostgresStore.open(url, PostgresOptions.defaults())) {
      Command.Claimant claimant = new Command.Claimant("w", Duration.ofSeconds(30), 1);
      NewRun fresh = NewRun.of(new RunId(Ids.next()), "new.v1", LARGE);
      Outcome started = Scene.commit(store, new Command.Start(fresh, Optional.of(claimant)));
      Activation held = ((Outcome.Started) started).activation().orElseThrow();
      Scene.commit(store, Scene.advance(held, 1, new Event.Succeeded(LARGE)));

      assertThat(store.list(Query.all())).extracting(Run::payload).containsExactly(LARGE, LARGE);
      assertThat(store.run(fresh.id()).orElseThrow().result()).contains(LARGE);
      Invariants.check(store);
    }
  }
}
