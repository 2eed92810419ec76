package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Hint;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.store.Store;
import dev.pawl.store.TypeState;
import dev.pawl.store.sql.Scene;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A claim of what others said is due. */
class PostgresToldTest {
  private static final String URL = PostgresServer.shared().database();
  private static final String OTHER_TYPE = "another.type.v1";

  private final Set<Hint> heard = ConcurrentHashMap.newKeySet();
  private Store sender;
  private Store worker;
  private Store.Listening listening;

  @BeforeEach
  void open() {
    PostgresServer.empty(URL);
    sender = PostgresStore.open(URL, PostgresOptions.defaults());
    worker = PostgresStore.open(URL, PostgresOptions.defaults());
    listening = worker.listen(heard::add);
    awaitHint(new Hint.Elsewhere());
  }

  @AfterEach
  void close() {
    listening.close();
    sender.close();
    worker.close();
  }

  private void awaitHint(Hint hint) {
    Await.until("a hint is heard: " + hint, () -> heard.contains(hint));
  }

  private Outcome.Claimed claim(Command.Reach reach, String... types) {
    Command.Claimant claimant = Scene.claimant("w");
    return (Outcome.Claimed)
        Scene.commit(
            worker, new Command.Claim(claimant, Routes.of(types), 10, Command.Onward.NONE, reach));
  }

  private static List<RunId> runs(Outcome.Claimed claimed) {
    return claimed.activations().stream().map(held -> held.run().id()).toList();
  }

  /** A run that waits for a signal. */
  private RunId waiting() {
    Activation held = Scene.started(sender, "elsewhere");
    Event suspended =
        new Event.Suspended(
            Optional.empty(), List.of(new Wait.Signal(0, "go")), 1, false, Json.NULL);
    Scene.commit(sender, Scene.advance(held, 1, suspended));
    return held.run().id();
  }

  /** The worker has heard and looked for everything that there was so far. */
  private void comeToRest() {
    String last = "last.word." + Scene.id();
    Scene.commit(sender, new Command.Start(NewRun.of(Scene.id(), last, Json.NULL)));
    awaitHint(new Hint.Claimable(last));
    claim(Command.Reach.ALL, "nobody.knows");
    heard.clear();
  }

  private void signal(RunId run) {
    Scene.commit(sender, new Command.Send(run, Ids.next(), "go", Json.TRUE));
    awaitHint(new Hint.Claimable(Scene.TYPE));
  }

  private void say(RunId run, String type) throws Exception {
    PostgresServer.execute(
        URL, "SELECT pg_notify('pawl', E'somebody\\nd" + run + " " + type + "')");
    awaitHint(new Hint.Claimable(type));
  }

  @Test
  void whatWasHeardOfIsLeasedAndTheRestSoonAfter() {
    RunId waiting = waiting();
    NewRun another = Scene.run();
    Scene.commit(sender, new Command.Start(another));
    comeToRest();

    signal(waiting);
    Outcome.Claimed first = claim(Command.Reach.NEWS, Scene.TYPE);
    Outcome.Claimed second = claim(Command.Reach.NEWS, Scene.TYPE);

    assertThat(runs(first)).containsExactly(waiting);
    assertThat(first.activations().getFirst().mail()).hasSize(1);
    assertThat(first.nextDue().orElseThrow()).isBefore(worker.now().plusMillis(100));
    assertThat(first.all()).isFalse();
    assertThat(runs(second)).containsExactly(another.id());
    assertThat(second.all()).isTrue();
  }

  @Test
  void aClaimThatWantsAllLooksForAll() {
    RunId waiting = waiting();
    NewRun another = Scene.run();
    Scene.commit(sender, new Command.Start(another));
    comeToRest();

    signal(waiting);

    assertThat(runs(claim(Command.Reach.ALL, Scene.TYPE)))
        .containsExactlyInAnyOrder(waiting, another.id());
  }

  @Test
  void whereSomethingElseWasHeardAsWellAllIsLookedFor() {
    RunId waiting = waiting();
    comeToRest();

    signal(waiting);
    NewRun another = NewRun.of(Scene.id(), OTHER_TYPE, Json.NULL);
    Scene.commit(sender, new Command.Start(another));
    awaitHint(new Hint.Claimable(OTHER_TYPE));

    assertThat(runs(claim(Command.Reach.NEWS, Scene.TYPE, OTHER_TYPE)))
        .containsExactlyInAnyOrder(waiting, another.id());
  }

  @Test
  void aSignalFromTheSameProcessIsNewsToo() {
    RunId waiting = waiting();
    NewRun another = Scene.run();
    Scene.commit(sender, new Command.Start(another));
    comeToRest();

    Scene.commit(worker, new Command.Send(waiting, Ids.next(), "go", Json.TRUE));

    assertThat(runs(claim(Command.Reach.NEWS, Scene.TYPE))).containsExactly(waiting);
  }

  @Nested
  class WhatWasHeardNeedNotBeTrue {
    @Test
    void ofARunThatIsNotDue() throws Exception {
      NewRun early = Scene.run().withDelay(Duration.ofHours(1));
      Scene.commit(sender, new Command.Start(early));
      comeToRest();

      say(early.id(), Scene.TYPE);

      assertThat(runs(claim(Command.Reach.NEWS, Scene.TYPE))).isEmpty();
      assertThat(claim(Command.Reach.NEWS, Scene.TYPE).nextDue().orElseThrow())
          .isAfter(sender.now().plus(Duration.ofMinutes(50)));
    }

    @Test
    void ofARunThatIsNotThere() throws Exception {
      comeToRest();

      say(Scene.id(), Scene.TYPE);

      assertThat(runs(claim(Command.Reach.NEWS, Scene.TYPE))).isEmpty();
    }

    @Test
    void ofARunOfAnotherType() throws Exception {
      NewRun another = NewRun.of(Scene.id(), OTHER_TYPE, Json.NULL);
      Scene.commit(sender, new Command.Start(another));
      comeToRest();

      say(another.id(), Scene.TYPE);

      assertThat(runs(claim(Command.Reach.NEWS, Scene.TYPE))).isEmpty();
      assertThat(runs(claim(Command.Reach.NEWS, OTHER_TYPE))).containsExactly(another.id());
    }

    @Test
    void ofARunThatMustWait() throws Exception {
      RunId waiting = waiting();
      Scene.commit(sender, new Command.Configure(TypeState.paused(Scene.TYPE)));
      comeToRest();

      signal(waiting);

      assertThat(runs(claim(Command.Reach.NEWS, Scene.TYPE))).isEmpty();
      assertThat(runs(claim(Command.Reach.ALL, Scene.TYPE))).isEmpty();
    }

    @Test
    void ofARunThatAnotherHasTaken() {
      RunId waiting = waiting();
      comeToRest();

      signal(waiting);
      assertThat(Scene.claim(sender, "elsewhere", 1)).hasSize(1);

      assertThat(runs(claim(Command.Reach.NEWS, Scene.TYPE))).isEmpty();
    }
  }
}
