package dev.pawl.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.FaultyStore;
import dev.pawl.testkit.ForwardingStore;
import dev.pawl.testkit.ManualClock;
import dev.pawl.testkit.StoreFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several batches at once. */
@Timeout(60)
class LanesTest {
  private static final int LANES = 2;

  private final FaultyStore store =
      new FaultyStore(
          new ForwardingStore(new MemoryStore(new ManualClock())) {
            @Override
            public int lanes() {
              return LANES;
            }
          });
  private final GroupCommit commits = new GroupCommit(store);

  @AfterEach
  void close() {
    commits.close();
  }

  /** A start that takes this lane. */
  private static Command.Start start(int lane) {
    Command.Start start = new Command.Start(StoreFixture.newRun());
    while (Long.remainderUnsigned(start.run().id().uuid().getLeastSignificantBits(), LANES)
        != lane) {
      start = new Command.Start(StoreFixture.newRun());
    }
    return start;
  }

  private static void awaitAll(List<CompletableFuture<Outcome>> outcomes) throws Exception {
    for (CompletableFuture<Outcome> outcome : outcomes) {
      assertThat(outcome.get(30, TimeUnit.SECONDS)).isInstanceOf(Outcome.Started.class);
    }
  }

  /** One lane is stuck in a commit of several commands. */
  private FaultyStore.Gate stuck(List<CompletableFuture<Outcome>> outcomes) throws Exception {
    FaultyStore.Gate first = store.blockNext();
    outcomes.add(commits.submit(start(0)));
    first.awaitArrival();
    FaultyStore.Gate second = store.blockNext();
    for (int i = 0; i < 20; i++) {
      outcomes.add(commits.submit(start(0)));
    }
    first.open();
    second.awaitArrival();
    return second;
  }

  @Test
  void aLaneThatWaitsForAnotherDoesNotDoSoForEver() throws Exception {
    List<CompletableFuture<Outcome>> held = new ArrayList<>();
    FaultyStore.Gate gate = stuck(held);

    awaitAll(List.of(commits.submit(start(1))));

    assertThat(held.get(20)).isNotDone();
    gate.open();
    awaitAll(held);
  }

  @Test
  void whatALaneHasGatheredIsCommittedBeforeItCloses() throws Exception {
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
    FaultyStore.Gate gate = stuck(outcomes);
    for (int i = 0; i < 3; i++) {
      outcomes.add(commits.submit(start(1)));
    }
    gate.open();

    commits.close();

    assertThat(outcomes).allMatch(CompletableFuture::isDone);
    awaitAll(outcomes);
  }
}
