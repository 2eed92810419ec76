package dev.pawl.flow;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Routes;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.CrashSweep;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.work.CancelledException;
import dev.pawl.work.FailedException;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import dev.pawl.work.TimedOutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flows end the same way, whenever their process is killed. */
@Timeout(120)
class FlowCrashTest {
  private static final String TYPE = "crash.story.v1";
  private static final String SINK = "crash.sink.v1";

  private static final Task<Integer, Integer> SQUARE =
      Task.of("crash.square.v1", Integer.class, Integer.class, n -> n * n);
  private static final Flow<String, String> CHILD =
      Flow.define(
          "crash.child.v1",
          String.class,
          String.class,
          (ctx, in) -> {
            String half = ctx.step("half", String.class, () -> in + "/");
            ctx.sleep(ofMinutes(5));
            return half + ctx.step("whole", String.class, () -> in);
          });

  private final CrashSweep sweep = new CrashSweep(MemoryStore::new);

  /** A story of one flow, with a bystander who gets its messages. */
  private abstract static class FlowStory implements CrashSweep.Story {
    final AtomicReference<Pawl> door = new AtomicReference<>();
    final ConcurrentHashMap<String, AtomicInteger> bodies = new ConcurrentHashMap<>();
    RunId sink = StoreFixture.newRun(SINK).id();

    abstract String code(FlowContext ctx, String in) throws Exception;

    abstract void outcome(Pawl outside, Run run);

    void provoke(Pawl outside, RunId run) {}

    /** Counts how often a body has run. */
    <T> T body(String name, T value) {
      bodies.computeIfAbsent(name, key -> new AtomicInteger()).incrementAndGet();
      return value;
    }

    @Override
    public void register(Pawl process) {
      process
          .register(SQUARE)
          .register(CHILD)
          .register(Flow.define(TYPE, String.class, String.class, this::code));
    }

    @Override
    public RunId begin(Pawl outside) {
      door.set(outside);
      bodies.clear();
      sink = listeningSink(outside);
      RunId run = outside.start(TYPE, Json.string("in"), o -> o.key("story").maxAttempts(100)).id();
      provoke(outside, run);
      return run;
    }

    /** A run that nobody carries out, and that waits for what the flow sends and emits. */
    private static RunId listeningSink(Pawl outside) {
      Command.Claimant by = new Command.Claimant("sink", ofDays(1), 1);
      Outcome.Started started =
          (Outcome.Started)
              outside
                  .commits()
                  .commit(new Command.Start(StoreFixture.newRun(SINK), Optional.of(by)));
      Activation held = started.activation().orElseThrow();
      Event waiting =
          new Event.Suspended(
              Optional.empty(), List.of(new Wait.Topic(0, "out", 0)), 1, false, Json.NULL);
      outside
          .commits()
          .commit(
              new Command.Advance(
                  held.run().id(), held.run().epoch(), held.seq() + 1, 0, List.of(waiting)));
      return held.run().id();
    }

    /** Everything the flow has sent to the sink or emitted. */
    List<String> sunk(Pawl outside) {
      Command.Claimant by = new Command.Claimant("sink", ofDays(1), 2);
      Outcome.Claimed claimed =
          (Outcome.Claimed) outside.commits().commit(new Command.Claim(by, Routes.of(SINK), 1));
      return claimed.activations().stream()
          .flatMap(activation -> activation.mail().stream())
          .map(FlowStory::text)
          .toList();
    }

    private static String text(Mail mail) {
      return switch (mail) {
        case Mail.Signal signal -> signal.name() + "=" + signal.value().text();
        case Mail.Topic event -> event.topic() + "=" + event.value().text();
        default -> mail.toString();
      };
    }

    @Override
    public boolean isOver(Pawl outside) {
      return outside.list(Query.all().withLimit(Query.MAX_LIMIT)).stream()
          .allMatch(run -> run.status().isTerminal() || run.type().equals(SINK));
    }

    @Override
    public void check(Pawl outside, Run run) {
      outcome(outside, run);
    }

    static String result(Run run) {
      return Objects.requireNonNull(JsonCodec.decode(run.result().orElseThrow(), String.class));
    }

    static List<String> steps(Pawl outside, Run run) {
      List<String> names = new ArrayList<>();
      for (Entry entry : outside.log(run.id())) {
        if (entry.event() instanceof Event.StepCompleted done) {
          names.add(done.name());
        }
      }
      return names;
    }
  }

