package dev.pawl.store.sql.postgres;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pawl.commit.GroupCommit;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import dev.pawl.store.sql.Scene;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Ids;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two transactions at once, each made to wait for the other at the worst place. */
class PostgresRacesTest {
  private static final String URL = PostgresServer.shared().database();

  private Store one;
  private Store other;

  @BeforeEach
  void open() {
    PostgresServer.empty(URL);
    one = PostgresStore.open(URL, PostgresOptions.defaults());
    other = PostgresStore.open(URL, PostgresOptions.defaults());
  }

  @AfterEach
  void close() {
    one.close();
    other.close();
  }

  /**
   * The lost wake: a signal and the suspension that waits for it, both held up at the run's row.
   */
  @Test
  void aSignalThatComesWhileItsRunSuspendsWakesIt() throws Exception {
    for (boolean signalFirst : List.of(true, false)) {
      Activation held = Scene.started(one, "w");
      Event suspended = suspended(new Wait.Signal(0, "go"));
      Command.Send send = new Command.Send(held.run().id(), Ids.next(), "go", Json.TRUE);
      Command.Advance advance = Scene.advance(held, 1, suspended);

      race(
          "SELECT 1 FROM workflow.workflow_run WHERE id = '" + held.run().id() + "' FOR UPDATE",
          signalFirst ? other : one,
          signalFirst ? send : advance,
          signalFirst ? one : other,
          signalFirst ? advance : send);

      Activation woken = Scene.claim(other, "w2", 1).getFirst();
      assertThat(woken.run().id()).isEqualTo(held.run().id());
      assertThat(woken.mail()).hasSize(1);
      Scene.commit(other, Scene.advance(woken, 1, new Event.Succeeded(Json.NULL)));
    }
  }

  @Test
  void aTopicEventThatComesWhileARunBeginsToWaitForItWakesIt() throws Exception {
    for (boolean emitFirst : List.of(true, false)) {
      Activation held = Scene.started(one, "w");
      Command.Advance advance =
          Scene.advance(held, 1, suspended(new Wait.Topic(0, "news", held.run().since())));
      Command.Emit emit = new Command.Emit(Ids.next(), "news", Json.TRUE);

      race(
          "SELECT pg_advisory_xact_lock(1885435756, 1)",
          emitFirst ? other : one,
          emitFirst ? emit : advance,
          emitFirst ? one : other,
          emitFirst ? advance : emit);

      Activation woken = Scene.claim(other, "w2", 1).getFirst();
      assertThat(woken.run().id()).isEqualTo(held.run().id());
      assertThat(woken.mail()).hasOnlyElementsOfType(Mail.Topic.class).hasSize(1);
      Scene.commit(other, Scene.advance(woken, 1, new Event.Succeeded(Json.NULL)));
    }
  }

  /** What is over is taken back from its end and removed from its beginning, until both meet. */
  @Test
  void aRunThatIsTakenBackWhileItIsPurgedIsThereOrGone() throws Exception {
    List<RunId> over = new ArrayList<>();
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      NewRun run = NewRun.of(new RunId(Ids.next()), "a.v1", Json.NULL).withTtl(ofMillis(1));
      over.addFirst(run.id());
      commands.add(new Command.Start(run));
      commands.add(new Command.Cancel(run.id(), "enough", false));
    }
    one.commit(commands);
    Instant end = one.run(over.getFirst()).orElseThrow().expiry().orElseThrow();
    Await.until("their time is over", () -> !one.now().isBefore(end));

    int purged = 0;
    List<Outcome> taken = new ArrayList<>();
    try (var threads = Executors.newFixedThreadPool(1)) {
      var purging =
          threads.submit(() -> {
            int gone = 0;
            for (int i = 0; i < 50; i++) {
              Command purge = new Command.Purge(ofDays(30), ofDays(1), 2);
              gone += ((Outcome.Purged) Scene.commit(one, purge)).runs();
            }
            return gone;
          });
      for (RunId id : over) {
        taken.add(Scene.commit(other, new Command.Rewind(id, Ids.next(), "retry", 0, "again")));
      }
      purged = purging.get();
    }

