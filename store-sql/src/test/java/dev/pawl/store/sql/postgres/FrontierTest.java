package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.log.RunId;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Store;
import dev.pawl.store.TypeState;
import dev.pawl.store.sql.Scene;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.postgres.PostgresServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims that go on where others were neither miss nor repeat anything. */
class FrontierTest {
  private static final String URL = PostgresServer.shared().database();
  private static final int MANY = 20;

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

  private static void start(Store store, int runs) {
    List<Command> starts = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      starts.add(new Command.Start(Scene.run()));
    }
    store.commit(starts);
  }

  private static RunId startUrgent(Store store) {
    Command.Start start = new Command.Start(Scene.run().withPriority(1));
    Scene.commit(store, start);
    return start.run().id();
  }

  private static List<RunId> claim(Store store, int max) {
    return Scene.claim(store, "w", max).stream().map(Activation::run).map(run -> run.id()).toList();
  }

  @Test
  void aBacklogIsClaimedWholeAndEachRunOnce() {
    start(one, 10 * MANY + 1);
    Set<RunId> claimed = new HashSet<>();
    for (List<RunId> some = claim(one, MANY); !some.isEmpty(); some = claim(one, MANY)) {
      assertThat(claimed).doesNotContainAnyElementsOf(some);
      claimed.addAll(some);
    }
    assertThat(claimed).hasSize(10 * MANY + 1);
  }

  @Test
  void whatIsMoreUrgentGoesFirstIfItWasStartedHere() {
    start(one, 3 * MANY);
    claim(one, MANY);
    RunId urgent = startUrgent(one);

    assertThat(claim(one, MANY)).startsWith(urgent);
  }

  @Test
  void whatIsMoreUrgentIsFoundBeforeLongIfItWasStartedElsewhere() {
    start(one, 20_000);
    claim(one, MANY);
    RunId urgent = startUrgent(other);

    Await.until("the urgent one is claimed", () -> claim(one, MANY).contains(urgent));
    assertThat(claim(one, 1)).as("and it did not have to wait for the rest").hasSize(1);
  }

  @Test
  void aTypeThatIsSwitchedOffIsNotClaimedAnyMore() {
    start(one, 3 * MANY);
    claim(one, MANY);
    Scene.commit(other, new Command.Configure(new TypeState(Scene.TYPE, false, TypeState.ANY, "")));

    assertThat(claim(one, MANY)).isEmpty();
  }
}
