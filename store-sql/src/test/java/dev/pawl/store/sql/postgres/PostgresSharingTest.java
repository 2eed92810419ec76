package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Hint;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import dev.pawl.store.TypeState;
import dev.pawl.store.sql.Scene;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.time.Ids;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Several stores on one database, as several processes have them. */
class PostgresSharingTest {
  private static final PostgresServer SERVER = PostgresServer.shared();

  @Test
  void manyMayOpenAFreshDatabaseAtOnce() throws Exception {
    String url = SERVER.database();
    int count = 8;
    CyclicBarrier together = new CyclicBarrier(count);
    List<Future<Store>> opening = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < count; i++) {
        opening.add(
            threads.submit(() -> {
              together.await();
              return PostgresStore.open(url, PostgresOptions.defaults());
            }));
      }
      for (Future<Store> store : opening) {
        store.get().close();
      }
    }
    assertThat(PostgresServer.query(url, "SELECT count(*) FROM workflow.workflow_position"))
        .containsExactly("1");
  }

  /** A start trusts what was so last time, and asks as it writes. */
  @Test
  void aStartSeesWhatAnotherProcessHasChangedSinceTheLast() {
    String url = SERVER.database();
    Optional<Command.Claimant> claimant = Optional.of(Scene.claimant("w"));
    try (Store one = PostgresStore.open(url, PostgresOptions.defaults());
        Store other = PostgresStore.open(url, PostgresOptions.defaults())) {
      for (int i = 0; i < 2; i++) {
        assertThat(started(one, claimant).activation()).isPresent();
      }

      Scene.commit(other, new Command.Emit(Ids.next(), "news", Json.TRUE));
      assertThat(started(one, claimant).run().since()).isEqualTo(1);

      Scene.commit(other, new Command.Configure(TypeState.paused(Scene.TYPE)));
      assertThat(started(one, claimant).activation()).isEmpty();
    }
  }

  private static Outcome.Started started(Store store, Optional<Command.Claimant> claimant) {
    return (Outcome.Started) Scene.commit(store, new Command.Start(Scene.run(), claimant));
  }

  @Test
  void othersHearWhatCanBeClaimedAndWhatHasEnded() {
    String url = SERVER.database();
    Set<Hint> heard = ConcurrentHashMap.newKeySet();
    try (Store one = PostgresStore.open(url, PostgresOptions.defaults());
        Store other = PostgresStore.open(url, PostgresOptions.defaults());
        Store.Listening listening = other.listen(heard::add)) {
      Await.until("a hint of news elsewhere is heard", () -> heard.contains(new Hint.Elsewhere()));

      Scene.commit(one, new Command.Start(Scene.run()));
      Await.until("a hint of work is heard", () -> heard.contains(new Hint.Claimable(Scene.TYPE)));
      Activation held = Scene.claim(one, "w", 1).getFirst();
      Scene.commit(one, Scene.advance(held, 1, new Event.Succeeded(Json.NULL)));
      Await.until(
          "a hint of an end is heard", () -> heard.contains(new Hint.Finished(held.run().id())));

      assertThat(listening).isNotNull();
    }
  }

  @Test
  void ofManyEndsInARowOthersHearEachOnce() {
    int ends = 30;
    String url = SERVER.database();
    List<Hint> heard = new CopyOnWriteArrayList<>();
    try (Store one = PostgresStore.open(url, PostgresOptions.defaults());
        Store other = PostgresStore.open(url, PostgresOptions.defaults());
        Store.Listening listening = other.listen(heard::add)) {
      Await.until("a hint of news elsewhere is heard", () -> heard.contains(new Hint.Elsewhere()));
      for (int i = 0; i < ends; i++) {
        Scene.commit(one, new Command.Start(Scene.run()));
      }
      List<Hint> told = new ArrayList<>();
      for (Activation held : Scene.claim(one, "w", ends)) {
        Scene.commit(one, Scene.advance(held, 1, new Event.Succeeded(Json.NULL)));
        told.add(new Hint.Finished(held.run().id()));
      }

      Await.until("every end is heard", () -> heard.containsAll(told));
      assertThat(heard).filteredOn(Hint.Finished.class::isInstance).hasSameSizeAs(told);
      assertThat(listening).isNotNull();
    }
  }

  @Test
  void aListenerWhoseConnectionIsCutListensAgain() {
    String url = SERVER.database();
    Set<Hint> heard = ConcurrentHashMap.newKeySet();
    try (Store one = PostgresStore.open(url, PostgresOptions.defaults());
        Store other = PostgresStore.open(url, PostgresOptions.defaults());
        Store.Listening listening = other.listen(heard::add)) {
      Await.until("a hint of news elsewhere is heard", () -> heard.contains(new Hint.Elsewhere()));
      heard.clear();
      PostgresServer.query(
          url,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN pawl'");
      Await.until("a hint of news elsewhere is heard", () -> heard.contains(new Hint.Elsewhere()));

      Scene.commit(one, new Command.Start(Scene.run()));

      Await.until("a hint of work is heard", () -> heard.contains(new Hint.Claimable(Scene.TYPE)));
      assertThat(listening).isNotNull();
    }
  }

  @Test
  void withoutHintsNothingBelongsToASession() {
    String url = SERVER.database();
    try (Store store = PostgresStore.open(url + "?hints=off", PostgresOptions.defaults());
        Store.Listening listening = store.listen(hint -> {})) {
      Activation held = Scene.started(store, "w");
      Scene.commit(store, Scene.advance(held, 1, Scene.step("one")));
      Scene.commit(store, Scene.advance(held, 2, new Event.Succeeded(Json.NULL)));

      assertThat(
              PostgresServer.query(
                  url,
                  "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND query"
                      + " ILIKE '%listen%' AND pid <> pg_backend_pid()"))
          .isEmpty();
      assertThat(listening).isNotNull();
    }
  }

  @Test
  void aNoticeThatIsTooLongSaysOnlyThatThereIsNews() {
    List<Hint> hints = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      hints.add(new Hint.Finished(Scene.id()));
    }

    String text = Notice.text("me", hints, 1000);

    assertThat(Notice.parse(text).hints()).containsExactly(new Hint.Elsewhere());
  }

  @Test
  void aNoticeIsReadAsItWasWrittenAndNotByItsSender() {
    List<Hint> hints =
        List.of(
            new Hint.Claimable("a b.v1"),
            new Hint.Scheduled("größe.v1", Instant.ofEpochMilli(1234)),
            new Hint.Finished(Scene.id()),
            new Hint.Elsewhere());

    String text = Notice.text("me", hints, 1000);

    assertThat(Notice.parse(text).hints()).isEqualTo(hints);
    assertThat(Notice.parse(text).sender()).isEqualTo("me");
    assertThat(Notice.parse("odd\n\ns").hints()).hasOnlyElementsOfType(Hint.Elsewhere.class);
  }
}
