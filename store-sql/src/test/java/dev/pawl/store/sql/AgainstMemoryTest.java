package dev.pawl.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.ForwardingStore;
import dev.pawl.testkit.ManualClock;
import java.util.HashMap;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Whether the comparison would notice, and at once. */
class AgainstMemoryTest {
  private static final int SEEDS = 5;
  private static final int COMMANDS = 2000;

  @Test
  void aWrongEventIsFoundRightAfterItsBatch() {
    findsAtOnce(150, AgainstMemoryTest::withSlowerSteps);
  }

  @Test
  void aWrongEventIsFoundRightAfterItsCommand() {
    findsAtOnce(1, AgainstMemoryTest::withSlowerSteps);
  }

  @Test
  void aWrongMessageIsFoundRightAfterItsCommand() {
    findsAtOnce(1, AgainstMemoryTest::withAnotherValue);
  }

  private static void findsAtOnce(int maxBatch, UnaryOperator<Command> forgery) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      ManualClock clock = new ManualClock();
      Forger forger = new Forger(new MemoryStore(clock), forgery);
      AgainstMemory comparison = new AgainstMemory(seed, clock, maxBatch);
      assertThatThrownBy(() -> comparison.compareAtLength(forger, COMMANDS, new HashMap<>()))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("seed " + seed + ", after batch " + forger.batch + ": ");
      assertThat(forger.done).isTrue();
    }
  }

  /** Steps that took longer than they did, which neither row nor outcome can show. */
  private static Command withSlowerSteps(Command command) {
    if (!(command instanceof Command.Advance advance)) {
      return command;
    }
    return advance.withEvents(
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
            .toList());
  }

  private static Command withAnotherValue(Command command) {
    return command instanceof Command.Send send
        ? new Command.Send(send.run(), send.message(), send.name(), Json.string("forged"))
        : command;
  }

  /** Does something else than it was told, until that took effect once. */
  private static final class Forger extends ForwardingStore {
    private final UnaryOperator<Command> forgery;
    private int batch = -1;
    private boolean done;

    Forger(Store store, UnaryOperator<Command> forgery) {
      super(store);
      this.forgery = forgery;
    }

    @Override
    public List<Outcome> commit(List<Command> commands) {
      if (done) {
        return super.commit(commands);
      }
      batch++;
      List<Command> forged = commands.stream().map(forgery).toList();
      List<Outcome> outcomes = super.commit(forged);
      for (int i = 0; i < forged.size(); i++) {
        Outcome outcome = outcomes.get(i);
        boolean taken = outcome instanceof Outcome.Advanced || outcome instanceof Outcome.Sent;
        done |= taken && !forged.get(i).equals(commands.get(i));
      }
      return outcomes;
    }
  }
}
