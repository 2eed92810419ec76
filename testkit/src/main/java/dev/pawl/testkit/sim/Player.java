package dev.pawl.testkit.sim;

import dev.pawl.flow.Flow;
import dev.pawl.flow.FlowContext;
import dev.pawl.flow.Promise;
import dev.pawl.flow.Settled;
import dev.pawl.flow.StepContext;
import dev.pawl.json.Json;
import dev.pawl.json.JsonType;
import dev.pawl.log.Failure;
import dev.pawl.log.RunId;
import dev.pawl.work.CancelledException;
import dev.pawl.work.FailedException;
import dev.pawl.work.Retry;
import dev.pawl.work.RunType;
import dev.pawl.work.Task;
import dev.pawl.work.TaskContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A flow that carries out plans, on one host, and the place where other programs do. What bodies do
 * is told to the ledger.
 */
final class Player implements Site {
  private static final long MILLI = 1_000_000;

  private final Episode episode;
  private final Host host;
  private final Flow<Part, String> flow;
  private final Task<Work, String> task;

  Player(Episode episode, Host host) {
    this.episode = episode;
    this.host = host;
    this.flow =
        Flow.define(Cast.FLOW, Part.class, String.class, this::play)
            .retry(Retry.fixed(Cast.ATTEMPTS, Cast.WAIT).unless(FailedException.class));
    this.task =
        Task.define(Cast.TASK, Work.class, String.class, this::work)
            .retry(Retry.fixed(Cast.ATTEMPTS, Cast.WAIT));
  }

  Flow<Part, String> flow() {
    return flow;
  }

  Task<Work, String> task() {
    return task;
  }

  /** What a task is given: what to return, and how often to fail before. */
  record Work(String result, int failures) {}

  @Override
  public void began(RunId run, String node, int attempt) {
    episode.ledger().nodeBegan(host, run, node, attempt);
  }

  @Override
  public void work(int usualMillis) throws InterruptedException {
    sleepNanos(episode.workMillis(usualMillis) * MILLI);
  }

  @Override
  public void sleep(int millis) throws InterruptedException {
    sleepNanos(millis * MILLI);
  }

