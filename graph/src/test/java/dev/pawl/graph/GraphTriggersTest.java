package dev.pawl.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.Tree;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.CrashSweep;
import dev.pawl.testkit.Invariants;
import dev.pawl.testkit.ManualClock;
import dev.pawl.testkit.MortalStore;
import dev.pawl.work.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Triggers from end to end: what comes in, what goes out, and what a crash changes of it. */
@Timeout(60)
class GraphTriggersTest {
  private static final String TYPE = "test.trigger.v1";

  private static Graph graph(String trigger, Map<String, Object> properties) {
    return Graph.named("trigger")
        .node("trigger", trigger, properties)
        .node("out", "output")
        .edge("trigger.value", "out")
        .build();
  }

  private static final Graph SIGNAL = graph("trigger.signal", Map.of("name", "vote", "limit", 3));
  private static final Graph TOPIC = graph("trigger.topic", Map.of("topic", "news", "limit", 3));

  private static Pawl open(Store store, Graph graph) {
    Pawl pawl = Pawl.open(store);
    pawl.register(GraphType.of(TYPE, graph, Nodes.with()));
    return pawl;
  }

  private static Status status(Pawl pawl, RunId run) {
    return pawl.get(run).status();
  }

  private static List<?> out(Run run) {
    Json result = run.result().orElseThrow();
    return (List<?>) Objects.requireNonNull(Tree.read(result.member("out")));
  }

  // ---- signals and topics ----

  @Test
  void aSignalTriggerTakesSignalsOfItsNameInOrder() {
    try (Pawl pawl = open(new MemoryStore(Instant::now), SIGNAL)) {
      RunHandle<Json> run = pawl.start(TYPE, Json.EMPTY_OBJECT, o -> o);
      pawl.signal(run.id(), "vote", 1);
      pawl.signal(run.id(), "other", 9);
      pawl.work();
      Await.until("it waits", () -> status(pawl, run.id()) == Status.SUSPENDED);
      pawl.signal(run.id(), "vote", 2);
      pawl.signal(run.id(), "vote", 2);

      assertThat(run.result()).isEqualTo(Json.parse("{\"out\":[1,2,2]}"));
      Invariants.check(pawl.store());
    }
  }

  @Test
  void aTopicTriggerTakesWhatIsEmittedSinceTheRunBegan() {
    try (Pawl pawl = open(new MemoryStore(Instant::now), TOPIC)) {
      pawl.emit("news", "too early");
      RunHandle<Json> run = pawl.start(TYPE, Json.EMPTY_OBJECT, o -> o);
      pawl.emit("news", "one");
      pawl.emit("gossip", "of no interest");
      pawl.work();
      Await.until("it waits", () -> status(pawl, run.id()) == Status.SUSPENDED);
      pawl.emit("news", "two");
      pawl.emit("news", "three");

      assertThat(run.result()).isEqualTo(Json.parse("{\"out\":[\"one\",\"two\",\"three\"]}"));
      Invariants.check(pawl.store());
    }
  }

  @Test
  void twoTriggersOfOneTopicBothTakeItsEvents() {
    Graph two =
        Graph.named("two")
            .node("a", "trigger.topic", Map.of("topic", "news", "limit", 1))
            .node("b", "trigger.topic", Map.of("topic", "news", "limit", 2))
            .node("first", "output")
            .node("both", "output")
            .edge("a.value", "first")
            .edge("b.value", "both")
            .build();
    try (Pawl pawl = open(new MemoryStore(Instant::now), two)) {
      RunHandle<Json> run = pawl.start(TYPE, Json.EMPTY_OBJECT, o -> o);
      pawl.work();
      Await.until("it waits", () -> status(pawl, run.id()) == Status.SUSPENDED);
      pawl.emit("news", "one");
      pawl.emit("news", "two");

      assertThat(run.result())
          .isEqualTo(Json.parse("{\"first\":[\"one\"],\"both\":[\"one\",\"two\"]}"));
      Invariants.check(pawl.store());
    }
  }

  // ---- taken back ----

