package dev.pawl.testkit;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.StartOptions;
import dev.pawl.flow.FlowContext;
import dev.pawl.flow.StepContext;
import dev.pawl.json.JsonCodec;
import dev.pawl.log.RunId;
import dev.pawl.store.Definition;
import dev.pawl.work.DefinedProgram;
import dev.pawl.work.RunType;
import dev.pawl.work.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Pawl in a test: everything in memory, time that passes when the test says so, stubs for steps and
 * for whole types.
 *
 * <pre>{@code
 * try (PawlTest pawl = PawlTest.of(TRIAL)) {
 *   pawl.stubStep("mail", () -> null);
 *   var run = pawl.start(TRIAL, "ada");
 *   pawl.advance(ofDays(29));
 *   run.signal("cancel", null);
 *   assertThat(pawl.result(run)).isEqualTo("cancelled");
 *   pawl.log(run).assertSteps("mail").assertSucceeded();
 * }
 * }</pre>
 *
 * <p>Needs no test framework. For one thread, the test's own.
 */
public final class PawlTest implements AutoCloseable {
  private static final Duration LEASE = Duration.ofSeconds(1);

  private final List<RunType<?, ?>> types = new ArrayList<>();
  private final List<Supplier<DefinedProgram>> kinds = new ArrayList<>();
  private final Map<String, FlowContext.KeyedBody<?>> stubs = new ConcurrentHashMap<>();
  private final Stage stage = new Stage(this::register, LEASE);
  private Stage.@Nullable Life life;
  private boolean replaying;

  private PawlTest(List<RunType<?, ?>> types) {
    this.types.addAll(types);
  }

  /** For tests of these types. */
  public static PawlTest of(RunType<?, ?>... types) {
    return new PawlTest(List.of(types));
  }

  // ---- before the first run ----

  /** Adds a kind of program whose sources are in the store, and sources: {@code Scripts::all}. */
  public PawlTest with(Supplier<DefinedProgram> kind, Definition... sources) {
    beforeTheFirstRun("a kind of program");
    kinds.add(kind);
    List.of(sources).forEach(stage.outside()::deploy);
    return this;
  }

  /**
   * Kills the worker after each of its commits, so that the code of flows is run again from the top
   * after every step. Code that is not deterministic is then found out at once: what it asks for is
   * not what is on record. Each replay takes a second of the store's time.
   */
  public PawlTest replayEveryStep() {
    beforeTheFirstRun("replaying");
    replaying = true;
    return this;
  }

  /** Has something else run in place of the body of every step of this name. */
  public PawlTest stubStep(String name, FlowContext.Body<?> instead) {
    return stubStep(name, (StepContext step) -> instead.run());
  }

  /** As {@link #stubStep(String, FlowContext.Body)}, told about the step. */
  public PawlTest stubStep(String name, FlowContext.KeyedBody<?> instead) {
    stubs.put(name, instead);
    return this;
  }

  /** Puts a task in the place of a type: what calls it does not notice. */
  public <I, O> PawlTest stub(RunType<I, O> type, Task.Function<I, O> instead) {
    return stub(
        Task.define(type.type(), type.input(), type.output(), (c, in) -> instead.apply(in))
            .retry(type.retry()));
  }

  /** As {@link #stub(RunType, Task.Function)}, of a type known by name only. */
  public PawlTest stub(Task<?, ?> instead) {
    beforeTheFirstRun("a stub");
    types.removeIf(type -> type.type().equals(instead.type()));
    types.add(instead);
    return this;
  }

  private void beforeTheFirstRun(String what) {
    if (life != null) {
      throw new IllegalStateException(what + " was asked for after the first run had started");
    }
  }

  private Set<String> register(Pawl process) {
    Set<String> names = new HashSet<>();
    for (RunType<?, ?> type : types) {
      process.register(
          type instanceof dev.pawl.flow.Flow<?, ?> flow ? flow.around(this::body) : type);
      names.add(type.type());
    }
    kinds.forEach(kind -> process.register(kind.get()));
    return names;
  }

  private @Nullable Object body(String step, StepContext context, FlowContext.KeyedBody<?> body)
      throws Exception {
    FlowContext.KeyedBody<?> instead = stubs.getOrDefault(step, body);
    return instead.run(context);
  }

  // ---- runs ----

  /** Starts a run. It goes as far as it can without time passing or a message. */
  public <I, O> RunHandle<O> start(RunType<I, O> type, @Nullable I input) {
    return start(type, input, UnaryOperator.identity());
  }

  /** As {@link #start(RunType, Object)}, with options. */
  public <I, O> RunHandle<O> start(
      RunType<I, O> type, @Nullable I input, UnaryOperator<StartOptions> options) {
    RunHandle<O> run = stage.outside().start(type, input, options);
    settle();
    return run;
  }

  /** Starts a run of a type known by name only. */
  public RunHandle<dev.pawl.json.Json> start(String type, @Nullable Object input) {
    RunHandle<dev.pawl.json.Json> run =
        stage.outside().start(type, JsonCodec.encode(input), UnaryOperator.identity());
    settle();
    return run;
  }

  /** Sends a signal to a run, and lets happen what follows. */
  public void signal(RunHandle<?> run, String name, @Nullable Object value) {
    run.signal(name, value);
    settle();
  }

  /** Emits an event, and lets happen what follows. */
  public void emit(String topic, @Nullable Object value) {
    stage.outside().emit(topic, value);
    settle();
  }

  /** Lets time pass. Whatever falls due meanwhile is done at its time, one after the other. */
  public void advance(Duration time) {
    Instant end = clock().instant().plus(time);
    settle();
    while (life().passTime(end)) {
      settle();
    }
    if (clock().instant().isBefore(end)) {
      clock().set(end);
    }
    life().door().nudge();
    settle();
  }

  /**
   * Lets time pass until the run has ended, and returns its result.
   *
   * @throws AssertionError with the reason, if it does not end however much time passes
   * @throws dev.pawl.work.FailedException if it failed
   * @throws dev.pawl.work.CancelledException if it was cancelled
   */
  public <O> @Nullable O result(RunHandle<O> run) {
    settle();
    while (!run.run().status().isTerminal()) {
      if (!life().passTime(Instant.MAX)) {
        throw new AssertionError("the run does not end: " + stage.whyNot(run.id()) + stage.logs());
      }
      settle();
    }
    return run.result();
  }

  /** Lets happen whatever can happen without time passing or another message. */
  public void settle() {
    while (life().settle() == Stage.Standing.DEAD) {
      life().close();
      life = null;
    }
  }

  private Stage.Life life() {
    Stage.Life present = life;
    if (present == null) {
      present =
          stage.enter(door -> replaying ? door.dieAt(1, MortalStore.Death.AFTER_THE_COMMIT) : door);
      life = present;
    }
    return present;
  }

  // ---- looking ----

  /** The run's log as it stands. */
  public RunLog log(RunHandle<?> run) {
    return log(run.id());
  }

  public RunLog log(RunId run) {
    return new RunLog(stage.outside().log(run));
  }

  /** The time. Moving it by hand does nothing by itself; {@link #advance} does. */
  public ManualClock clock() {
    return stage.clock();
  }

  /** The engine as producers and operators see it. */
  public Pawl pawl() {
    return stage.outside();
  }

  @Override
  public void close() {
    if (life != null) {
      life.close();
    }
    stage.close();
  }
}
