package dev.pawl.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.json.Json;
import dev.pawl.json.JsonType;
import dev.pawl.log.Event;
import dev.pawl.testkit.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How turns end whose programs do not behave. */
@Timeout(60)
class ConclusionsTest extends WorkerHouse {
  private static final Event.TurnEnd DONE = new Event.Succeeded(Json.string("first"));

  private record Odd(String type, Program program) implements RunType<String, String> {
    @Override
    public JsonType<String> input() {
      return JsonType.of(String.class);
    }

    @Override
    public JsonType<String> output() {
      return input();
    }

    @Override
    public Retry retry() {
      return Retry.none();
    }
  }

  private Worker worker(Pawl pawl) {
    return pawl.work(w -> patient().apply(w).concurrency(1));
  }

  @Test
  void aProgramThatCannotBeginFailsAndItsSlotIsFree() {
    Odd odd =
        new Odd(
            "odd.beginning.v1",
            (turn, ending) -> {
              throw new IllegalStateException("no thread to be had");
            });
    Pawl pawl = engine(odd);
    Worker worker = worker(pawl);
    for (int i = 0; i < 3; i++) {
      RunHandle<String> run = pawl.start(odd, "in");
      assertThatThrownBy(() -> run.result(SOON)).hasMessageContaining("no thread to be had");
      check(run);
    }
    Await.until("the worker is idle", worker::isIdle);
  }

  @Test
  void theFirstWordCounts() {
    Odd odd =
        new Odd(
            "odd.talker.v1",
            (turn, ending) -> {
              ending.end(DONE);
              ending.end(new Event.Succeeded(Json.string("second")));
              ending.fail(new IllegalStateException("third"));
              ending.fail(turn.leaseLost());
            });
    Pawl pawl = engine(odd);
    Worker worker = worker(pawl);
    for (int i = 0; i < 3; i++) {
      RunHandle<String> run = pawl.start(odd, "in");
      assertThat(run.result(SOON)).isEqualTo("first");
      check(run);
    }
    Await.until("the worker is idle", worker::isIdle);
    assertThat(worker.busy()).isZero();
  }
}