    int kept = 0;
    for (int i = 0; i < over.size(); i++) {
      if (taken.get(i) instanceof Outcome.Reopened) {
        kept++;
        assertThat(one.run(over.get(i)).orElseThrow().status()).isEqualTo(Status.PENDING);
        assertThat(one.log(over.get(i), 0, 10)).hasSize(3);
      } else {
        assertThat(taken.get(i)).isEqualTo(new Outcome.Missing(over.get(i)));
        assertThat(one.run(over.get(i))).isEmpty();
        assertThat(one.log(over.get(i), 0, 10)).isEmpty();
      }
    }
    assertThat(purged + kept).isEqualTo(over.size());
  }

  /** Its row was not locked by anybody, so only its place in the log can stop it. */
  @Test
  void aCheckpointOfALostLeaseFindsItsPlaceTaken() {
    Activation zombie = Scene.started(one, "w");
    expire(zombie.run().id());
    Activation heir = Scene.claim(other, "w2", 1).getFirst();

    List<Outcome> outcomes =
        one.commit(
            List.of(
                Scene.advance(zombie, 1, Scene.step("late")),
                new Command.Start(Scene.run(), Optional.empty())));

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Fenced.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Started.class);
    assertThat(Scene.commit(one, Scene.advance(zombie, 1, Scene.step("again"))))
        .isInstanceOf(Outcome.Fenced.class);
    assertThat(Scene.commit(other, Scene.advance(heir, 1, Scene.step("mine"))))
        .isInstanceOf(Outcome.Advanced.class);
  }

  private static void endConnections() throws Exception {
    PostgresServer.query(
        URL,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname ="
            + " current_database() AND pid <> pg_backend_pid()");
  }

  /** After a failover to a standby that lags, what we remember is ahead of the log. */
  @Test
  void aCheckpointBehindAGapIsFenced() throws Exception {
    Activation held = Scene.started(one, "w");
    Scene.commit(one, Scene.advance(held, 1, Scene.step("one")));
    PostgresServer.execute(
        URL,
        // Triggers keep anybody from doing this; a damaged file would not ask them.
        "SET session_replication_role = replica",
        "DELETE FROM workflow.workflow_log WHERE event_type = 'step.completed'");
    endConnections();

    try (GroupCommit commits = new GroupCommit(one)) {
      assertThat(commits.commit(Scene.advance(held, 2, Scene.step("two"))))
          .isInstanceOf(Outcome.Fenced.class);
    }
    assertThat(one.log(held.run().id(), 0, 9)).hasSize(2);
  }

  @Test
  void whatIsRememberedOfAHeldRunIsNotBelievedOnceSomebodyWroteToIt() {
    Activation held = Scene.started(one, "w");
    Scene.commit(other, new Command.Send(held.run().id(), Ids.next(), "go", Json.TRUE));

    Scene.commit(one, Scene.advance(held, 1, suspended(new Wait.Signal(0, "go"))));

    assertThat(Scene.claim(one, "w", 1)).hasSize(1);
  }

  @Test
  void aDeadlockWithSomebodyElseIsTriedAgain() throws Exception {
    List<RunId> ids = new ArrayList<>(List.of(Scene.id(), Scene.id()));
    ids.sort(null);
    for (RunId id : ids) {
      Scene.commit(
          one,
          new Command.Start(dev.pawl.store.NewRun.of(id, Scene.TYPE, Json.NULL), Optional.empty()));
    }
    try (Connection foreign = PostgresServer.connect(URL);
        Statement statement = foreign.createStatement();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      foreign.setAutoCommit(false);
      statement.execute(lock(ids.get(1)));
      CompletableFuture<List<Outcome>> both =
          CompletableFuture.supplyAsync(
              () ->
                  one.commit(
                      ids.stream()
                          .<Command>map(id -> new Command.Send(id, Ids.next(), "go", Json.NULL))
                          .toList()),
              threads);
      awaitWaiting(1);
      // Postgres ends one of the two; whichever it is, both get what they want.
      try {
        statement.execute(lock(ids.get(0)));
      } catch (SQLException e) {
        assertThat(e.getSQLState()).isEqualTo("40P01");
      }
      foreign.rollback();

      assertThat(both.join()).hasOnlyElementsOfType(Outcome.Sent.class);
    }
    assertThat(ids).allSatisfy(id -> assertThat(one.mail(id)).hasSize(1));
  }

  private static String lock(RunId id) {
    return "SELECT 1 FROM workflow.workflow_run WHERE id = '" + id + "' FOR UPDATE";
  }

  @Test
  void aConnectionThatIsLostDuringCommitLeavesTheOutcomeUnknownAndIsReadBack() throws Exception {
    Activation held = Scene.started(one, "w");
    String function =
        "CREATE FUNCTION workflow.wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NULL; END $$";
    String trigger =
        "CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON workflow.workflow_log"
            + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION"
            + " workflow.wait_at_commit()";
    PostgresServer.execute(URL, function, trigger);
    try (Connection foreign = PostgresServer.connect(URL);
        Statement statement = foreign.createStatement();
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        GroupCommit commits = new GroupCommit(other)) {
      foreign.setAutoCommit(false);
      statement.execute("SELECT pg_advisory_xact_lock(42)");
      CompletableFuture<PawlException> lost =
          CompletableFuture.supplyAsync(
              () ->
                  catchThrowableOfType(
                      PawlException.class,
                      () -> Scene.commit(one, Scene.advance(held, 1, Scene.step("one")))),
              threads);
      endWaiting();
      assertThat(lost.join().code()).isEqualTo(ErrorCode.UNKNOWN_OUTCOME);

      CompletableFuture<Outcome> resolved =
          commits.submit(Scene.advance(held, 1, Scene.step("one")));
      endWaiting();
      foreign.rollback();
      assertThat(resolved.join()).isInstanceOf(Outcome.Advanced.class);
      assertThat(one.log(held.run().id(), 0, 9)).hasSize(3);
    } finally {
      PostgresServer.execute(URL, "DROP FUNCTION workflow.wait_at_commit() CASCADE");
    }
  }

  @Test
  void aConnectionThatIsLostIsReplacedAndNobodyNotices() throws Exception {
    Activation held = Scene.started(one, "w");
    endConnections();

    try (GroupCommit commits = new GroupCommit(one)) {
      assertThat(commits.commit(Scene.advance(held, 1, Scene.step("one"))))
          .isInstanceOf(Outcome.Advanced.class);
    }
    assertThat(one.log(held.run().id(), 0, 9)).hasSize(3);
  }

  @Test
  void aLongTransactionalStepHoldsUpNeitherHeartbeatsNorOtherCommits() {
    Activation busy = Scene.started(one, "w");
    Activation neighbour = Scene.started(one, "w");

    Outcome outcome =
        Scene.commit(
            one,
            Scene.transact(
                busy,
                connection -> {
                  Outcome extended =
                      Scene.commit(
                          one,
                          new Command.Extend(
                              "w",
                              List.of(
                                  new Command.Held(busy.run().id(), busy.run().epoch()),
                                  new Command.Held(neighbour.run().id(), neighbour.run().epoch())),
                              java.time.Duration.ofMinutes(1)));
                  assertThat(((Outcome.Extended) extended).lost()).isEmpty();
                  Scene.commit(one, Scene.advance(neighbour, 1, Scene.step("meanwhile")));
                  return Scene.step("slow");
                }));

    assertThat(outcome).isInstanceOf(Outcome.Transacted.class);
  }

  private static Event suspended(Wait wait) {
    return new Event.Suspended(Optional.empty(), List.of(wait), 1, false, Json.NULL);
  }

  /** Holds a lock until both commands wait for it, the first one first, and lets them go. */
  private static void race(String lock, Store first, Command one, Store second, Command two)
      throws SQLException {
    try (Connection foreign = PostgresServer.connect(URL);
        Statement statement = foreign.createStatement();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      foreign.setAutoCommit(false);
      statement.execute(lock);
      CompletableFuture<Outcome> early =
          CompletableFuture.supplyAsync(() -> Scene.commit(first, one), threads);
      awaitWaiting(1);
      CompletableFuture<Outcome> late =
          CompletableFuture.supplyAsync(() -> Scene.commit(second, two), threads);
      awaitWaiting(2);
      foreign.rollback();
      assertThat(List.of(early.join(), late.join()))
          .noneMatch(Outcome.Fenced.class::isInstance)
          .noneMatch(Outcome.Broken.class::isInstance);
    }
  }

  private static void awaitWaiting(int count) {
    Await.until(count + " wait for a lock", () -> waiting().size() == count);
  }

  private static List<String> waiting() {
    return PostgresServer.query(
        URL,
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type ="
            + " 'Lock'");
  }

  private static void endWaiting() {
    awaitWaiting(1);
    PostgresServer.query(URL, "SELECT pg_terminate_backend(" + waiting().getFirst() + ")");
  }

  private static void expire(RunId id) {
    PostgresServer.execute(
        URL,
        "UPDATE workflow.workflow_run SET lease_until = now() - interval '1 second', due_at = now()"
            + " - interval '1 second', version = version + 1 WHERE id = '"
            + id
            + "'");
  }
}
