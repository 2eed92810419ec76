package dev.pawl.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.flow.Flow;
import dev.pawl.log.Event;
import dev.pawl.store.Command;
import dev.pawl.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is told how turns end, of what, and when. */
@Timeout(60)
class TurnObserverTest extends WorkerHouse {
  private final List<String> told = Collections.synchronizedList(new ArrayList<>());

  /** Writes down what it is told, and whether the log has it already. */
  private final TurnObserver observer =
      new TurnObserver() {
        @Override
        public void ended(Turn turn, Event.TurnEnd end) {
          boolean durable =
              log(turn.run().id()).stream().anyMatch(entry -> entry.event().equals(end));
          told.add(
              end.getClass().getSimpleName() + " " + turn.run().attempt() + (durable ? "" : "?"));
        }

        @Override
        public void lost(Turn turn) {
          told.add("lost " + turn.run().attempt());
        }
      };

  private Pawl observed(RunType<?, ?> type) {
    Pawl pawl = engine(type);
    pawl.work(w -> patient().apply(w).observer(observer));
    return pawl;
  }

  private void awaitTold(String... all) {
    Await.until("all is told", () -> told.size() >= all.length);
    assertThat(told).containsExactly(all);
  }

  @Test
  void everyAttemptIsToldOnceItIsDurable() {
    Task<String, String> second =
        Task.define(
                "observed.second.v1",
                String.class,
                String.class,
                (context, in) -> {
                  if (context.attempt() == 1) {
                    throw new IllegalStateException("not yet");
                  }
                  return in;
                })
            .retry(Retry.standard().initial(Duration.ofMillis(1)).jitter(false));
    observed(second).start(second, "in").result(SOON);
    Await.until("both are told", () -> told.size() >= 2);
    // Each by its own turn: the second may be over before the first has told.
    assertThat(told).containsExactlyInAnyOrder("Retried 1", "Succeeded 2");
  }

  @Test
  void aFlowThatWaitsIsToldToo() {
    Flow<String, String> flow =
        Flow.define(
            "observed.flow.v1",
            String.class,
            String.class,
            (context, in) -> context.awaitSignal("go", String.class));
    Pawl pawl = observed(flow);
    RunHandle<String> run = pawl.start(flow, "in");
    awaitTold("Suspended 1");
    pawl.signal(run.id(), "go", "on");
    run.result(SOON);
    awaitTold("Suspended 1", "Succeeded 1");
  }

  @Test
  void whatIsGivenBackIsToldOnce() {
    CountDownLatch started = new CountDownLatch(1);
    Task<String, String> endless = endless(started);
    Pawl pawl = observed(endless);
    pawl.start(endless, "in");
    Await.open("it has started", started);
    pawl.close();
    assertThat(told).containsExactly("Released 1");
  }

  @Test
  void aLeaseThatSomebodyElseTookIsToldAsLost() {
    CountDownLatch started = new CountDownLatch(1);
    Task<String, String> endless = endless(started);
    Pawl pawl = engine(endless);
    pawl.work(w -> patient().apply(w).lease(Duration.ofMillis(300)).observer(observer));
    RunHandle<String> run = pawl.start(endless, "in");
    Await.open("it has started", started);
    memory.commit(List.of(new Command.Cancel(run.id(), "by force", true)));
    awaitTold("lost 1");
  }

  @Test
  void anObserverThatThrowsDoesNoHarm() {
    Task<String, String> echo = Task.of("observed.echo.v1", String.class, String.class, in -> in);
    Pawl pawl = engine(echo);
    pawl.work(w ->
        patient()
            .apply(w)
            .observer((turn, end) -> {
              throw new IllegalStateException("observers break too");
            }));
    assertThat(pawl.start(echo, "in").result(SOON)).isEqualTo("in");
    assertThat(pawl.start(echo, "again").result(SOON)).isEqualTo("again");
  }

  private static Task<String, String> endless(CountDownLatch started) {
    return Task.of(
        "observed.endless.v1",
        String.class,
        String.class,
        in -> {
          started.countDown();
          new CountDownLatch(1).await();
          return in;
        });
  }
}
