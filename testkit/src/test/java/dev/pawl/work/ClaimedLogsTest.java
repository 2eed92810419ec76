package dev.pawl.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.error.PawlException;
import dev.pawl.log.Entry;
import dev.pawl.log.RunId;
import dev.pawl.store.Activation;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.ForwardingStore;
import dev.pawl.testkit.ManualClock;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.testkit.Turn;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which logs are read when, after a claim. */
class ClaimedLogsTest {
  private final ManualClock clock = new ManualClock();
  private final MemoryStore memory = new MemoryStore(clock);
  private final StoreFixture fixture = new StoreFixture(memory, clock);
  private final List<Collection<RunId>> reads = new ArrayList<>();
  private boolean broken;

  /** Writes down which logs are read together. */
  private final Store store =
      new ForwardingStore(memory) {
        @Override
        public Map<RunId, List<Entry>> logs(Collection<RunId> ids, int last) {
          if (broken) {
            throw PawlException.internal("no reading today");
          }
          reads.add(List.copyOf(ids));
          return super.logs(ids, last);
        }
      };

  private List<Activation> claimed(int count, int checkpoints) {
    List<Activation> activations = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fixture.start();
    }
    for (Turn turn : fixture.claim(count)) {
      for (int i = 0; i < checkpoints; i++) {
        turn.checkpoint("step" + i);
      }
      Activation given = turn.activation();
      activations.add(
          new Activation(given.run(), given.seq() + checkpoints, given.mail(), given.now()));
    }
    return activations;
  }

  private List<Entry> take(ClaimedLogs logs, Activation activation) {
    return logs.take(activation.run().id());
  }

  @Test
  void whoNeedsItsLogHasTheOthersReadAlong() {
    List<Activation> activations = claimed(20, 3);
    ClaimedLogs logs = new ClaimedLogs(store, activations);

    for (Activation activation : activations.reversed()) {
      assertThat(take(logs, activation)).isEqualTo(fixture.log(activation.run().id()));
    }

    assertThat(reads).hasSize(1);
  }

  @Test
  void nothingIsReadThatNobodyNeeds() {
    ClaimedLogs unused = new ClaimedLogs(store, claimed(20, 3));
    List<Activation> fresh = claimed(3, 0);
    ClaimedLogs blank = new ClaimedLogs(store, fresh);

    assertThat(unused).isNotNull();
    assertThat(take(blank, fresh.get(0))).isEmpty();
    assertThat(reads).isEmpty();
  }

  @Test
  void manyAreReadInParts() {
    List<Activation> activations = claimed(150, 1);
    ClaimedLogs logs = new ClaimedLogs(store, activations);

    activations.forEach(activation -> assertThat(take(logs, activation)).hasSize(3));

    assertThat(reads).hasSize(3);
    assertThat(reads.stream().flatMap(Collection::stream))
        .containsExactlyInAnyOrderElementsOf(
            activations.stream().map(activation -> activation.run().id()).toList());
  }

  @Test
  void aLongLogIsLeftToWhoNeedsIt() {
    List<Activation> longOnes = claimed(2, ClaimedLogs.SHORT);
    ClaimedLogs logs = new ClaimedLogs(store, longOnes);

    assertThat(take(logs, longOnes.get(0))).isEmpty();
    assertThat(reads).isEmpty();
  }

  @Test
  void aReadThatFailsDoesSoForOne() {
    List<Activation> activations = claimed(2, 1);
    ClaimedLogs logs = new ClaimedLogs(store, activations);
    broken = true;

    assertThatThrownBy(() -> take(logs, activations.get(0))).hasMessageContaining("no reading");
    assertThat(take(logs, activations.get(1))).isEmpty();
  }
}
