package dev.pawl.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.log.Event;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.ForwardingStore;
import dev.pawl.testkit.ManualClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether the comparison would notice. */
class AgainstMemoryTest {
  private static final int BATCHES = 40;
  private static final int MAX_BATCH = 150;

  @Test
  void aWrongEventIsFoundRightAfterItsBatch() {
    for (long seed = 1; seed <= 5; seed++) {
      ManualClock clock = new ManualClock();
      Forger forger = new Forger(new MemoryStore(clock));
      AgainstMemory comparison = new AgainstMemory(seed, clock, MAX_BATCH);
      assertThatThrownBy(() -> comparison.compareAtLength(forger, BATCHES, new HashMap<>()))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("seed " + seed + ", after batch " + forger.batch + ": ");
      assertThat(forger.done).isTrue();
    }
  }

  /** Writes one step that took longer than it did, which neither row nor outcome can show. */
  private static final class Forger extends ForwardingStore {
    private int batch = -1;
    private boolean done;

    Forger(Store store) {
      super(store);
    }

    @Override
    public List<Outcome> commit(List<Command> commands) {
      if (done) {
        return super.commit(commands);
      }
      batch++;
      List<Command> forged = new ArrayList<>(commands.size());
      for (Command command : commands) {
        forged.add(command instanceof Command.Advance advance ? forged(advance) : command);
      }
      List<Outcome> outcomes = super.commit(forged);
      for (int i = 0; i < forged.size(); i++) {
        done |=
            !forged.get(i).equals(commands.get(i)) && outcomes.get(i) instanceof Outcome.Advanced;
      }
      return outcomes;
    }

    private static Command forged(Command.Advance advance) {
      List<Event> events =
          advance.events().stream()
              .map(event ->
                  event instanceof Event.StepCompleted step
                      ? new Event.StepCompleted(
                          step.op(),
                          step.name(),
                          step.n(),
                          step.attempt(),
                          step.value(),
                          step.millis() + 1)
                      : event)
              .toList();
      return new Command.Advance(
          advance.run(),
          advance.epoch(),
          advance.seq(),
          advance.wakes(),
          events,
          advance.consumed(),
          advance.children(),
          advance.sends(),
          advance.emits());
    }
  }
}
