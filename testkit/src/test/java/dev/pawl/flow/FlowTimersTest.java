package dev.pawl.flow;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import dev.pawl.log.Wait;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.ManualClock;
import dev.pawl.testkit.MortalStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A timer keeps its time, whether the code awaits it at once or later, and whoever goes on. */
@Timeout(60)
class FlowTimersTest {
  private static final String TYPE = "timers.flow.v1";

  private final ManualClock clock = new ManualClock();
  private final MemoryStore memory = new MemoryStore(clock);
  private Optional<Pawl> process = Optional.empty();

  @AfterEach
  void close() {
    process.ifPresent(Pawl::close);
    memory.close();
  }

  private static Flow<String, String> flow(Flow.Code<String, String> code) {
    return Flow.define(TYPE, String.class, String.class, code);
  }

  /** Another process with this code takes over. */
  private Pawl process(Flow.Code<String, String> code) {
    process.ifPresent(Pawl::close);
    Pawl pawl = Pawl.open(new MortalStore(memory));
    process = Optional.of(pawl);
    pawl.register(flow(code));
    pawl.work(worker -> worker.poll(ofMillis(5)).drain(ofMillis(50)).lease(ofSeconds(30)));
    return pawl;
  }

  private Run awaitSuspended(RunHandle<?> run, int times) {
    Await.until(
        "suspended " + times + " times",
        () ->
            memory.run(run.id()).orElseThrow().status() == Status.SUSPENDED
                && suspensions(run).size() == times);
    return memory.run(run.id()).orElseThrow();
  }

  private List<Event.Suspended> suspensions(RunHandle<?> run) {
    return memory.log(run.id(), 0, 1000).stream()
        .map(Entry::event)
        .filter(Event.Suspended.class::isInstance)
        .map(Event.Suspended.class::cast)
        .toList();
  }

  @Test
  void aTimerThatIsNotAwaitedYetKeepsItsTime() {
    Flow.Code<String, String> code =
        (ctx, in) -> {
          Promise<String> go = ctx.signal("go", String.class);
          Promise<Void> timer = ctx.timer(ofDays(2));
          go.await();
          timer.await();
          return "done";
        };
    RunHandle<String> run = process(code).start(flow(code), "x");
    Run waiting = awaitSuspended(run, 1);
    assertThat(waiting.due())
        .as("the timer does not wake a flow that waits for a signal")
        .isEmpty();
    Instant due = notAwaitedYet(run);
    assertThat(due).isAfterOrEqualTo(clock.instant().plus(ofDays(2)));

    clock.advance(ofDays(1));
    process(code).signal(run.id(), "go", "!");

    assertThat(awaitSuspended(run, 2).due()).contains(due);
  }

  private Instant notAwaitedYet(RunHandle<?> run) {
    return suspensions(run).getFirst().waits().stream()
        .filter(wait -> wait instanceof Wait.Timer timer && timer.why().equals("not awaited yet"))
        .map(wait -> ((Wait.Timer) wait).at())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aTimerThatNoSuspensionHasRecordedCountsFromTheNextRecord() {
    Flow.Code<String, String> code =
        (ctx, in) -> {
          Promise<Void> timer = ctx.timer(ofHours(2));
          ctx.step("work", () -> {});
          if (in.equals("x") && memory.run(ctx.run()).orElseThrow().attempt() == 1) {
            throw new IllegalStateException("as if the process had died here");
          }
          timer.await();
          return "done";
        };
    RunHandle<String> run = process(code).start(flow(code), "x");
    Await.until("tried once", () -> firstStep(run).isPresent() && pending(run));
    Instant recorded = firstStep(run).orElseThrow().at();

    clock.advance(ofHours(1));

    assertThat(awaitSuspended(run, 1).due()).contains(recorded.plus(ofHours(2)));
  }

  private Optional<Entry> firstStep(RunHandle<?> run) {
    return memory.log(run.id(), 0, 1000).stream()
        .filter(entry -> entry.event() instanceof Event.StepCompleted)
        .findFirst();
  }

  private boolean pending(RunHandle<?> run) {
    return memory.run(run.id()).orElseThrow().status() == Status.PENDING;
  }
}
