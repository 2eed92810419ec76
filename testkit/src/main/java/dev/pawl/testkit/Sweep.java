package dev.pawl.testkit;

import dev.pawl.Pawl;
import dev.pawl.StartOptions;
import dev.pawl.doctor.Doctor;
import dev.pawl.doctor.Violation;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.log.Event;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.RunId;
import dev.pawl.store.Definition;
import dev.pawl.work.DefinedProgram;
import dev.pawl.work.Retry;
import dev.pawl.work.RunType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A crash sweep being prepared: what is started, with what input, what happens outside meanwhile.
 * Made by {@link CrashSweep#of}. {@link #run} then plays it once undisturbed and once for every
 * place at which a process can die.
 *
 * @param <I> the input of the run that it is about
 */
public final class Sweep<I> {
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final String type;
  private final int maxAttempts;
  private final List<Function<Effects, ? extends RunType<?, ?>>> types = new ArrayList<>();
  private final List<Supplier<DefinedProgram>> kinds = new ArrayList<>();
  private final List<Definition> definitions = new ArrayList<>();
  private final Set<String> tolerated = new HashSet<>();
  private Json input = Json.NULL;
  private UnaryOperator<StartOptions> options = UnaryOperator.identity();
  private BiConsumer<Pawl, RunId> outside = (pawl, run) -> {};
  private Function<Json, String> view = Json::text;
  private Duration lease = LEASE;

  Sweep(String type, Retry retry) {
    this.type = type;
    this.maxAttempts = retry.maxAttempts();
  }

  /** What goes in. */
  public Sweep<I> input(@Nullable I value) {
    input = JsonCodec.encode(value);
    return this;
  }

  /** Other types that are needed: tasks and flows that it calls. */
  public Sweep<I> with(RunType<?, ?>... others) {
    for (RunType<?, ?> other : others) {
      types.add(effects -> other);
    }
    return this;
  }

  /** As {@link #with(RunType...)}, of a type whose fakes note effects. */
  public Sweep<I> with(Function<Effects, ? extends RunType<?, ?>> other) {
    types.add(other);
    return this;
  }

  /** A kind of program whose sources are in the store: {@code Scripts::all}. */
  public Sweep<I> with(Supplier<DefinedProgram> kind, Definition... sources) {
    kinds.add(kind);
    definitions.addAll(List.of(sources));
    return this;
  }

  /** Sources to keep in the store as well, of a kind that is known. */
  public Sweep<I> deploying(Definition... sources) {
    definitions.addAll(List.of(sources));
    return this;
  }

  /** How the run is started. */
  public Sweep<I> start(UnaryOperator<StartOptions> chosen) {
    options = chosen;
    return this;
  }

  /** What comes from outside once the run is started: signals, events, other runs. */
  public Sweep<I> afterStart(BiConsumer<Pawl, RunId> happenings) {
    outside = happenings;
    return this;
  }

  /** What of the result must be the same every time; all of it, unless you say otherwise. */
  public Sweep<I> comparing(Function<Json, String> part) {
    view = part;
    return this;
  }

  /** Steps that may return something else when they run again, such as a new offer. */
  public Sweep<I> tolerate(String... steps) {
    tolerated.addAll(List.of(steps));
    return this;
  }

  /** How long the runs of a dead process stay its own; 30 seconds unless you say otherwise. */
  public Sweep<I> lease(Duration length) {
    lease = length;
    return this;
  }

  /** Plays it, kill by kill. */
  public CrashReport run() {
    Play first = play(Optional.empty());
    List<Play> kills = new ArrayList<>();
    for (int number = 1; number <= first.commits().size(); number++) {
      String what = first.commits().get(number - 1);
      if (!what.equals(Commits.CLAIM)) {
        kills.add(play(Optional.of(new Kill(number, what, MortalStore.Death.BEFORE_THE_COMMIT))));
      }
      kills.add(play(Optional.of(new Kill(number, what, MortalStore.Death.AFTER_THE_COMMIT))));
    }
    return new Judge(type, view, tolerated).judge(first, kills);
  }

  /** Where a process dies. */
  record Kill(int commit, String what, MortalStore.Death how) {
    @Override
    public String toString() {
      String when = how == MortalStore.Death.BEFORE_THE_COMMIT ? "before" : "after";
      return "killed " + when + " commit " + commit + " (" + what + ")";
    }
  }

  /** What came of one time. */
  record Play(
      Optional<Kill> kill,
      boolean killed,
      Optional<Event.Terminal> end,
      String trouble,
      List<String> commits,
      List<StepWatch.BodyRun> bodies,
      Effects effects,
      List<Violation> violations) {}

  private Play play(Optional<Kill> kill) {
    Effects effects = new Effects();
    StepWatch watch = new StepWatch();
    try (Stage stage = new Stage(process -> register(process, effects, watch), lease)) {
      definitions.forEach(stage.outside()::deploy);
      RunId run =
          stage.outside().start(type, input, o -> options.apply(o.maxAttempts(maxAttempts))).id();
      outside.accept(stage.outside(), run);
      List<String> commits = new ArrayList<>();
      boolean killed = live(stage, kill, commits);
      if (killed) {
        live(stage, Optional.empty(), commits);
      }
      return told(stage, run, kill, killed, commits, watch, effects);
    }
  }

  private Set<String> register(Pawl process, Effects effects, StepWatch watch) {
    Set<String> names = new HashSet<>();
    for (Function<Effects, ? extends RunType<?, ?>> made : types) {
      RunType<?, ?> each = made.apply(effects);
      process.register(watch.watch(each));
      names.add(each.type());
    }
    kinds.forEach(kind -> process.register(kind.get()));
    return names;
  }

  /** One life of a process, to the end of the play or its own; true if it died. */
  private static boolean live(Stage stage, Optional<Kill> kill, List<String> commits) {
    try (Stage.Life life =
        stage.enter(door -> {
          kill.ifPresent(fate -> door.dieAt(fate.commit(), fate.how()));
          return door.countClaims();
        })) {
      Stage.Standing standing = life.settle();
      while (standing == Stage.Standing.STILL && life.passTime(Instant.MAX)) {
        standing = life.settle();
      }
      life.door().commits().forEach(commit -> commits.add(Commits.describe(commit)));
      return standing == Stage.Standing.DEAD;
    }
  }

  private static Play told(
      Stage stage,
      RunId run,
      Optional<Kill> kill,
      boolean killed,
      List<String> commits,
      StepWatch watch,
      Effects effects) {
    List<StepWatch.BodyRun> bodies = new ArrayList<>(watch.bodies());
    List<Violation> violations = new ArrayList<>();
    Doctor.check(stage.store(), violations::add);
    Optional<Event.Terminal> end = Optional.empty();
    for (var entry : stage.outside().log(run)) {
      if (entry.event() instanceof Event.Terminal terminal) {
        end = Optional.of(terminal);
      } else if (entry.event() instanceof NodeEvent.Started started) {
        String label = "node " + started.node();
        bodies.add(new StepWatch.BodyRun(label, label, Optional.empty()));
      }
    }
    String trouble = end.isPresent() ? "" : stage.whyNot(run);
    return new Play(kill, killed, end, trouble, commits, bodies, effects, violations);
  }
}
