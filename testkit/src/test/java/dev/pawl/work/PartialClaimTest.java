package dev.pawl.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.ForwardingStore;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker whose store looks only at some of what is due. */
@Timeout(60)
class PartialClaimTest {
  private static final Task<String, String> ECHO =
      Task.of("partial.echo.v1", String.class, String.class, in -> in);

  @Test
  void aWorkerThatHasNotLookedForEverythingIsNotIdle() {
    AtomicBoolean partly = new AtomicBoolean(true);
    AtomicInteger claims = new AtomicInteger();
    try (MemoryStore memory = new MemoryStore(InstantSource.system());
        Pawl pawl =
            Pawl.open(
                new ForwardingStore(memory) {
                  @Override
                  public List<Outcome> commit(List<Command> commands) {
                    return super.commit(commands).stream().map(outcome -> seen(outcome)).toList();
                  }

                  private Outcome seen(Outcome outcome) {
                    if (!(outcome instanceof Outcome.Claimed claimed)) {
                      return outcome;
                    }
                    claims.incrementAndGet();
                    return new Outcome.Claimed(
                        claimed.activations(), claimed.nextDue(), claimed.onward(), !partly.get());
                  }
                })) {
      pawl.register(ECHO);
      Worker worker = pawl.work();
      Await.until("it has looked twice", () -> claims.get() > 1 || look(worker));
      assertThat(worker.isIdle()).isFalse();

      partly.set(false);
      Await.until("it has looked for everything", () -> worker.isIdle() || look(worker));
      assertThat(worker.isIdle()).isTrue();
    }
  }

  private static boolean look(Worker worker) {
    worker.look();
    return false;
  }
}
