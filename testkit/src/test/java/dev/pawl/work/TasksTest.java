package dev.pawl.work;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Status;
import dev.pawl.testkit.Await;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How tasks end: well, badly, too late, not at all. */
@Timeout(60)
class TasksTest extends WorkerHouse {
  private static final String TYPE = "tasks.one.v1";

  private static Task<String, String> task(Task.Handler<String, String> handler) {
    return Task.define(TYPE, String.class, String.class, handler);
  }

  private Failure failure(RunHandle<?> run) {
    assertThatThrownBy(() -> run.result(SOON)).isInstanceOf(FailedException.class);
    check(run);
    return run(run.id()).lastError().orElseThrow();
  }

  // ---- retries ----

  @Test
  void aFailedTaskIsTriedAgainAfterItsBackoffAndNotBefore() {
    Task<String, String> flaky =
        task(
                (context, in) -> {
                  if (context.attempt() < 3) {
                    throw new IOException("attempt " + context.attempt());
                  }
                  return "attempt " + context.attempt();
                })
            .retry(Retry.fixed(5, ofMillis(40)));
    Pawl pawl = working(flaky);
    RunHandle<String> run = pawl.start(flaky, "in");
    assertThat(run.result(SOON)).isEqualTo("attempt 3");
    List<Entry> log = log(run.id());
    for (int i = 0; i < log.size(); i++) {
      if (log.get(i).event() instanceof Event.Retried retried) {
        assertThat(log.get(i + 1).event()).isInstanceOf(Event.Leased.class);
        assertThat(log.get(i + 1).at()).isAfterOrEqualTo(retried.runAt());
        assertThat(retried.failure().retryable()).isTrue();
        assertThat(retried.failure().type()).isEqualTo("java.io.IOException");
      }
    }
    assertThat(events(run, Event.Retried.class)).hasSize(2);
    assertThat(run(run.id()).attempt()).isEqualTo(3);
    check(run);
  }

  @Test
  void attemptsEndSomeTime() {
    AtomicInteger calls = new AtomicInteger();
    Task<String, String> broken =
        task(
                (context, in) -> {
                  throw new IllegalStateException("call " + calls.incrementAndGet());
                })
            .retry(Retry.fixed(2, ofMillis(1)));
    Pawl pawl = working(broken);
    Failure failure = failure(pawl.start(broken, "in"));
    assertThat(failure.message()).isEqualTo("call 2");
    assertThat(failure.attempt()).isEqualTo(2);
    assertThat(failure.source().name()).isEqualTo(TYPE);
    assertThat(failure.stack()).contains("TasksTest");
    assertThat(calls).hasValue(2);
    assertThat(failure(pawl.start(broken, "in", o -> o.maxAttempts(1))).attempt()).isEqualTo(1);
  }

  @Test
  void permanentFailuresAreNotTriedAgain() {
    AtomicInteger calls = new AtomicInteger();
    Task<String, String> broken =
        task(
                (context, in) -> {
                  calls.incrementAndGet();
                  throw in.equals("said")
                      ? FailedException.permanent("NO_STOCK", "nothing left")
                      : new java.io.FileNotFoundException("by type");
                })
            .retry(Retry.fixed(5, ofMillis(1)).unless(IOException.class));
    Pawl pawl = working(broken);
    Failure said = failure(pawl.start(broken, "said"));
    assertThat(said.code()).isEqualTo("NO_STOCK");
    assertThat(said.retryable()).isFalse();
    assertThat(failure(pawl.start(broken, "by type")).message()).isEqualTo("by type");
    assertThat(calls).hasValue(2);
  }

  @Test
  void anythingThatIsThrownIsOnRecord() {
    Task<String, String> odd =
        task(
                (context, in) -> {
                  switch (in) {
                    case "error" -> throw new StackOverflowError();
                    case "nameless" -> throw new RuntimeException() {};
                    case "speechless" ->
                        throw new RuntimeException() {
                          @Override
                          public String getMessage() {
                            throw new IllegalStateException("no message");
                          }
                        };
                    case "circular" -> {
                      Exception outer = new Exception("outer");
                      throw new Exception("inner", new Exception("middle", outer));
                    }
                    case "long" -> throw new Exception("x".repeat(1_000_000));
                    default -> throw new Exception("\u0000\ud800 odd");
                  }
                })
            .retry(Retry.none());
    Pawl pawl = working(odd);
    for (String kind : List.of("error", "nameless", "speechless", "circular", "long", "text")) {
      Failure failure = failure(pawl.start(odd, kind));
      assertThat(failure.code()).as(kind).isEqualTo("ERROR");
      assertThat(failure.message()).as(kind).isNotEmpty().hasSizeLessThan(20_000);
    }
  }

