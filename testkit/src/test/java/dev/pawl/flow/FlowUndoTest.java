package dev.pawl.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.log.Event;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.Invariants;
import dev.pawl.work.FailedException;
import dev.pawl.work.Retry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a failed flow has registered is undone, whatever its code meets on the way back to it. */
@Timeout(60)
class FlowUndoTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final List<String> done = new CopyOnWriteArrayList<>();
  private final AtomicInteger entries = new AtomicInteger();

  private final Flow<String, String> fails =
      flow((ctx, in) -> {
        stumble();
        ctx.onFailure("undo", () -> done.add("undo"));
        ctx.step("work", () -> done.add("work"));
        throw FailedException.permanent("BROKEN", "broken");
      });

  private final Flow<String, String> failsLate =
      flow((ctx, in) -> {
        ctx.step("work", () -> done.add("work"));
        stumble();
        ctx.onFailure("undo", () -> done.add("undo"));
        throw FailedException.permanent("BROKEN", "broken");
      });

  private static Flow<String, String> flow(Flow.Code<String, String> code) {
    return Flow.define("undo.v1", String.class, String.class, code)
        .retry(Retry.fixed(2, Duration.ofMillis(1)));
  }

  private void stumble() {
    if (entries.incrementAndGet() == 2) {
      throw new IllegalStateException("not just now");
    }
  }

  @Test
  void codeThatFailsOnItsWayBackToTheFailureStillUndoesEverything() {
    undoesEverythingAfterARewind(fails);
  }

  @Test
  void soDoesCodeThatFailsOtherwiseJustBeforeTheFailure() {
    undoesEverythingAfterARewind(failsLate);
  }

  private void undoesEverythingAfterARewind(Flow<String, String> flow) {
    try (Pawl pawl = Pawl.open(new MemoryStore(InstantSource.system())).register(flow)) {
      pawl.work();
      RunHandle<String> run = pawl.start(flow, "in");
      assertThatThrownBy(() -> run.result(SOON)).hasMessageContaining("broken");

      pawl.rewind(run.id(), "undo");

      Await.until("it comes to the failure again", () -> entries.get() == 3);
      assertThatThrownBy(() -> run.result(SOON)).hasMessageContaining("broken");
      assertThat(done).containsExactly("work", "undo", "undo");
      assertThat(pawl.log(run.id()).stream().filter(e -> e.event() instanceof Event.Retried))
          .hasSize(1);
      Invariants.check(pawl.store());
    }
  }
}