  @Test
  void aRewindDoesNotLoseWhatTriggersWereGiven() {
    for (Graph graph : List.of(SIGNAL, TOPIC, graph("trigger.manual", Map.of("limit", 3)))) {
      try (Pawl pawl = open(new MemoryStore(Instant::now), graph)) {
        RunHandle<Json> run = pawl.start(TYPE, Json.EMPTY_OBJECT, o -> o);
        pawl.work();
        give(pawl, run.id(), graph, 1);
        Await.until(
            "the first has got through",
            () -> status(pawl, run.id()) == Status.SUSPENDED && isStarted(pawl, run.id(), "out"));
        give(pawl, run.id(), graph, 2);
        Await.until(
            "the second is on record",
            () -> status(pawl, run.id()) == Status.SUSPENDED && inputs(pawl, run.id()) == 2);

        pawl.rewind(run.id(), "out");
        give(pawl, run.id(), graph, 3);

        Json all = Json.parse("{\"out\":[1,2,3]}");
        assertThat(pawl.handle(run.id()).result(Duration.ofSeconds(20))).isEqualTo(all);
        pawl.rewind(run.id(), "out");
        assertThat(pawl.handle(run.id()).result(Duration.ofSeconds(20))).isEqualTo(all);
        pawl.rewind(run.id(), "trigger");
        assertThat(pawl.handle(run.id()).result(Duration.ofSeconds(20))).isEqualTo(all);
        assertThat(inputs(pawl, run.id())).isEqualTo(3);
        Invariants.check(pawl.store());
      }
    }
  }

  /** Reaches the trigger of the graph, and nothing else: the run may have ended by then. */
  private static void give(Pawl pawl, RunId run, Graph graph, int value) {
    Json data = Json.parse(Integer.toString(value));
    if (graph.equals(SIGNAL)) {
      pawl.signal(run, "vote", data);
    } else if (graph.equals(TOPIC)) {
      pawl.emit("news", data);
    } else {
      pawl.signal(
          run,
          Graphs.signal("trigger"),
          Graphs.input(Optional.of("i" + value), Optional.empty(), data));
    }
  }

  private static boolean isStarted(Pawl pawl, RunId run, String node) {
    return pawl.log(run).stream()
        .anyMatch(entry ->
            entry.event() instanceof NodeEvent.Started started && started.node().equals(node));
  }

  private static long inputs(Pawl pawl, RunId run) {
    return pawl.log(run).stream()
        .filter(entry -> entry.event() instanceof NodeEvent.TriggerInput)
        .count();
  }

  // ---- limits ----

  @Test
  void whatCameBeyondTheLimitIsNotHandedOnAfterARewindEither() {
    try (Pawl pawl = open(new MemoryStore(Instant::now), SIGNAL)) {
      RunHandle<Json> run = pawl.start(TYPE, Json.EMPTY_OBJECT, o -> o);
      for (int i = 1; i <= 5; i++) {
        pawl.signal(run.id(), "vote", i);
      }
      pawl.work();
      Json three = Json.parse("{\"out\":[1,2,3]}");
      assertThat(run.result()).isEqualTo(three);

      pawl.rewind(run.id(), "trigger");

      assertThat(run.result()).isEqualTo(three);
      Invariants.check(pawl.store());
    }
  }

  @Test
  void theLimitOfAWaitIsKeptAcrossProcesses() {
    ManualClock clock = new ManualClock();
    MemoryStore store = new MemoryStore(clock);
    Graph graph =
        Graph.named("limited")
            .node("one", "constant", Map.of("value", 1))
            .node("later", "delay", Map.of("for", "1h"))
            .node("out", "output")
            .retry("later", Retry.none().timeout(Duration.ofMinutes(10)))
            .edge("one", "later")
            .edge("later", "out")
            .build();
    RunId run;
    try (Pawl pawl = open(new MortalStore(store), graph)) {
      run = pawl.start(TYPE, Json.EMPTY_OBJECT, o -> o).id();
      pawl.work();
      Await.until("it waits", () -> status(pawl, run) == Status.SUSPENDED);
      assertThat(pawl.get(run).due().orElseThrow())
          .isBefore(clock.instant().plus(Duration.ofMinutes(11)));
    }
    clock.advance(Duration.ofMinutes(11));
    try (Pawl pawl = open(new MortalStore(store), graph)) {
      pawl.work();
      Await.until("it has failed", () -> status(pawl, run) == Status.FAILED);
      assertThat(pawl.get(run).lastError().orElseThrow().code()).isEqualTo("TIMEOUT");
      Invariants.check(pawl.store());
    }
  }

  // ---- times ----

  private static Run playedTo(
      Status end, MemoryStore store, ManualClock clock, Graph graph, Duration step) {
    try (Pawl pawl = open(store, graph)) {
      RunId run = pawl.start(TYPE, Json.EMPTY_OBJECT, o -> o.key("the one")).id();
      pawl.work(w -> w.poll(Duration.ofMillis(5)));
      long[] seen = {0};
      Await.until(
          "the run has ended",
          () -> {
            Run now = pawl.get(run);
            long suspensions = suspensions(pawl, run);
            if (now.status() == Status.SUSPENDED && suspensions > seen[0]) {
              seen[0] = suspensions;
              clock.advance(step);
            }
            return now.status() == end;
          });
      Invariants.check(store);
      return pawl.get(run);
    }
  }

