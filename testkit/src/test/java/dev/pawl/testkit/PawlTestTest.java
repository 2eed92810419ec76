package dev.pawl.testkit;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.RunHandle;
import dev.pawl.flow.Flow;
import dev.pawl.log.Status;
import dev.pawl.work.FailedException;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PawlTestTest {
  private static final Task<String, String> SHIP =
      Task.of(
          "kit.ship.v1",
          String.class,
          String.class,
          order -> {
            throw new IllegalStateException("no test should ship anything");
          });
  private static final Flow<String, String> TRIAL =
      Flow.define(
          "kit.trial.v1",
          String.class,
          String.class,
          (ctx, user) -> {
            ctx.step("welcome", String.class, () -> "welcomed " + user);
            for (int week = 1; week <= 4; week++) {
              ctx.sleep(ofDays(7));
              ctx.step("remind", () -> {});
            }
            ctx.log("four weeks are over");
            return ctx.pollSignal("stay", String.class, ofDays(2)).orElse("gone");
          });
  private static final Flow<String, String> ORDER =
      Flow.define(
          "kit.order.v1",
          String.class,
          String.class,
          (ctx, order) -> {
            ctx.step(
                "charge",
                () -> {
                  throw new IllegalStateException("no test should charge anybody");
                });
            return ctx.call(SHIP, order);
          });

  @Test
  void thirtyDaysPassWithoutWaiting() {
    try (PawlTest pawl = PawlTest.of(TRIAL)) {
      RunHandle<String> run = pawl.start(TRIAL, "ada");

      assertThat(pawl.result(run)).isEqualTo("gone");
      assertThat(pawl.log(run).length()).isBetween(ofDays(30), ofDays(31));
      pawl.log(run)
          .assertSteps("welcome", "remind", "remind#1", "remind#2", "remind#3")
          .assertInOrder("created", "suspended", "timer.fired", "succeeded")
          .assertSucceeded();
      assertThat(pawl.log(run).lines()).containsExactly("four weeks are over");
      assertThat(pawl.log(run).value("welcome", String.class)).isEqualTo("welcomed ada");
    }
  }

  @Test
  void timePassesAsFarAsItIsTold() {
    try (PawlTest pawl = PawlTest.of(TRIAL)) {
      RunHandle<String> run = pawl.start(TRIAL, "ada");

      pawl.advance(ofDays(7).minusMillis(1));
      pawl.log(run).assertSteps("welcome");
      pawl.advance(ofDays(8));
      pawl.log(run).assertSteps("welcome", "remind", "remind#1");
      assertThat(run.run().status()).isEqualTo(Status.SUSPENDED);
      pawl.advance(ofDays(14));
      pawl.signal(run, "stay", "staying");

      assertThat(run.run().status()).isEqualTo(Status.SUCCEEDED);
      assertThat(pawl.result(run)).isEqualTo("staying");
    }
  }

  @Test
  void stepsAndTypesAreStubbed() {
    AtomicInteger charges = new AtomicInteger();
    try (PawlTest pawl = PawlTest.of(ORDER).stub(SHIP, order -> "shipped " + order)) {
      pawl.stubStep("charge", charges::incrementAndGet);
      RunHandle<String> run = pawl.start(ORDER, "17");

      assertThat(pawl.result(run)).isEqualTo("shipped 17");
      assertThat(charges).hasValue(1);
    }
  }

  @Test
  void aTypeThatNobodyCarriesOutIsNamed() {
    try (PawlTest pawl = PawlTest.of(ORDER)) {
      pawl.stubStep("charge", () -> null);
      RunHandle<String> run = pawl.start(ORDER, "17");

      assertThatThrownBy(() -> pawl.result(run))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("kit.ship.v1, which nobody carries out: register that type");
    }
  }

  @Test
  void aFailureIsThrownAndOnRecord() {
    try (PawlTest pawl = PawlTest.of(ORDER)) {
      pawl.stubStep(
          "charge",
          () -> {
            throw FailedException.permanent("DECLINED", "no money");
          });
      RunHandle<String> run = pawl.start(ORDER, "17");

      assertThatThrownBy(() -> pawl.result(run)).isInstanceOf(FailedException.class);
      pawl.log(run).assertFailed("DECLINED").assertNoStep("charge");
      assertThat(pawl.log(run).failures("charge")).isOne();
    }
  }

  @Test
  void whatDoesNotHoldIsSaidWithTheLog() {
    try (PawlTest pawl = PawlTest.of(TRIAL)) {
      RunHandle<String> run = pawl.start(TRIAL, "ada");

      assertThatThrownBy(() -> pawl.log(run).assertSteps("something"))
          .hasMessageContaining("its steps should be [something]")
          .hasMessageContaining("welcomed ada");
      assertThatThrownBy(() -> pawl.log(run).assertSucceeded()).isInstanceOf(AssertionError.class);
      assertThatThrownBy(() -> pawl.log(run).assertInOrder("created", "failed"))
          .hasMessageContaining("number 2 is not");
    }
  }

  @Test
  void aFlowIsReplayedAfterEachStep() {
    AtomicInteger entered = new AtomicInteger();
    AtomicInteger bodies = new AtomicInteger();
    Flow<String, Integer> flow =
        Flow.define(
            "kit.replayed.v1",
            String.class,
            Integer.class,
            (ctx, in) -> {
              entered.incrementAndGet();
              int sum = 0;
              for (int i = 0; i < 5; i++) {
                sum += ctx.step("add", Integer.class, bodies::incrementAndGet);
              }
              ctx.sleep(ofHours(1));
              return sum;
            });
    try (PawlTest pawl = PawlTest.of(flow).replayEveryStep()) {
      assertThat(pawl.result(pawl.start(flow, ""))).isEqualTo(15);
    }
    assertThat(bodies).as("no body runs twice").hasValue(5);
    assertThat(entered.get()).as("but the code did, after every step").isGreaterThanOrEqualTo(6);
  }

  @Test
  void codeThatIsNotDeterministicIsFoundOutByAReplay() {
    AtomicInteger hidden = new AtomicInteger();
    Flow<String, String> flow =
        Flow.define(
            "kit.hidden.v1",
            String.class,
            String.class,
            (ctx, in) -> {
              ctx.step(hidden.getAndIncrement() == 0 ? "heads" : "tails", () -> {});
              ctx.step("then", () -> {});
              return "done";
            });
    try (PawlTest calm = PawlTest.of(flow)) {
      assertThat(calm.result(calm.start(flow, ""))).isEqualTo("done");
    }
    hidden.set(0);
    try (PawlTest pawl = PawlTest.of(flow).replayEveryStep()) {
      RunHandle<String> run = pawl.start(flow, "");
      assertThatThrownBy(() -> pawl.result(run))
          .hasMessageContaining("parked for a person")
          .hasMessageContaining("heads")
          .hasMessageContaining("tails");
    }
  }

  @Test
  void longBackoffsArePassedOver() {
    AtomicInteger tries = new AtomicInteger();
    Flow<String, String> flow =
        Flow.define(
            "kit.retrying.v1",
            String.class,
            String.class,
            (ctx, in) ->
                ctx.step(
                    "flaky",
                    String.class,
                    Retry.fixed(5, ofHours(6)),
                    step -> {
                      if (tries.incrementAndGet() < 4) {
                        throw new IllegalStateException("not yet");
                      }
                      return "at last";
                    }));
    try (PawlTest pawl = PawlTest.of(flow)) {
      RunHandle<String> run = pawl.start(flow, "");
      assertThat(pawl.result(run)).isEqualTo("at last");
      assertThat(pawl.log(run).length()).isGreaterThanOrEqualTo(ofHours(18));
      assertThat(pawl.log(run).failures("flaky")).isEqualTo(3);
    }
  }
}
