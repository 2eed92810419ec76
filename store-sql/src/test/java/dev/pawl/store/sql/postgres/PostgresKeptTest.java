package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.EventCodec;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.store.Store;
import dev.pawl.store.sql.Scene;
import dev.pawl.store.sql.batch.Line;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.Invariants;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which entries of a log are in the row of its run, and that it makes no difference to anybody. */
class PostgresKeptTest {
  private static final String URL = PostgresServer.shared().database();
  private static final Event SUCCEEDED = new Event.Succeeded(Json.number(7));

  private Store store;
  private Store other;

  @BeforeEach
  void open() {
    PostgresServer.empty(URL);
    store = PostgresStore.open(URL, PostgresOptions.defaults());
    other = PostgresStore.open(URL, PostgresOptions.defaults());
  }

  @AfterEach
  void checkAndClose() {
    Invariants.check(store);
    store.close();
    other.close();
  }

  private static List<String> filed(RunId id) {
    return PostgresServer.query(
        URL,
        "SELECT event_type FROM workflow.workflow_log WHERE workflow_id = '"
            + id
            + "' ORDER BY seq");
  }

  private List<String> kinds(RunId id) {
    return store.log(id, 0, 100).stream().map(entry -> EventCodec.kind(entry.event())).toList();
  }

  /** A run whose worker has lost its lease and does not know. */
  private Activation zombie() {
    Command.Claimant brief = new Command.Claimant("w", Duration.ofMillis(1), 1);
    Activation held =
        ((Outcome.Started) Scene.commit(store, new Command.Start(Scene.run(), Optional.of(brief))))
            .activation()
            .orElseThrow();
    Instant over = held.run().lease().orElseThrow().until();
    Await.until("the lease is over", () -> !other.now().isBefore(over));
    return held;
  }

  @Test
  void aRunThatIsStartedAndEndedHereHasOnlyItsStepsInTheTable() {
    Activation held = Scene.started(store, "w");
    RunId id = held.run().id();
    assertThat(filed(id)).isEmpty();
    Scene.commit(store, Scene.advance(held, 1, Scene.step("one")));
    Scene.commit(store, Scene.advance(held, 2, SUCCEEDED));

    assertThat(filed(id)).containsExactly("step.completed");
    assertThat(kinds(id)).containsExactly("created", "leased", "step.completed", "succeeded");
    assertThat(store.log(id, 1, 2)).extracting(Entry::seq).containsExactly(2L, 3L);
    assertThat(store.log(id, 3, 9)).extracting(Entry::event).containsExactly(SUCCEEDED);
    assertThat(store.logs(List.of(id), 3).get(id)).hasSize(3);
  }

  /** Whoever reads the audit trail sees one table, whose ids tell the order of writing. */
  @Test
  void theAuditTrailIsWhole() {
    Activation held = Scene.started(store, "w");
    Activation second = Scene.started(store, "w");
    Scene.commit(store, Scene.advance(held, 1, Scene.step("one")));
    Scene.commit(store, Scene.advance(second, 1, SUCCEEDED));
    Scene.commit(store, Scene.advance(held, 2, SUCCEEDED));

    String ofHeld = "FROM workflow.workflow_event WHERE workflow_id = '" + held.run().id() + "'";
    assertThat(
            PostgresServer.query(URL, "SELECT seq || ' ' || event_type " + ofHeld + "ORDER BY id"))
        .containsExactly("1 created", "2 leased", "3 step.completed", "4 succeeded");
    assertThat(
            PostgresServer.query(
                URL,
                "SELECT count(DISTINCT id) || ' of ' || count(*) FROM workflow.workflow_event"))
        .containsExactly("7 of 7");
    assertThat(
            PostgresServer.query(
                URL, "SELECT data " + ofHeld + " AND event_type = 'succeeded' AND epoch = 1"))
        .containsExactly("{\"result\":7}");
  }

  @Test
  void batchesKeepWhatFitsAndFileTheRest() {
    NewRun large =
        NewRun.of(
            Scene.id(), Scene.TYPE, Json.string(String.join("", Collections.nCopies(999, "x"))));
    NewRun small = Scene.run();
    Optional<Command.Claimant> nobody = Optional.empty();
    store.commit(List.of(new Command.Start(large, nobody), new Command.Start(small, nobody)));

    assertThat(filed(large.id())).containsExactly("created");
    assertThat(filed(small.id())).isEmpty();
    assertThat(kinds(large.id())).containsExactly("created");
    assertThat(kinds(small.id())).containsExactly("created");
  }

  /** The index on places is what stops a worker that does not know that it lost its lease. */
  @Test
  void aLeaseThatIsTakenOverIsInTheTable() {
    Activation zombie = zombie();
    Activation heir = Scene.claim(other, "w2", 1).getFirst();
    assertThat(filed(heir.run().id())).containsExactly("leased");

    assertThat(Scene.commit(store, Scene.advance(zombie, 1, Scene.step("late"))))
        .isInstanceOf(Outcome.Fenced.class);
    assertThat(Scene.commit(store, Scene.advance(zombie, 1, SUCCEEDED)))
        .isInstanceOf(Outcome.Fenced.class);
    Scene.commit(other, Scene.advance(heir, 1, new Event.Succeeded(Json.TRUE)));

    assertThat(kinds(heir.run().id())).containsExactly("created", "leased", "leased", "succeeded");
    assertThat(store.run(heir.run().id()).orElseThrow().result()).contains(Json.TRUE);
  }