  // ---- values ----

  @Test
  void aPayloadThatDoesNotFitFailsForGoodWithAClearMessage() {
    record Order(int amount) {}
    AtomicInteger calls = new AtomicInteger();
    Task<Order, String> typed =
        Task.of(
            TYPE,
            Order.class,
            String.class,
            order -> {
              calls.incrementAndGet();
              return "" + order.amount();
            });
    Pawl pawl = working(typed);
    RunHandle<Json> run = pawl.start(TYPE, Json.string("not an order"), o -> o);
    Failure failure = failure(run);
    assertThat(failure.code()).isEqualTo("BAD_VALUE");
    assertThat(failure.message())
        .contains(run.id().toString())
        .contains("not what its handler takes")
        .contains("not an order");
    assertThat(failure.retryable()).isFalse();
    assertThat(events(run, Event.Retried.class)).isEmpty();
    assertThat(calls).hasValue(0);
  }

  @Test
  void aResultThatIsTooLargeFailsTheRunWithAClearMessage() {
    Task<String, String> large =
        task((context, in) -> "x".repeat(Json.MAX_CHARS + 1)).retry(Retry.none());
    Pawl pawl = working(large);
    Failure failure = failure(pawl.start(large, "in"));
    assertThat(failure.message()).contains("" + Json.MAX_CHARS);
  }

  /** Something whose JSON cannot be had. */
  public static final class Unspeakable {
    public String getName() {
      throw new IllegalStateException("not to be spoken");
    }
  }

  @Test
  void aResultThatIsNotJsonFailsTheRun() {
    Task<String, Unspeakable> odd =
        Task.of(TYPE, String.class, Unspeakable.class, in -> new Unspeakable()).retry(Retry.none());
    Pawl pawl = working(odd);
    Failure failure = failure(pawl.start(odd, "in"));
    assertThat(failure.code()).isEqualTo("BAD_VALUE");
    assertThat(failure.message()).contains("Unspeakable");
  }

  @Test
  void nothingIsAResult() {
    Task<String, Void> nothing = Task.of(TYPE, String.class, done::add);
    Pawl pawl = working(nothing);
    RunHandle<Void> run = pawl.start(nothing, "in");
    assertThat(run.result(SOON)).isNull();
    assertThat(run.run().result()).contains(Json.NULL);
    assertThat(pawl.start(nothing, null).result(SOON)).isNull();
  }

  @Test
  void aHeartbeatWithSomethingToSayIsLogged() {
    Task<String, String> talking =
        task((context, in) -> {
          context.heartbeat("half way");
          context.heartbeat(null);
          return context.idempotencyKey();
        });
    Pawl pawl = working(talking);
    RunHandle<String> run = pawl.start(talking, "in");
    assertThat(run.result(SOON)).isEqualTo(TYPE + "/" + run.id());
    assertThat(events(run, Event.Heartbeat.class))
        .containsExactly(
            new Event.Heartbeat(Json.string("half way")), new Event.Heartbeat(Json.NULL));
  }

  // ---- time limits ----

  @Test
  void anAttemptThatTakesTooLongIsInterruptedAndTriedAgain() {
    AtomicInteger interrupted = new AtomicInteger();
    Task<String, String> slow =
        task(
                (context, in) -> {
                  if (context.attempt() == 1) {
                    try {
                      new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                      interrupted.incrementAndGet();
                      throw e;
                    }
                  }
                  return "in time";
                })
            .retry(Retry.fixed(2, ofMillis(1)).timeout(ofMillis(300)));
    Pawl pawl = working(slow);
    RunHandle<String> run = pawl.start(slow, "in");
    assertThat(run.result(SOON)).isEqualTo("in time");
    Await.until("the first attempt was interrupted", () -> interrupted.get() == 1);
    assertThat(events(run, Event.Retried.class).get(0).failure().code()).isEqualTo("TIMEOUT");
  }