  /** A bit of everything that ends well. */
  private static class RichStory extends FlowStory {
    private final int crashes;

    RichStory(int crashes) {
      this.crashes = crashes;
    }

    @Override
    void provoke(Pawl outside, RunId run) {
      outside.signal(run, "go", "signalled");
      outside.emit("news", "emitted");
    }

    @Override
    String code(FlowContext ctx, String in) {
      List<Object> seen = new ArrayList<>();
      seen.add(ctx.step("a", String.class, () -> body("a", "A")));
      ctx.log("a line");
      String chance = ctx.now() + " " + ctx.random() + " " + ctx.uuid();
      Promise<String> left = ctx.stepAsync("left", String.class, () -> body("left", "L"));
      Promise<String> right = ctx.stepAsync("right", String.class, () -> body("right", "R"));
      seen.add(ctx.<String>all(List.of(left, right)).await());
      seen.add(ctx.map("m", List.of(1, 2, 3, 4, 5), 2, Integer.class, n -> body("m" + n, n * 10)));
      Promise<Integer> square = ctx.child(SQUARE, 7, o -> o.maxAttempts(100));
      Promise<String> child = ctx.child(CHILD, "c", o -> o.maxAttempts(100));
      seen.add(ctx.all(List.of(square, child)).await());
      ctx.spawn(SQUARE.retry(Retry.fixed(100, ofMillis(1))), 8);
      ctx.sleep(ofHours(3));
      seen.add(ctx.awaitSignal("go", String.class));
      seen.add(ctx.awaitEvent("news", String.class));
      seen.add(ctx.pollSignal("silence", String.class, ofMinutes(5)));
      seen.add(ctx.step("flaky", String.class, Retry.fixed(3, ofMinutes(1)), s -> flaky(s)));
      seen.add(ctx.step("brief", String.class, Retry.fixed(3, ofMillis(1)), s -> flaky(s)));
      seen.add(failure(ctx));
      ctx.send(sink, "sent", "by " + in);
      ctx.emit("out", "by " + in);
      seen.add(
          ctx.race(
                  List.of(
                      ctx.timer(ofDays(100_000)), ctx.child(SQUARE, 3, o -> o.maxAttempts(100))))
              .await());
      String again = ctx.step("chance", String.class, () -> chance);
      seen.add(again != null && again.equals(chance));
      return seen.toString();
    }

    private static String flaky(StepContext step) {
      if (step.attempt() == 1) {
        throw new IllegalStateException("not yet");
      }
      return "at " + step.attempt();
    }

    private static String failure(FlowContext ctx) {
      try {
        ctx.step(
            "bad",
            Retry.none(),
            s -> {
              throw new IllegalArgumentException("bad");
            });
        return "?";
      } catch (FailedException e) {
        return e.failure().message();
      }
    }

    @Override
    void outcome(Pawl outside, Run run) {
      assertThat(run.status()).isEqualTo(Status.SUCCEEDED);
      assertThat(result(run))
          .isEqualTo(
              "[A, [L, R], [10, 20, 30, 40, 50], [49, c/c], signalled, emitted, Optional.empty,"
                  + " at 2, at 2, bad, 9, true]");
      assertThat(sunk(outside)).containsExactlyInAnyOrder("sent=\"by in\"", "out=\"by in\"");
      assertThat(outside.list(Query.all().withParent(run.id()).withLimit(100)))
          .as("each child was started once")
          .hasSize(4);
      assertThat(bodies.values())
          .as("no body runs more than once per crash")
          .allMatch(n -> n.get() <= 1 + crashes);
    }
  }