  private static long suspensions(Pawl pawl, RunId run) {
    return pawl.log(run).stream().filter(entry -> entry.event() instanceof Event.Suspended).count();
  }

  @Test
  void anIntervalGoesByTheTimeItBegan() {
    ManualClock clock = new ManualClock();
    Graph graph = graph("trigger.interval", Map.of("every", "1h", "limit", 3));

    Run run =
        playedTo(Status.SUCCEEDED, new MemoryStore(clock), clock, graph, Duration.ofMinutes(61));

    List<Instant> times = out(run).stream().map(each -> Instant.parse(each.toString())).toList();
    assertThat(times).hasSize(3);
    assertThat(Duration.between(times.get(0), times.get(1))).isEqualTo(Duration.ofHours(1));
    assertThat(Duration.between(times.get(1), times.get(2))).isEqualTo(Duration.ofHours(1));
    assertThat(Duration.between(ManualClock.START.plus(Duration.ofHours(1)), times.get(0)))
        .isBetween(Duration.ZERO, Duration.ofMinutes(1));
  }

  @Test
  void cronGoesByTheCalendar() {
    ManualClock clock = new ManualClock();
    Graph graph = graph("trigger.cron", Map.of("cron", "0 9 * * mon", "limit", 2));

    Run run = playedTo(Status.SUCCEEDED, new MemoryStore(clock), clock, graph, Duration.ofDays(7));

    assertThat(out(run)).hasToString("[2030-01-07T09:00:00Z, 2030-01-14T09:00:00Z]");
  }

  /** Waits until the trigger sleeps, then lets hours pass that nobody works in. */
  private static long inputsAfterAWeekend(boolean catchUp) {
    ManualClock clock = new ManualClock();
    MemoryStore store = new MemoryStore(clock);
    Graph graph = graph("trigger.interval", Map.of("every", "1h", "catchUp", catchUp));
    RunId run;
    try (Pawl friday = open(store, graph)) {
      run = friday.start(TYPE, Json.EMPTY_OBJECT, o -> o).id();
      friday.work();
      Await.until("it sleeps", () -> status(friday, run) == Status.SUSPENDED);
    }
    clock.advance(Duration.ofHours(60).plusMinutes(10));
    try (Pawl monday = open(store, graph)) {
      monday.work();
      Await.until("it sleeps again", () -> suspensions(monday, run) == 2);
      Invariants.check(store);
      return monday.log(run).stream()
          .filter(entry -> entry.event() instanceof NodeEvent.TriggerInput)
          .count();
    }
  }

  @Test
  void timesThatPassedUnnoticedAreOneInputOrAllOfThem() {
    assertThat(inputsAfterAWeekend(false)).isEqualTo(1);
    assertThat(inputsAfterAWeekend(true)).isEqualTo(60);
  }

  // ---- crashes ----

  /** A story of one trigger, with what is sent at its beginning. */
  private record Story(Graph graph, int inputs) implements CrashSweep.Story {
    @Override
    public void register(Pawl process) {
      process.register(GraphType.of(TYPE, graph, Nodes.with()));
    }

    @Override
    public RunId begin(Pawl outside) {
      RunId run = outside.start(TYPE, Json.EMPTY_OBJECT, o -> o.maxAttempts(100)).id();
      for (int i = 0; i < inputs; i++) {
        outside.signal(run, "vote", i);
        outside.emit("news", i);
      }
      return run;
    }

    @Override
    public void check(Pawl outside, Run run) {
      assertThat(run.status()).isEqualTo(Status.SUCCEEDED);
      assertThat(out(run)).hasSize(3);
      if (inputs > 0) {
        assertThat(out(run)).hasToString("[0, 1, 2]");
      }
      Invariants.check(outside.store());
    }
  }

  private final CrashSweep sweep = new CrashSweep(MemoryStore::new);

  @Test
  void killedAnywhereASignalTriggerLosesNothingAndRepeatsNothing() {
    assertThat(sweep.killAtEveryCheckpoint(new Story(SIGNAL, 3))).isPositive();
  }

  @Test
  void killedAnywhereATopicTriggerLosesNothingAndRepeatsNothing() {
    assertThat(sweep.killAtEveryCheckpoint(new Story(TOPIC, 3))).isPositive();
  }

  @Test
  void killedAnywhereAnIntervalGoesOn() {
    Graph graph = graph("trigger.interval", Map.of("every", "1h", "limit", 3));
    assertThat(sweep.killAtEveryCheckpoint(new Story(graph, 0))).isPositive();
  }
}
