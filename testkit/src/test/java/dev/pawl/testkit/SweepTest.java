package dev.pawl.testkit;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.flow.Flow;
import dev.pawl.flow.Promise;
import dev.pawl.work.FailedException;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a crash sweep says of users' programs. */
@Timeout(120)
class SweepTest {
  private static final Task<Integer, Integer> SQUARE =
      Task.of("sweep.square.v1", Integer.class, Integer.class, n -> n * n);

  @Nested
  class ASoundFlow {
    private static Flow<Integer, String> everything(Effects effects) {
      return Flow.define(
          "sweep.everything.v1",
          Integer.class,
          String.class,
          (ctx, in) -> {
            int a = ctx.step("a", Integer.class, () -> in + 1);
            ctx.step("pay", Retry.standard(), s -> pay(effects, s.idempotencyKey()));
            Promise<Integer> square = ctx.child(SQUARE, a);
            List<Integer> both =
                ctx.<Integer>all(List.of(square, ctx.stepAsync("b", Integer.class, () -> 5)))
                    .await();
            ctx.sleep(ofDays(30));
            String word = ctx.awaitSignal("go", String.class);
            Optional<String> late = ctx.pollEvent("never", String.class, ofHours(5));
            return both + word + late;
          });
    }

    private static void pay(Effects effects, String key) {
      effects.addOnce(key, "paid");
    }

    @Test
    void endsTheSameWheneverItIsKilled() {
      CrashReport report =
          CrashSweep.of(ASoundFlow::everything)
              .input(3)
              .with(SQUARE)
              .afterStart((pawl, run) -> pawl.signal(run, "go", "!"))
              .run()
              .assertSound();

      assertThat(report.end()).isEqualTo("succeeded \"[16, 5]!Optional.empty\"");
      assertThat(report.kills()).isGreaterThan(8);
      assertThat(report.step("pay").most()).isEqualTo(2);
      assertThat(report.step("a").usual()).isOne();
      assertThat(report.toString()).contains("sound", "pay", "the same again");
    }

    @Test
    void thatFailsMustFailTheSameWay() {
      Flow<Integer, String> failing =
          Flow.define(
              "sweep.failing.v1",
              Integer.class,
              String.class,
              (ctx, in) -> {
                ctx.step("one", () -> {});
                ctx.onFailure("undo", () -> {});
                throw FailedException.permanent("NO_WAY", "in the end");
              });

      assertThat(CrashSweep.of(failing).input(1).run().assertSound().end())
          .isEqualTo("failed NO_WAY: in the end");
    }
  }

  @Nested
  class AnUnsoundFlow {
    @Test
    void paysTwice() {
      CrashReport report =
          CrashSweep.of(effects ->
                  Flow.define(
                      "sweep.naive.v1",
                      Integer.class,
                      Integer.class,
                      (ctx, in) -> {
                        ctx.step("pay", () -> effects.add("paid"));
                        return in;
                      }))
              .input(1)
              .run();

      assertThat(report.isSound()).isFalse();
      assertThat(report.step("pay").flagged()).isTrue();
      assertThat(report.problems())
          .extracting(CrashReport.Problem::what)
          .containsOnly("'paid' happened 2 times instead of once");
      assertThat(report.toString()).contains("look here", "killed before commit 2");
      assertThatThrownBy(report::assertSound).hasMessageContaining("'paid' happened 2 times");
    }

    @Test
    void hasEffectsBetweenItsSteps() {
      CrashReport report =
          CrashSweep.of(effects ->
                  Flow.define(
                      "sweep.between.v1",
                      Integer.class,
                      Integer.class,
                      (ctx, in) -> {
                        ctx.step("one", () -> {});
                        effects.add("mailed");
                        ctx.step("two", () -> {});
                        return in;
                      }))
              .input(1)
              .run();

      assertThat(report.problems())
          .extracting(CrashReport.Problem::where)
          .containsOnly(StepWatch.NO_STEP);
    }

    @Test
    void returnsSomethingElseWhenAStepRunsAgain() {
      AtomicInteger next = new AtomicInteger();
      Flow<Integer, String> flow =
          Flow.define(
              "sweep.other.v1",
              Integer.class,
              String.class,
              (ctx, in) -> {
                ctx.step("hold", Integer.class, next::incrementAndGet);
                ctx.step("use", () -> {});
                return "done";
              });

      assertThat(CrashSweep.of(flow).input(1).run().problems())
          .anySatisfy(problem ->
              assertThat(problem.toString()).startsWith("hold: it ran twice and returned"));
      CrashSweep.of(flow).input(1).tolerate("hold").run().assertSound();
    }

    @Test
    void asksOtherThingsWhenItsCodeRunsAgain() {
      AtomicInteger entered = new AtomicInteger();
      Flow<Integer, String> flow =
          Flow.define(
              "sweep.diverging.v1",
              Integer.class,
              String.class,
              (ctx, in) -> {
                ctx.step("step" + entered.incrementAndGet(), () -> {});
                ctx.sleep(ofDays(1));
                ctx.step("last", () -> {});
                return "done";
              });

      assertThat(CrashSweep.of(flow).input(1).run().problems())
          .anySatisfy(problem -> assertThat(problem.what()).contains("parked for a person"));
    }

    @Test
    void thatNeverEndsIsSaidSoWithTheReason() {
      Flow<Integer, String> flow =
          Flow.define(
              "sweep.waiting.v1",
              Integer.class,
              String.class,
              (ctx, in) -> ctx.awaitSignal("go", String.class));

      assertThat(CrashSweep.of(flow).input(1).run().problems())
          .singleElement()
          .satisfies(
              problem -> assertThat(problem.what()).contains("it waits for something", "go"));
    }
  }

  @Test
  void aTaskIsSweptLikeAFlow() {
    CrashReport report =
        CrashSweep.of(effects ->
                Task.define(
                    "sweep.task.v1",
                    Integer.class,
                    Integer.class,
                    (context, n) -> {
                      effects.add("done");
                      return n;
                    }))
            .input(1)
            .run();

    assertThat(report.step("task sweep.task.v1").most()).isEqualTo(2);
    assertThat(report.problems()).hasSize(1);
  }

  @Test
  void nothingIsSoundIfNobodyCouldBeKilled() {
    CrashReport empty =
        new CrashReport("a.b.v1", "succeeded 1", List.of(), 0, List.of(), List.of());

    assertThatThrownBy(empty::assertSound).isInstanceOf(AssertionError.class);
  }
}
