package dev.pawl.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchException;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.log.Status;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.ManualClock;
import dev.pawl.work.FailedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run that was ended from outside and cleaned up gets another chance all the same. */
@Timeout(60)
class FlowRetryTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(2);
  private static final Duration LEASE = Duration.ofDays(1000);

  private final List<String> done = new CopyOnWriteArrayList<>();
  private final ManualClock clock = new ManualClock();
  private final Pawl pawl = Pawl.open(new MemoryStore(clock));
  private final Flow<String, String> tidy =
      Flow.define(
          "retry.tidy.v1",
          String.class,
          String.class,
          (ctx, in) -> {
            ctx.step("reserve", () -> done.add("reserve"));
            try {
              return ctx.awaitSignal("go", String.class);
            } catch (FailedException e) {
              ctx.step("free", () -> done.add("free"));
              throw e;
            }
          });

  @AfterEach
  void close() {
    pawl.close();
  }

  private RunHandle<String> waiting() {
    pawl.register(tidy);
    pawl.work(worker -> worker.poll(POLL).lease(LEASE).drain(Duration.ZERO));
    RunHandle<String> run =
        pawl.start(tidy, "x", options -> options.maxDuration(Duration.ofHours(1)));
    Await.until("it waits", () -> run.run().status() == Status.SUSPENDED);
    return run;
  }

  private void goesOn(RunHandle<String> run) {
    pawl.retry(run.id());
    run.signal("go", "gone");
    assertThat(run.result(SOON)).isEqualTo("gone");
    assertThat(done).containsExactly("reserve", "free");
  }

  @Test
  void oneThatWasCancelled() {
    RunHandle<String> run = waiting();
    run.cancel("stop");
    catchException(() -> run.result(SOON));
    assertThat(run.run().status()).isEqualTo(Status.CANCELLED);
    goesOn(run);
  }

  @Test
  void oneThatTookTooLong() {
    RunHandle<String> run = waiting();
    clock.advance(Duration.ofHours(2));
    catchException(() -> run.result(SOON));
    assertThat(run.run().lastError().orElseThrow().code()).isEqualTo("TIMEOUT");
    goesOn(run);
  }
}