  @Test
  void aHandlerThatIgnoresInterruptsDoesNotHoldTheTurn() {
    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger deaf = new AtomicInteger();
    Task<String, String> stubborn =
        task(
                (context, in) -> {
                  while (!ended.get()) {
                    Await.until("somebody ends it", () -> ended.get() || Thread.interrupted());
                  }
                  deaf.incrementAndGet();
                  return "?";
                })
            .retry(Retry.fixed(2, ofMillis(1)).timeout(ofMillis(50)));
    Pawl pawl = engine(stubborn);
    Worker worker = pawl.work(patient());
    RunHandle<String> run = pawl.start(stubborn, "in");
    assertThat(failure(run).code()).isEqualTo("TIMEOUT");
    Await.until("the room is free again", () -> worker.busy() == 0);
    assertThat(deaf).hasValue(0);
    ended.set(true);
    Await.until("both have ended", () -> deaf.get() == 2);
    assertThat(run(run.id()).status()).isEqualTo(Status.FAILED);
    check(run);
  }

  @Test
  void aRunThatMayNotTakeLongerIsNotTriedAgain() {
    Task<String, String> slow =
        task(
                (context, in) -> {
                  new CountDownLatch(1).await();
                  return "?";
                })
            .retry(Retry.fixed(100, ofMillis(1)));
    Pawl pawl = working(slow);
    RunHandle<String> run = pawl.start(slow, "in", o -> o.maxDuration(ofMillis(100)));
    Failure failure = failure(run);
    assertThat(failure.code()).isEqualTo("TIMEOUT");
    assertThat(run(run.id()).attempt()).isLessThanOrEqualTo(3);
  }

  // ---- cancel ----

  @Test
  void aCancelInterruptsARunningTask() {
    CountDownLatch started = new CountDownLatch(1);
    AtomicBoolean told = new AtomicBoolean();
    Task<String, String> waiting =
        task((context, in) -> {
          started.countDown();
          try {
            new CountDownLatch(1).await();
            return "?";
          } catch (InterruptedException e) {
            told.set(context.isCancelled());
            throw e;
          }
        });
    Pawl pawl = engine(waiting);
    pawl.work(w -> patient().apply(w).lease(ofMillis(300)));
    RunHandle<String> run = pawl.start(waiting, "in");
    Await.open("it has started", started);
    assertThat(run.cancel("enough").status()).isEqualTo(Status.RUNNING);
    assertThatThrownBy(() -> run.result(SOON))
        .isInstanceOf(CancelledException.class)
        .hasMessageContaining("enough");
    assertThat(told).isTrue();
    assertThat(run(run.id()).attempt()).isEqualTo(1);
    check(run);
  }

  @Test
  void aTaskThatEndsInSpiteOfACancelHasEnded() {
    CountDownLatch started = new CountDownLatch(1);
    Task<String, String> deaf =
        task((context, in) -> {
          started.countDown();
          Await.until("it is cancelled", context::isCancelled);
          return "done anyway";
        });
    Pawl pawl = engine(deaf);
    pawl.work(w -> patient().apply(w).lease(ofMillis(300)));
    RunHandle<String> run = pawl.start(deaf, "in");
    Await.open("it has started", started);
    run.cancel("enough");
    assertThat(run.result(SOON)).isEqualTo("done anyway");
    check(run);
  }

  @Test
  void aRunCancelledBeforeItBeginsIsNeverCarriedOut() {
    Task<String, Void> never = Task.of(TYPE, String.class, done::add);
    Pawl pawl = working(never);
    RunHandle<Void> run = pawl.start(never, "in", o -> o.delay(ofHours(1)));
    assertThat(run.cancel("no need").status()).isEqualTo(Status.CANCELLED);
    assertThatThrownBy(() -> run.result(SOON)).isInstanceOf(CancelledException.class);
    assertThatThrownBy(() -> run.cancel("again")).hasMessageContaining("it has ended");
    assertThat(done).isEmpty();
    check(run);
  }

  @Test
  void aCancelBetweenTwoAttemptsEndsTheRun() {
    Task<String, String> failing =
        task(
                (context, in) -> {
                  throw new IllegalStateException("again");
                })
            .retry(Retry.fixed(10, ofHours(1)));
    Pawl pawl = working(failing);
    RunHandle<String> run = pawl.start(failing, "in");
    Await.until("it waits for its retry", () -> !events(run, Event.Retried.class).isEmpty());
    assertThat(run.cancel("enough").status()).isEqualTo(Status.CANCELLED);
    check(run);
  }
}
