package dev.pawl.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FaultyStoreTest {
  private final MemoryStore inner = new MemoryStore(new ManualClock());
  private final FaultyStore store = new FaultyStore(inner);
  private final NewRun run = StoreFixture.newRun();
  private final List<Command> start = List.of(new Command.Start(run));

  @Test
  void aCommitWithoutAFaultPasses() {
    store.commit(start);

    assertThat(inner.run(run.id())).isPresent();
  }

  @Test
  void aFailedCommitIsNotApplied() {
    store.failNext();

    assertFails(ErrorCode.STORE_UNAVAILABLE);

    assertThat(inner.run(run.id())).isEmpty();
  }

  @Test
  void aCommitWhoseAnswerIsLostIsApplied() {
    store.loseNextAnswer();

    assertFails(ErrorCode.UNKNOWN_OUTCOME);

    assertThat(inner.run(run.id())).isPresent();
  }

  @Test
  void aLostCommitIsNotApplied() {
    store.loseNext();

    assertFails(ErrorCode.UNKNOWN_OUTCOME);

    assertThat(inner.run(run.id())).isEmpty();
  }

  @Test
  void faultsComeInTheOrderOfTheScript() {
    store.failNext(ErrorCode.STORE_FULL).pass(1).loseNext();

    assertFails(ErrorCode.STORE_FULL);
    store.commit(List.of());
    assertFails(ErrorCode.UNKNOWN_OUTCOME);
    store.commit(start);

    assertThat(store.commits()).isEqualTo(4);
    assertThat(store.commands()).isEqualTo(3);
    assertThat(store.batches().get(1)).isEmpty();
  }

  @Test
  void aPoisonFailsEveryCommitThatHoldsIt() {
    store.poison(command -> command instanceof Command.Start);

    assertFails(ErrorCode.INTERNAL);
    assertFails(ErrorCode.INTERNAL);
    store.commit(List.of());
    assertThat(inner.run(run.id())).isEmpty();

    store.heal().commit(start);
    assertThat(inner.run(run.id())).isPresent();
  }

  @Test
  void aPoisonMayThrowAnything() {
    store.poison(command -> true, new IllegalStateException("odd"));

    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> store.commit(start));
  }

  @Test
  void aCommitWaitsAtItsGate() throws Exception {
    FaultyStore.Gate gate = store.blockNext();
    assertThat(gate.hasArrived()).isFalse();
    FutureTask<Integer> commit = new FutureTask<>(() -> store.commit(start).size());
    Thread.ofVirtual().start(commit);

    gate.awaitArrival();
    assertThat(gate.hasArrived()).isTrue();
    assertThat(inner.run(run.id())).isEmpty();
    gate.open();

    assertThat(commit.get(60, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(inner.run(run.id())).isPresent();
  }

  private void assertFails(ErrorCode code) {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> store.commit(start))
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }
}
