package dev.pawl.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.FaultyStore;
import dev.pawl.testkit.ForwardingStore;
import dev.pawl.testkit.ManualClock;
import dev.pawl.testkit.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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

  private static Command.Start start() {
    return new Command.Start(StoreFixture.newRun());
  }

  private static Command.Claim claim() {
    return new Command.Claim(
        new Command.Claimant("w", "java", Duration.ofSeconds(30), 1), Routes.of("%"), 10);
  }

  private static Outcome get(CompletableFuture<Outcome> outcome) throws Exception {
    return outcome.get(30, TimeUnit.SECONDS);
  }

  private static void awaitAll(List<CompletableFuture<Outcome>> outcomes) throws Exception {
    for (CompletableFuture<Outcome> outcome : outcomes) {
      assertThat(get(outcome)).isInstanceOf(Outcome.Started.class);
    }
  }

  /** One lane is stuck in a commit of these commands, and the other free. */
  private FaultyStore.Gate stuck(List<CompletableFuture<Outcome>> outcomes, Command... commands) {
    List<FaultyStore.Gate> both = new ArrayList<>();
    for (int i = 0; i < LANES; i++) {
      both.add(store.blockNext());
      outcomes.add(commits.submit(start()));
      both.getLast().awaitArrival();
    }
    for (Command command : commands) {
      outcomes.add(commits.submit(command));
    }
    FaultyStore.Gate gate = store.blockNext();
    both.getFirst().open();
    gate.awaitArrival();
    both.getLast().open();
    return gate;
  }

  private static Command[] starts(int count) {
    return Stream.generate(LanesTest::start).limit(count).toArray(Command[]::new);
  }

  @Test
  void aLaneThatWaitsForAnotherDoesNotDoSoForEver() throws Exception {
    List<CompletableFuture<Outcome>> held = new ArrayList<>();
    FaultyStore.Gate gate = stuck(held, starts(20));

    awaitAll(List.of(commits.submit(start())));

    assertThat(held).last().satisfies(one -> assertThat(one).isNotDone());
    gate.open();
    awaitAll(held);
  }

  @Test
  void whatConcernsOneRunIsNeverUnderWayTwice() throws Exception {
    Command.Start run = start();
    List<CompletableFuture<Outcome>> held = new ArrayList<>();
    FaultyStore.Gate gate = stuck(held, run);

    CompletableFuture<Outcome> cancelled =
        commits.submit(new Command.Cancel(run.run().id(), "enough", false));
    awaitAll(List.of(commits.submit(start()), commits.submit(start())));

    assertThat(cancelled).isNotDone();
    gate.open();
    awaitAll(held);
    assertThat(get(cancelled)).isInstanceOf(Outcome.CancelTaken.class);
  }

  @Test
  void aClaimKeepsNobodyWaitingWhereAnotherLaneIsFree() throws Exception {
    FaultyStore.Gate gate = store.blockNext();
    CompletableFuture<Outcome> claimed = commits.submit(claim());
    gate.awaitArrival();

    awaitAll(Stream.of(starts(3)).map(commits::submit).toList());

    assertThat(claimed).isNotDone();
    gate.open();
    assertThat(get(claimed)).isInstanceOf(Outcome.Claimed.class);
  }

  @Test
  void aClaimIsCommittedByItself() throws Exception {
    List<CompletableFuture<Outcome>> held = new ArrayList<>();
    FaultyStore.Gate busy = stuck(held, start());
    FaultyStore.Gate other = store.blockNext();
    held.add(commits.submit(start()));
    other.awaitArrival();
    long before = commits.totals().commits();
    held.addAll(Stream.of(starts(3)).map(commits::submit).toList());
    CompletableFuture<Outcome> claimed = commits.submit(claim());
    held.addAll(Stream.of(starts(3)).map(commits::submit).toList());

    busy.open();
    other.open();
    awaitAll(held);
    assertThat(get(claimed)).isInstanceOf(Outcome.Claimed.class);

    assertThat(commits.totals().commits()).isGreaterThanOrEqualTo(before + 4);
  }

  @Test
  void whatWasHandedInIsCommittedBeforeTheLanesClose() throws Exception {
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
    FaultyStore.Gate gate = stuck(outcomes, starts(20));
    for (int i = 0; i < 3; i++) {
      outcomes.add(commits.submit(start()));
    }
    gate.open();

    commits.close();

    assertThat(outcomes).allMatch(CompletableFuture::isDone);
    awaitAll(outcomes);
  }
}
