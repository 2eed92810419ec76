package dev.pawl.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Store;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.ForwardingStore;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A script that was given back in the middle of a turn goes on as if that had not begun. */
@Timeout(120)
class ScriptReleasedTest extends ScriptTesting {
  /** A store that another process has open, too. */
  private static class Unclosed extends ForwardingStore {
    Unclosed(Store store) {
      super(store);
    }

    @Override
    public void close() {}
  }

  /** Lets a worker that cannot look up keys take the run, until it gives it back. */
  private void giveBack(RunId id) {
    int before = house.events(id, Event.Released.class).size();
    Unclosed blind =
        new Unclosed(house.store) {
          @Override
          public Optional<Run> runByKey(String key) {
            throw new PawlException(ErrorCode.STORE_UNAVAILABLE, "not now");
          }
        };
    try (Pawl pawl = Pawl.open(blind).register(Scripts.all())) {
      pawl.work(worker -> worker.poll(Duration.ofMillis(2)));
      Await.until("it is given back", () -> house.events(id, Event.Released.class).size() > before);
    }
  }

  @Test
  void inItsFirstTurnItKeepsItsSignals() {
    house.echo("task");
    RunId id =
        house.start(
            """
            const made = uuid()
            const a = await Signal.next("a")
            return [a, (await Task.run("task", made, { key: "k" })) === made]
            """,
            "{}");
    house.pawl.signal(id, "a", 1);
    giveBack(id);
    assertThat(house.events(id, Event.SignalReceived.class)).isEmpty();
    house.work();
    assertThat(succeed(house.finish(id))).isEqualTo("[1,true]");
    assertThat(house.events(id, Event.SignalReceived.class)).hasSize(1);
  }

  @Test
  void whileItCleansUpItIsCancelledAllTheSame() {
    house.echo("free");
    RunId id =
        house.start(
            """
            try { await Signal.next("a") } finally { await Task.run("free", 1, { key: "k" }) }
            """,
            "{}");
    try (Pawl other = Pawl.open(new Unclosed(house.store)).register(Scripts.all())) {
      other.work(worker -> worker.poll(Duration.ofMillis(2)));
      Await.until("it waits", () -> house.pawl.get(id).status() == Status.SUSPENDED);
    }
    house.pawl.cancel(id, "stop");
    giveBack(id);
    house.work();
    assertThat(house.finish(id).status()).isEqualTo(Status.CANCELLED);
    assertThat(house.done).containsExactly("free 1");
  }
}
