package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import dev.pawl.store.TypeState;
import dev.pawl.store.sql.Scene;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a transaction believes without a look is so, or the transaction is none. */
class PostgresPresumedTest {
  private static final Optional<Command.Claimant> CLAIMANT = Optional.of(Scene.claimant("w"));
  private static final String PAUSE =
      "INSERT INTO workflow.workflow_registry (workflow_name, is_enabled, runtime) VALUES ('"
          + Scene.TYPE
          + "', false, 'any')";

  private final String url = PostgresServer.shared().database();
  private final Store store = PostgresStore.open(url, PostgresOptions.defaults());

  @AfterEach
  void close() {
    store.close();
  }

  private Run started() {
    return ((Outcome.Started) Scene.commit(store, new Command.Start(Scene.run(), CLAIMANT))).run();
  }

  private boolean isLeased() {
    return started().status() == Status.RUNNING;
  }

  /** Starts until the store has no reason to look any more. */
  private void warmUp() {
    for (int i = 0; i < 3; i++) {
      assertThat(isLeased()).isTrue();
    }
  }

  private static void execute(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String one : statements) {
        statement.execute(one);
      }
    }
  }

  @Test
  void aStartLooksAtNothing() throws SQLException {
    warmUp();
    try (Connection other = PostgresServer.connect(url)) {
      other.setAutoCommit(false);
      execute(
          other,
          "LOCK TABLE workflow.workflow_position, workflow.workflow_registry,"
              + " workflow.workflow_registry_state IN ACCESS EXCLUSIVE MODE");
      assertThat(isLeased()).isTrue();
      other.rollback();
    }
  }

  /** The number of a change is given out before the change can be seen. */
  @Test
  void aChangeThatIsUnderWayIsNotMissed() throws SQLException {
    warmUp();
    try (Connection other = PostgresServer.connect(url)) {
      other.setAutoCommit(false);
      execute(other, PAUSE, "SET CONSTRAINTS ALL IMMEDIATE");
      warmUp();
      other.commit();
    }
    assertThat(isLeased()).isFalse();
  }

  @Test
  void anEventThatIsUnderWayIsNotMissed() throws SQLException {
    warmUp();
    try (Connection other = PostgresServer.connect(url)) {
      other.setAutoCommit(false);
      execute(other, "UPDATE workflow.workflow_position SET position = 7");
      warmUp();
      assertThat(started().since()).isZero();
      other.commit();
    }
    assertThat(started().since()).isEqualTo(7);
    assertThat(started().since()).isEqualTo(7);
  }

  @Test
  void aTypeThatIsNoLongerMentionedIsFreeAgain() {
    Scene.commit(store, new Command.Configure(TypeState.paused(Scene.TYPE)));
    assertThat(isLeased()).isFalse();
    PostgresServer.execute(url, "DELETE FROM workflow.workflow_registry");
    warmUp();
    PostgresServer.execute(url, PAUSE);
    assertThat(isLeased()).isFalse();
    PostgresServer.execute(url, "TRUNCATE workflow.workflow_registry");
    warmUp();
  }

  @Test
  void anotherTypeIsLookedUp() {
    PostgresServer.execute(url, PAUSE);
    Scene.commit(
        store, new Command.Start(NewRun.of(Scene.id(), "scene.other.v1", Json.NULL), CLAIMANT));
    assertThat(isLeased()).isFalse();
  }

  @Test
  void aSequenceThatWasResetLosesNoRun() {
    warmUp();
    PostgresServer.execute(url, "ALTER SEQUENCE workflow.workflow_topic_change RESTART");
    assertThat(store.run(started().id())).isPresent();
  }

  /** Starts look as long as a number is missing; not for ever. */
  @Test
  void aChangeThatWasNotMadeIsGotOver() throws SQLException {
    warmUp();
    try (Connection other = PostgresServer.connect(url)) {
      other.setAutoCommit(false);
      execute(
          other,
          PAUSE,
          "SET CONSTRAINTS ALL IMMEDIATE",
          "UPDATE workflow.workflow_position SET position = 7");
      other.rollback();
    }
    assertThat(isSettled()).isFalse();
    Await.until("the numbers agree again", () -> isLeased() && isSettled());
    assertThat(started().since()).isZero();
    aStartLooksAtNothing();
  }

  private boolean isSettled() {
    List<String> settled =
        PostgresServer.query(
            url,
            "SELECT p.change = t.last_value AND s.change = r.last_value FROM"
                + " workflow.workflow_position p, workflow.workflow_registry_state s,"
                + " workflow.workflow_topic_change t, workflow.workflow_registry_change r");
    return settled.equals(List.of("t"));
  }

  /** A request to cancel it that its holder does not know of makes the run due at once. */
  @Test
  void aRowThatHasChangedMeanwhileIsReadBeforeItIsWritten() {
    Activation held = Scene.started(store, "w");
    try (Store other = PostgresStore.open(url, PostgresOptions.defaults())) {
      Scene.commit(other, new Command.Cancel(held.run().id(), "stop", false));
    }
    Instant later = held.now().plus(Duration.ofHours(1));
    Event retried = new Event.Retried(Failure.of("DOWN", "down"), later, false);
    assertThat(Scene.commit(store, Scene.advance(held, 1, retried)))
        .isInstanceOf(Outcome.Advanced.class);
    Run run = store.run(held.run().id()).orElseThrow();
    assertThat(run.status()).isEqualTo(Status.PENDING);
    assertThat(run.due().orElseThrow()).isBefore(later);
  }

  @Test
  void aRowThatIsGoneGetsNoLog() throws SQLException {
    Activation held = Scene.started(store, "w");
    try (Connection other = PostgresServer.connect(url)) {
      execute(
          other,
          "SET session_replication_role = replica",
          "DELETE FROM workflow.workflow_run",
          "DELETE FROM workflow.workflow_log");
    }
    Outcome ended = Scene.commit(store, Scene.advance(held, 1, new Event.Succeeded(Json.NULL)));
    assertThat(ended).isNotInstanceOf(Outcome.Advanced.class);
    assertThat(PostgresServer.query(url, "SELECT count(*) FROM workflow.workflow_event"))
        .containsExactly("0");
  }
}