  /** Ends together with others, one of which is no longer its own. */
  @Test
  void anEndThatIsFencedLeavesNothingInTheRow() {
    Activation zombie = zombie();
    Activation mine = Scene.started(store, "w");
    Scene.claim(other, "w2", 1);

    List<Outcome> outcomes =
        store.commit(
            List.of(Scene.advance(zombie, 1, SUCCEEDED), Scene.advance(mine, 1, SUCCEEDED)));

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Fenced.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Advanced.class);
    assertThat(kinds(zombie.run().id())).containsExactly("created", "leased", "leased");
    assertThat(kinds(mine.run().id())).containsExactly("created", "leased", "succeeded");
  }

  @Test
  void whatIsDoneToARunByOthersIsInTheTable() {
    Activation held = Scene.started(store, "w");
    RunId id = held.run().id();
    Scene.commit(other, new Command.Cancel(id, "stop", true));
    assertThat(filed(id)).containsExactly("cancelled");
    assertThat(Scene.commit(store, Scene.advance(held, 1, SUCCEEDED)))
        .isInstanceOf(Outcome.Fenced.class);
    assertThat(kinds(id)).containsExactly("created", "leased", "cancelled");
  }

  @Test
  void aRunThatIsReopenedMayEndInItsRowAgain() {
    Activation held = Scene.started(store, "w");
    RunId id = held.run().id();
    Scene.commit(store, Scene.advance(held, 1, new Event.Succeeded(Json.NULL)));
    Scene.commit(store, new Command.Rewind(id, Ids.next(), "rewind", 2, "again"));
    Activation again = Scene.claim(store, "w", 1).getFirst();
    Scene.commit(store, Scene.advance(again, 1, SUCCEEDED));

    assertThat(filed(id)).containsExactly("rewound", "leased");
    assertThat(kinds(id))
        .containsExactly("created", "leased", "succeeded", "rewound", "leased", "succeeded");
    assertThat(store.run(id).orElseThrow().status()).isEqualTo(Status.SUCCEEDED);
  }

  /** Somebody in SQL appends where the log ends, also if that is in the row. */
  @Test
  void aCancellationInSqlComesBehindWhatTheRowHolds() {
    NewRun run = Scene.run();
    Scene.commit(store, new Command.Start(run, Optional.empty()));
    PostgresServer.execute(
        URL,
        "UPDATE workflow.workflow_run SET status = 'cancelled' WHERE id = '" + run.id() + "'",
        "INSERT INTO workflow.workflow_event (workflow_id, event_type) VALUES ('"
            + run.id()
            + "', 'seen')");
    assertThat(kinds(run.id())).containsExactly("created", "cancelled");
    assertThat(filed(run.id())).containsExactly("cancelled", "seen");
  }

  /** The row that is there is found by the claim before anything would have shown it. */
  @Test
  void anIdThatIsTakenIsNoticedThoughAClaimComesBehindIt() {
    NewRun first = Scene.run();
    Optional<Command.Claimant> nobody = Optional.empty();
    Scene.commit(store, new Command.Start(first, nobody));
    NewRun again = NewRun.of(first.id(), Scene.TYPE, Json.string("again"));
    Command.Claim claim = new Command.Claim(Scene.claimant("w"), Routes.of(Scene.TYPE), 5);

    List<Outcome> outcomes = store.commit(List.of(new Command.Start(again, nobody), claim));

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.AlreadyStarted.class);
    assertThat(((Outcome.Claimed) outcomes.get(1)).activations())
        .singleElement()
        .satisfies(held -> assertThat(held.run().payload()).isEqualTo(first.payload()));
    assertThat(kinds(first.id())).containsExactly("created", "leased");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"a\":\"\\u001d\\u001e\\u001f\"}", "\"\\u0000\\ud800 \\\\ ' é 😀\"", "[ ]"})
  void anyValueSurvives(String text) {
    Json value = Json.parse(text);
    NewRun run = NewRun.of(Scene.id(), Scene.TYPE, value);
    Outcome started = Scene.commit(store, new Command.Start(run, Optional.of(Scene.claimant("w"))));
    Activation held = ((Outcome.Started) started).activation().orElseThrow();
    Scene.commit(store, Scene.advance(held, 1, new Event.Succeeded(value)));

    assertThat(filed(run.id())).isEmpty();
    List<Entry> log = store.log(run.id(), 0, 9);
    assertThat(((Event.Created) log.get(0).event()).payload()).isEqualTo(value);
    assertThat(log.get(2).event()).isEqualTo(new Event.Succeeded(value));
    assertThat(PostgresServer.query(URL, "SELECT count(*) FROM workflow.workflow_event"))
        .containsExactly("3");
  }

  @Test
  void whatWouldNotBeReadAgainIsNotKept() {
    assertThat(page(line("a", "{}"))).isPresent();
    assertThat(page(line("a", "{\"raw\":\"\u001f\"}"))).isEmpty();
    assertThat(page(line("a", "\"" + "x".repeat(600) + "\""))).isEmpty();
    assertThat(page(line("signal.received", "{}"))).isEmpty();
    assertThat(page()).isEmpty();
    assertThat(Kept.page(Collections.nCopies(65, line("a", "")))).isEmpty();
    assertThat(Kept.page(Collections.nCopies(64, line("a", "")))).isPresent();
  }

  private static Optional<String> page(Line... lines) {
    return Kept.page(List.of(lines));
  }

  private static Line line(String kind, String data) {
    Event event = new Event.SignalReceived(0, "go", new UUID(0, 0), Json.NULL);
    return new Line(new Entry(1, Instant.EPOCH, 1, event), kind, data);
  }
}