  @Test
  void aRichFlowEndsTheSameWheneverItsProcessIsKilled() {
    assertThat(sweep.killAtEveryCheckpoint(new RichStory(1))).isGreaterThan(20);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aRichFlowEndsTheSameThoughEveryProcessDiesAfterAFewCheckpoints(int checkpoints) {
    assertThat(sweep.killAfterEvery(checkpoints, new RichStory(1000))).isGreaterThan(3);
  }

  @Test
  void compensationsRunOnceInReverseWheneverTheProcessIsKilled() {
    FlowStory story =
        new FlowStory() {
          @Override
          String code(FlowContext ctx, String in) {
            ctx.step("one", () -> {});
            ctx.onFailure("undo one", () -> {});
            ctx.call(CHILD, "c");
            ctx.onFailure("undo child", () -> {});
            ctx.onFailure(
                "cannot be undone",
                () -> {
                  throw FailedException.permanent("STUCK", "no way back");
                });
            ctx.step("two", () -> {});
            throw FailedException.permanent("BROKEN", "in the end");
          }

          @Override
          void outcome(Pawl outside, Run run) {
            assertThat(run.status()).isEqualTo(Status.FAILED);
            assertThat(run.lastError().orElseThrow().code()).isEqualTo("BROKEN");
            assertThat(steps(outside, run)).containsExactly("one", "two", "undo child", "undo one");
          }
        };
    assertThat(sweep.killAtEveryCheckpoint(story)).isGreaterThan(4);
  }

  @Test
  void aCancelledFlowCleansUpTheSameWheneverItsProcessIsKilled() {
    FlowStory story =
        new FlowStory() {
          @Override
          String code(FlowContext ctx, String in) {
            ctx.step("one", () -> {});
            ctx.onFailure("undo one", () -> {});
            try {
              ctx.step("ask", () -> cancel(door, ctx.run()));
              ctx.sleep(ofMinutes(1));
              ctx.step("never", () -> {});
              return "?";
            } catch (CancelledException e) {
              ctx.step("tidy", () -> {});
              ctx.sleep(ofMinutes(1));
              ctx.step("tidier", () -> {});
              throw e;
            }
          }

          @Override
          void outcome(Pawl outside, Run run) {
            assertThat(run.status()).isEqualTo(Status.CANCELLED);
            assertThat(steps(outside, run))
                .filteredOn(step -> !step.equals("ask"))
                .as("unless it was killed while asking, it is cancelled behind that step")
                .containsExactly("one", "tidy", "tidier", "undo one");
          }
        };
    assertThat(sweep.killAtEveryCheckpoint(story)).isGreaterThan(3);
  }

  @Test
  void aCancelNoticedBetweenTwoOperationsStrikesThereAgain() {
    FlowStory story =
        new FlowStory() {
          @Override
          String code(FlowContext ctx, String in) {
            ctx.step("one", () -> {});
            try {
              ctx.step("ask", () -> signalAndCancel(ctx.run()));
              ctx.awaitSignal("go", String.class);
              ctx.step("never", () -> {});
              return "?";
            } catch (CancelledException e) {
              ctx.step("tidy", () -> {});
              ctx.sleep(ofMinutes(1));
              ctx.step("tidier", () -> {});
              throw e;
            }
          }

          private void signalAndCancel(RunId run) {
            door.get().signal(run, "go", "!");
            cancel(door, run);
          }

          @Override
          void outcome(Pawl outside, Run run) {
            assertThat(run.status()).isEqualTo(Status.CANCELLED);
            assertThat(steps(outside, run))
                .filteredOn(step -> !step.equals("ask"))
                .containsExactly("one", "tidy", "tidier");
          }
        };
    assertThat(sweep.killAtEveryCheckpoint(story)).isGreaterThan(4);
  }

  private static void cancel(AtomicReference<Pawl> door, RunId run) {
    door.get().cancel(run, "enough");
  }

  @Test
  void aDeadlineStrikesAtTheSamePlaceWheneverTheProcessIsKilled() {
    FlowStory story =
        new FlowStory() {
          @Override
          public RunId begin(Pawl outside) {
            door.set(outside);
            return outside.start(TYPE, Json.string("in"), o -> o.maxDuration(ofDays(1000))).id();
          }

          @Override
          String code(FlowContext ctx, String in) {
            ctx.step("one", () -> {});
            try {
              ctx.awaitSignal("never", String.class);
              return "?";
            } catch (TimedOutException e) {
              ctx.step("late", () -> {});
              ctx.sleep(ofMinutes(1));
              return "late";
            }
          }

          @Override
          void outcome(Pawl outside, Run run) {
            assertThat(result(run)).isEqualTo("late");
            assertThat(steps(outside, run)).containsExactly("one", "late");
          }
        };
    assertThat(sweep.killAtEveryCheckpoint(story)).isGreaterThan(4);
  }
}
