package dev.pawl.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.FaultyStore;
import dev.pawl.testkit.ForwardingStore;
import dev.pawl.testkit.ManualClock;
import dev.pawl.testkit.StoreFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who waits for a command commits it himself, as long as nobody else commits. */
@Timeout(60)
class OwnHandsTest {
  private final Map<Command, Thread> committers = new ConcurrentHashMap<>();
  private int lanes = 1;
  private final FaultyStore store =
      new FaultyStore(
          new ForwardingStore(new MemoryStore(new ManualClock())) {
            @Override
            public int lanes() {
              return lanes;
            }

            @Override
            public List<Outcome> commit(List<Command> commands) {
              commands.forEach(command -> committers.put(command, Thread.currentThread()));
              return super.commit(commands);
            }
          });
  private final List<GroupCommit> open = new ArrayList<>();
  private final List<FaultyStore.Gate> gates = new ArrayList<>();

  @AfterEach
  void close() {
    open.forEach(GroupCommit::close);
  }

  private GroupCommit commits(int count) {
    lanes = count;
    GroupCommit commits = new GroupCommit(store);
    open.add(commits);
    return commits;
  }

  private static Command.Start start() {
    return new Command.Start(StoreFixture.newRun());
  }

  private static Command.Cancel cancel(Command.Start start) {
    return new Command.Cancel(start.run().id(), "enough", false);
  }

  /** Commits until a command has found all lanes at rest, which were only just made. */
  private void awaitRest(GroupCommit commits) {
    Command.Start start;
    do {
      start = start();
      commits.commit(start);
    } while (!Thread.currentThread().equals(committers.get(start)));
  }

  private static <T> T get(CompletableFuture<T> outcome) throws Exception {
    return outcome.get(30, TimeUnit.SECONDS);
  }

  /** Somebody who commits by his own hands and stands at the gate. */
  private CompletableFuture<Outcome> stuck(GroupCommit commits, Command command) {
    awaitRest(commits);
    FaultyStore.Gate gate = store.blockNext();
    gates.add(gate);
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    Thread unused =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                outcome.complete(commits.commit(command));
              } catch (RuntimeException e) {
                outcome.completeExceptionally(e);
              }
            });
    gate.awaitArrival();
    return outcome;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whereAllLanesRestTheCallerCommits(int count) {
    GroupCommit commits = commits(count);

    awaitRest(commits);

    assertThat(commits.totals())
        .isEqualTo(new GroupCommit.Totals(store.commands(), store.commits()));
  }

  @Test
  void aVirtualThreadLeavesItToALane() throws Exception {
    GroupCommit commits = commits(1);
    awaitRest(commits);
    Command.Start start = start();

    Thread.ofVirtual().start(() -> commits.commit(start)).join();

    assertThat(committers.get(start).getName()).isEqualTo("pawl-commit-0");
  }

  @Test
  void whoWaitsForNothingLeavesItToALane() throws Exception {
    GroupCommit commits = commits(1);
    awaitRest(commits);
    Command.Start start = start();

    get(commits.submit(start));

    assertThat(committers.get(start).getName()).isEqualTo("pawl-commit-0");
  }

  @Test
  void asManyAreUnderWayAtOnceAsThereAreLanes() throws Exception {
    GroupCommit commits = commits(1);
    CompletableFuture<Outcome> first = stuck(commits, start());
    Command.Start second = start();

    CompletableFuture<Outcome> waiting = commits.submit(second);

    assertThat(waiting).isNotDone();
    assertThat(committers).doesNotContainKey(second);
    gates.getFirst().open();
    assertThat(get(first)).isInstanceOf(Outcome.Started.class);
    assertThat(get(waiting)).isInstanceOf(Outcome.Started.class);
  }

  @Test
  void theOtherLaneGoesOn() throws Exception {
    GroupCommit commits = commits(2);
    CompletableFuture<Outcome> first = stuck(commits, start());
    Command.Start second = start();

    assertThat(commits.commit(second)).isInstanceOf(Outcome.Started.class);

    assertThat(committers.get(second).getName()).startsWith("pawl-commit-");
    assertThat(first).isNotDone();
    gates.getFirst().open();
    assertThat(get(first)).isInstanceOf(Outcome.Started.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whatIsAboutTheSameRunComesAfterwards(int count) throws Exception {
    GroupCommit commits = commits(count);
    Command.Start start = start();
    CompletableFuture<Outcome> first = stuck(commits, start);

    CompletableFuture<Outcome> cancelled = commits.submit(cancel(start));

    assertThat(cancelled).isNotDone();
    gates.getFirst().open();
    assertThat(get(first)).isInstanceOf(Outcome.Started.class);
    assertThat(get(cancelled)).isInstanceOf(Outcome.CancelTaken.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void closingWaitsForWhoeverCommitsHimself(int count) throws Exception {
    GroupCommit commits = commits(count);
    CompletableFuture<Outcome> first = stuck(commits, start());
    CompletableFuture<Outcome> second = commits.submit(start());
    Thread closing = Thread.ofPlatform().start(commits::close);
    while (closing.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }

    assertThat(first).isNotDone();
    gates.getFirst().open();
    closing.join();

    assertThat(store.commands()).isEqualTo(committers.size());
    assertThat(get(first)).isInstanceOf(Outcome.Started.class);
    assertThat(get(second)).isInstanceOf(Outcome.Started.class);
  }

  @Test
  void afterClosingNobodyCommitsHimself() {
    GroupCommit commits = commits(1);
    awaitRest(commits);
    commits.close();

    assertThatThrownBy(() -> commits.commit(start()))
        .isInstanceOfSatisfying(
            PawlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
  }

  @Test
  void aLaneCarriesOnWhereACallerHasFailed() throws Exception {
    GroupCommit commits = commits(1);
    awaitRest(commits);
    store.failNext();
    assertThatThrownBy(() -> commits.commit(start()))
        .isInstanceOfSatisfying(
            PawlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
    store.poison(command -> command instanceof Command.Cancel, new IllegalStateException("broken"));
    assertThatThrownBy(() -> commits.commit(cancel(start()))).hasMessageContaining("broken");

    assertThat(get(commits.submit(start()))).isInstanceOf(Outcome.Started.class);
    awaitRest(commits);
  }

  @Test
  void aLostAnswerIsReadBackByTheCaller() {
    GroupCommit commits = commits(1);
    awaitRest(commits);
    store.loseNextAnswer();
    Command.Start start = start();

    assertThat(commits.commit(start)).isInstanceOf(Outcome.Started.class);

    assertThat(committers.get(start)).isSameAs(Thread.currentThread());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void manyWhoCommitByThemselvesLoseNothing(int count) throws Exception {
    GroupCommit commits = commits(count);
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      callers.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int j = 0; j < 500; j++) {
                  Command.Start start = start();
                  assertThat(commits.commit(start)).isInstanceOf(Outcome.Started.class);
                  assertThat(commits.commit(cancel(start))).isInstanceOf(Outcome.CancelTaken.class);
                }
              }));
    }
    for (Thread caller : callers) {
      caller.join();
    }

    assertThat(store.commands()).isEqualTo(4 * 500 * 2);
    assertThat(commits.totals().commands()).isEqualTo(4 * 500 * 2);
  }
}