  private void sleepNanos(long nanos) throws InterruptedException {
    host.sleep(nanos);
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted at work");
    }
  }

  private String work(TaskContext ctx, Work work) {
    episode.ledger().began(host, ctx.run(), ctx.attempt(), new StepContext("", 1), work.result());
    ctx.heartbeat(ctx.attempt());
    host.sleep(episode.workMillis(100) * MILLI);
    if (ctx.attempt() <= work.failures()) {
      throw new IllegalStateException("attempt " + ctx.attempt() + " is to fail");
    }
    return work.result();
  }

  private String play(FlowContext ctx, Part part) {
    Plan plan = episode.plan(part.plan());
    List<String> results = new ArrayList<>();
    for (int i = 0; i < plan.acts().size(); i++) {
      results.add(new Scene(ctx, part, plan.id() + "-" + i).play(plan.acts().get(i)));
    }
    return "p" + plan.id() + "<" + String.join(",", results) + ">";
  }

  /** One act of one run. */
  private final class Scene {
    private final FlowContext ctx;
    private final Part part;
    private final String name;

    Scene(FlowContext ctx, Part part, String name) {
      this.ctx = ctx;
      this.part = part;
      this.name = name;
    }

    String play(Plan.Act act) {
      return switch (act) {
        case Plan.Act.Step step -> step("s" + name, step);
        case Plan.Act.Hopeless hopeless -> hopeless(hopeless.caught());
        case Plan.Act.Limited limited -> limited();
        case Plan.Act.Job job -> text(ctx.call(task, new Work("j" + name, job.failures())));
        case Plan.Act.Parallel parallel -> parallel(parallel.steps());
        case Plan.Act.Items items -> items(items);
        case Plan.Act.Sleep sleep -> sleep(sleep.millis());
        case Plan.Act.Call call -> call(call.child(), call.caught());
        case Plan.Act.Fan fan -> fan(fan);
        case Plan.Act.Spawn spawn -> {
          ctx.spawn(type(spawn.child()), new Part(spawn.child().id(), ""));
          yield "w";
        }
        case Plan.Act.Ask ask -> ask(ask.child());
        case Plan.Act.Tell tell -> tell();
        case Plan.Act.Signal signal -> text(ctx.awaitSignal("g" + name, String.class));
        case Plan.Act.SignalOr signal -> signalOr(signal.millis());
        case Plan.Act.SignalRace signal -> signalRace(signal.millis());
        case Plan.Act.Topic topic -> text(ctx.awaitEvent("t" + topic.topic(), String.class));
        case Plan.Act.Emit emit -> {
          ctx.emit("t" + emit.topic(), "e" + name);
          yield "m";
        }
        case Plan.Act.Recorded recorded -> recorded();
        case Plan.Act.Undo undo -> {
          ctx.onFailure("undo" + name, () -> work("undo" + name, 5));
          yield "u";
        }
        case Plan.Act.Stumble stumble -> stumble();
        case Plan.Act.Fail fail -> throw FailedException.permanent("PLANNED", "as planned");
      };
    }

    private String step(String key, Plan.Act.Step step) {
      Retry retry = Retry.fixed(Cast.ATTEMPTS, Duration.ofMillis(step.backoffMillis()));
      return text(
          ctx.step(
              key,
              String.class,
              retry,
              body -> {
                began(key, body);
                work(key, step.takesMillis());
                if (body.attempt() <= step.failures()) {
                  throw new IllegalStateException("attempt " + body.attempt() + " is to fail");
                }
                return key;
              }));
    }

    private void began(String key, StepContext body) {
      episode.ledger().began(host, ctx.run(), ctx.attempt(), body, key);
    }

    private String hopeless(boolean caught) {
      try {
        ctx.step(
            "x" + name,
            Retry.fixed(2, Duration.ofMillis(50)),
            body -> {
              began("x" + name, body);
              throw new IllegalStateException("hopeless");
            });
        return "impossible";
      } catch (CancelledException e) {
        throw e;
      } catch (FailedException e) {
        if (caught) {
          return "x";
        }
        throw e;
      }
    }

    private String limited() {
      String key = "l" + name;
      return text(
          ctx.step(
              key,
              String.class,
              Retry.fixed(Cast.ATTEMPTS, Duration.ofMillis(100)).timeout(Duration.ofSeconds(10)),
              body -> {
                began(key, body);
                host.sleep((body.attempt() == 1 ? 15_000 : 10) * MILLI);
                return key;
              }));
    }

    private String parallel(int steps) {
      List<Promise<String>> all = new ArrayList<>();
      for (int i = 0; i < steps; i++) {
        String key = "a" + name + "-" + i;
        all.add(
            ctx.stepAsync(
                key,
                JsonType.of(String.class),
                Retry.fixed(Cast.ATTEMPTS, Duration.ofMillis(100)),
                body -> {
                  began(key, body);
                  work(key, 100);
                  return key;
                }));
      }
      return String.join(",", Objects.requireNonNull(ctx.all(all).await()));
    }

    private String items(Plan.Act.Items items) {
      List<Integer> numbers = new ArrayList<>();
      for (int i = 0; i < items.items(); i++) {
        numbers.add(i);
      }
      List<String> results =
          ctx.map(
              "i" + name,
              numbers,
              items.parallel(),
              String.class,
              number -> {
                work("i" + name, 50);
                return "i" + name + "-" + number;
              });
      return String.join(",", results);
    }

    private String sleep(int millis) {
      String place = ctx.run() + "/" + name;
      episode.ledger().asks(place);
      ctx.sleep(Duration.ofMillis(millis));
      episode.ledger().slept(ctx.run(), place, millis);
      return "z";
    }

    private String call(Plan child, boolean caught) {
      try {
        return Cast.text(ctx.call(type(child), new Part(child.id(), "")));
      } catch (FailedException e) {
        if (caught && isChilds(e.failure())) {
          return "f";
        }
        throw e;
      }
    }

    private RunType<Part, Json> type(Plan child) {
      return episode.cast().type(child);
    }

    private static boolean isChilds(Failure failure) {
      return !failure.code().equals("CANCELLED");
    }

    private String fan(Plan.Act.Fan fan) {
      List<Promise<Json>> children = new ArrayList<>();
      for (Plan child : fan.children()) {
        children.add(ctx.child(type(child), new Part(child.id(), "")));
      }
      return switch (fan.mode()) {
        case ALL -> all(Objects.requireNonNull(ctx.all(children).await()));
        case ANY -> Cast.text(ctx.any(children).await());
        case RACE -> Cast.text(ctx.race(children).await());
        case SETTLED -> settled(Objects.requireNonNull(ctx.allSettled(children).await()));
      };
    }

    private static String all(List<Json> results) {
      return String.join(",", results.stream().map(Cast::text).toList());
    }

    private static String settled(List<Settled<Json>> all) {
      return String.join(
          ",",
          all.stream()
              .map(one ->
                  switch (one) {
                    case Settled.Fulfilled<Json> good -> Cast.text(good.value());
                    case Settled.Rejected<Json> bad -> "f";
                  })
              .toList());
    }

    private String ask(Plan child) {
      Part its = new Part(child.id(), ctx.run() + " h" + name);
      Promise<Json> promise = ctx.child(type(child), its);
      String told = text(ctx.awaitSignal("h" + name, String.class));
      return told + "," + Cast.text(promise.await());
    }

    private String tell() {
      int space = part.parent().indexOf(' ');
      if (space > 0) {
        String name = part.parent().substring(space + 1);
        ctx.send(RunId.parse(part.parent().substring(0, space)), name, "v" + name.substring(1));
      }
      return "t";
    }

    private String signalOr(int millis) {
      Optional<String> value = ctx.pollSignal("g" + name, String.class, Duration.ofMillis(millis));
      return value.orElse("late");
    }

    private String signalRace(int millis) {
      Promise<String> signal = ctx.signal("g" + name, String.class);
      Promise<Void> timer = ctx.timer(Duration.ofMillis(millis));
      Object first = ctx.race(List.of(signal, timer)).await();
      return first instanceof String value ? value : text(signal.await());
    }

    private String recorded() {
      String seen = ctx.now() + " " + ctx.random() + " " + ctx.uuid();
      ctx.log("seen " + name);
      ctx.step("r" + name, () -> episode.ledger().same(ctx.run(), name, seen));
      return "r";
    }

    private String stumble() {
      if (ctx.attempt() == 1) {
        throw new IllegalStateException("the first attempt is to fail");
      }
      return "y";
    }

    private void work(String key, int millis) throws InterruptedException {
      host.sleep(episode.workMillis(millis) * MILLI);
      if (Thread.interrupted()) {
        throw new InterruptedException(key);
      }
    }

    private static String text(@org.jspecify.annotations.Nullable String value) {
      return String.valueOf(value);
    }
  }
}
