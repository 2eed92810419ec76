package dev.pawl.store.sql.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Status;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Count;
import dev.pawl.store.Hint;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import dev.pawl.store.TypeState;
import dev.pawl.store.sql.Scene;
import dev.pawl.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several stores on one file. What one remembers must not count when another has written. */
class SqliteSharingTest {
  static final int RUNS = 150;

  @TempDir Path directory;
  private final ManualClock clock = new ManualClock();
  private Path file;
  private SqliteStore here;
  private SqliteStore there;

  @BeforeEach
  void open() {
    file = directory.resolve("store.db");
    here = SqliteStore.open(file, SqliteOptions.defaults().clock(clock));
    there = SqliteStore.open(file, SqliteOptions.defaults().clock(clock));
  }

  @AfterEach
  void close() {
    here.close();
    there.close();
  }

  @Nested
  class Fencing {
    @Test
    void aLeaseTakenOverThereIsFencedHere() {
      Activation mine = Scene.started(here, "here");
      assertThat(Scene.commit(here, Scene.advance(mine, 1, Scene.step("one"))))
          .isInstanceOf(Outcome.Advanced.class);
      clock.advance(Duration.ofMinutes(1));
      Activation theirs = Scene.claim(there, "there", 1).get(0);

      assertThat(Scene.commit(here, Scene.advance(mine, 2, Scene.step("two"))))
          .isInstanceOf(Outcome.Fenced.class);
      assertThat(Scene.commit(there, Scene.advance(theirs, 1, Scene.step("two"))))
          .isInstanceOf(Outcome.Advanced.class);
      assertThat(there.log(mine.run().id(), 0, 99))
          .extracting(entry -> entry.seq())
          .containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void aCheckpointWrittenThereIsSeenHereEvenWithTheSameEpoch() {
      Activation held = Scene.started(here, "here");
      Scene.commit(here, Scene.advance(held, 1, Scene.step("one")));
      Scene.commit(there, Scene.advance(held, 2, Scene.step("two")));

      assertThat(Scene.commit(here, Scene.advance(held, 2, Scene.step("other two"))))
          .isInstanceOf(Outcome.Fenced.class);
      assertThat(Scene.commit(here, Scene.advance(held, 3, Scene.step("three"))))
          .isInstanceOf(Outcome.Advanced.class);
    }

    @Test
    void aMessageSentThereIsNotLostByASuspensionHere() {
      Activation held = Scene.started(here, "here");
      Scene.commit(there, new Command.Send(held.run().id(), UUID.randomUUID(), "go", Json.TRUE));
      Event suspended =
          new Event.Suspended(
              Optional.empty(),
              List.of(new dev.pawl.log.Wait.Signal(0, "go")),
              1,
              false,
              Json.NULL);

      Scene.commit(here, Scene.advance(held, 1, suspended));

      assertThat(Scene.claim(there, "there", 1))
          .singleElement()
          .satisfies(next -> assertThat(next.mail()).hasSize(1));
    }

    @Test
    void aTypePausedThereIsNotClaimedHere() {
      Scene.commit(here, new Command.Start(Scene.run()));
      assertThat(Scene.claim(here, "here", 0)).isEmpty();
      Scene.commit(there, new Command.Configure(TypeState.paused(Scene.TYPE)));

      assertThat(Scene.claim(here, "here", 1)).isEmpty();
      Scene.commit(there, new Command.Configure(TypeState.enabled(Scene.TYPE)));
      assertThat(Scene.claim(here, "here", 1)).hasSize(1);
    }

    @Test
    void positionsGrowAcrossStoresAndPurges() {
      assertThat(emit(here)).isEqualTo(1);
      assertThat(emit(there)).isEqualTo(2);
      clock.advance(Duration.ofHours(1));
      Scene.commit(there, new Command.Purge(Duration.ZERO, Duration.ZERO, 10));
      assertThat(emit(here)).isEqualTo(3);
      Outcome.Started started =
          (Outcome.Started) Scene.commit(there, new Command.Start(Scene.run()));
      assertThat(started.run().since()).isEqualTo(3);
    }

    private long emit(Store store) {
      return ((Outcome.Emitted)
              Scene.commit(store, new Command.Emit(UUID.randomUUID(), "t", Json.NULL)))
          .position();
    }
  }

  @Nested
  class Hints {
    private final BlockingQueue<Hint> heard = new LinkedBlockingQueue<>();

    @Test
    void aCommitHereIsHeardOfHereByTypeAndNotAsComingFromElsewhere() {
      here.listen(heard::add);
      Activation held = Scene.started(here, "here");
      here.commit(List.of(new Command.Start(Scene.run()), new Command.Start(Scene.run())));
      Scene.commit(here, Scene.advance(held, 1, new Event.Succeeded(Json.NULL)));

      assertThat(heard)
          .containsExactly(new Hint.Claimable(Scene.TYPE), new Hint.Finished(held.run().id()));
    }

    @Test
    void aCommitThereIsHeardOfHere() throws Exception {
      here.listen(heard::add);
      Scene.started(there, "there");

      assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(new Hint.Elsewhere());
    }

    @Test
    void aListenerThatIsClosedHearsNothingMore() {
      here.listen(heard::add).close();
      Scene.commit(here, new Command.Start(Scene.run()));

      assertThat(heard).isEmpty();
    }

    @Test
    void aListenerThatThrowsHurtsNobody() {
      here.listen(hint -> {
        throw new IllegalStateException("no");
      });
      here.listen(heard::add);

      Scene.commit(here, new Command.Start(Scene.run()));
      assertThat(heard).containsExactly(new Hint.Claimable(Scene.TYPE));
    }
  }

  @Nested
  class TwoProcesses {
    @Test
    void takeEveryRunOnceBetweenThem() throws Exception {
      SqliteStore store = SqliteStore.open(file, SqliteOptions.defaults());
      List<Activation> ours = new ArrayList<>();
      try (store;
          OtherProcess other = OtherProcess.start(file, "write")) {
        other.awaitLine("ready");
        for (int i = 0; i < RUNS; i++) {
          Scene.commit(store, new Command.Start(Scene.run()));
          for (Activation held : Scene.claim(store, "ours", 2)) {
            assertThat(Scene.commit(store, Scene.advance(held, 1, Scene.step("one"))))
                .isInstanceOf(Outcome.Advanced.class);
            Scene.commit(store, Scene.advance(held, 2, new Event.Succeeded(Json.NULL)));
            ours.add(held);
          }
        }
        assertThat(other.awaitEnd()).isZero();
        Scene.claim(store, "ours", 1000)
            .forEach(held ->
                Scene.commit(store, Scene.advance(held, 1, new Event.Succeeded(Json.NULL))));
        assertThat(store.counts())
            .containsExactly(new Count(Scene.TYPE, Status.SUCCEEDED, 2 * RUNS));
        for (Activation held : ours) {
          assertThat(store.log(held.run().id(), 0, 99)).hasSize(4);
        }
      }
    }
  }
}
