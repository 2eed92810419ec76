package dev.pawl.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.graph.definition.Graph;
import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.Invariants;
import dev.pawl.work.WorkerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The five failure scenarios, each with a process that is killed at that point. */
@Timeout(120)
class ScenariosTest {
  @TempDir Path directory;

  private final Queue<String> bodies = new ConcurrentLinkedQueue<>();

  private Path file() {
    return directory.resolve("store.db");
  }

  private Pawl open(Graph graph) {
    return Scenario.open(file(), graph, bodies::add);
  }

  private static RunId start(Pawl pawl, String payload) {
    return pawl.start(Scenario.TYPE, Json.parse(payload), o -> o).id();
  }

  private static WorkerOptions quick(WorkerOptions options) {
    return options.lease(Scenario.LEASE).poll(Duration.ofMillis(20));
  }

  private static List<Event> events(Pawl pawl, RunId run, String node) {
    return pawl.log(run).stream()
        .map(Entry::event)
        .filter(event -> event instanceof NodeEvent of && of.node().equals(node))
        .toList();
  }

  private static <E> List<E> all(Pawl pawl, RunId run, Class<E> kind) {
    return pawl.log(run).stream()
        .map(Entry::event)
        .flatMap(event -> kind.isInstance(event) ? Stream.of(kind.cast(event)) : Stream.empty())
        .toList();
  }

  @Test
  void scenario1aCrashInTheMiddleOfANode() throws Exception {
    try (Pawl pawl = open(Scenario.WEB);
        Scenario other = Scenario.start(file(), "web", "b")) {
      RunId run = start(pawl, "{\"n\":1}");
      other.awaitLine("b");
      other.kill();

      assertThat(events(pawl, run, "b"))
          .hasExactlyElementsOfTypes(NodeEvent.Scheduled.class, NodeEvent.Started.class);
      pawl.work(ScenariosTest::quick);

      assertThat(pawl.handle(run).result()).isEqualTo(Json.parse("{\"out\":22,\"other\":3}"));
      assertThat(bodies).contains("b").doesNotContain("a 1", "c 1");
      assertThat(
              all(pawl, run, NodeEvent.Completed.class).stream()
                  .filter(done -> done.node().equals("b"))
                  .map(NodeEvent.Completed::attempt))
          .containsExactly(2);
      Invariants.check(pawl.store());
    }
  }

  @Test
  void scenario2aCrashAfterCompletionAndBeforeTheNextIsScheduled() throws Exception {
    try (Pawl pawl = open(Scenario.WEB);
        Scenario other = Scenario.start(file(), "web", "c 1", "d 2")) {
      RunId run = start(pawl, "{\"n\":1}");
      other.awaitLine("d 2");
      other.kill();

      assertThat(events(pawl, run, "a")).anyMatch(NodeEvent.Completed.class::isInstance);
      assertThat(events(pawl, run, "b")).isEmpty();
      pawl.work(ScenariosTest::quick);

      assertThat(pawl.handle(run).result()).isEqualTo(Json.parse("{\"out\":22,\"other\":3}"));
      assertThat(bodies).containsExactlyInAnyOrder("c 1", "d 2", "b");
      Invariants.check(pawl.store());
    }
  }

  @Test
  void scenario3aMessageThatIsDeliveredTwiceCountsOnce() throws Exception {
    try (Pawl pawl = open(Scenario.STREAM);
        Scenario other = Scenario.start(file(), "stream", "sum 3")) {
      RunId run = start(pawl, "{\"n\":5}");
      other.awaitLine("sum 3");
      Await.until(
          "the node that needs one message is done with it",
          () ->
              events(pawl, run, "early").stream().anyMatch(NodeEvent.Completed.class::isInstance)
                  || !events(pawl, run, "first").isEmpty());
      other.kill();
      boolean done =
          events(pawl, run, "first").stream().anyMatch(NodeEvent.Completed.class::isInstance);
      pawl.work(ScenariosTest::quick);

      assertThat(pawl.handle(run).result()).isEqualTo(Json.parse("{\"out\":10,\"early\":0}"));
      assertThat(bodies.stream().filter(body -> body.startsWith("sum")))
          .containsExactly("sum 0", "sum 1", "sum 2", "sum 3", "sum 4");
      assertThat(bodies.contains("first")).isEqualTo(!done);
      assertThat(
              all(pawl, run, NodeEvent.OutboxSent.class).stream()
                  .map(NodeEvent.OutboxSent::message))
          .contains("count.number>sum.number")
          .doesNotHaveDuplicates();
      Invariants.check(pawl.store());
    }
  }

  @Test
  void scenario4twoWorkersResumeTheSameRun() throws Exception {
    try (Pawl pawl = open(Scenario.WEB);
        Pawl rival = open(Scenario.WEB);
        Scenario other = Scenario.start(file(), "web", "b")) {
      RunId run = start(pawl, "{\"n\":1}");
      other.awaitLine("b");
      other.kill();

      pawl.work(ScenariosTest::quick);
      rival.work(ScenariosTest::quick);

      assertThat(pawl.handle(run).result()).isEqualTo(Json.parse("{\"out\":22,\"other\":3}"));
      assertThat(bodies.stream().filter("b"::equals)).hasSize(1);
      assertThat(all(pawl, run, Event.Leased.class)).hasSize(2);
      Invariants.check(pawl.store());
    }
  }

  @Test
  void scenario5aTriggerThatIsRestartedAtOffset100() throws Exception {
    try (Pawl pawl = open(Scenario.TRIGGER);
        Scenario other = Scenario.start(file(), "trigger", "none")) {
      RunId run = start(pawl, "{}");
      for (int offset = 1; offset <= 100; offset++) {
        send(pawl, run, offset);
      }
      Await.until("offset 100 is worked off", () -> cursor(pawl, run).equals("100"));
      other.kill();
      for (int offset = 99; offset <= 105; offset++) {
        send(pawl, run, offset);
      }
      pawl.work(ScenariosTest::quick);

      Await.until("offset 105 is worked off", () -> cursor(pawl, run).equals("105"));
      assertThat(bodies)
          .containsExactly("plus 101", "plus 102", "plus 103", "plus 104", "plus 105");
      Await.until("it is suspended", () -> pawl.get(run).status() == Status.SUSPENDED);
      assertThat(pawl.get(run).lease()).isEmpty();
      Invariants.check(pawl.store());
    }
  }

  private static void send(Pawl pawl, RunId run, int offset) {
    pawl.signal(
        run,
        "trigger:offsets",
        Json.parse("{\"id\":\"%1$d\",\"cursor\":%1$d,\"data\":%1$d}".formatted(offset)));
  }

  private static String cursor(Pawl pawl, RunId run) {
    List<NodeEvent.TriggerAdvanced> all = all(pawl, run, NodeEvent.TriggerAdvanced.class);
    return all.isEmpty() ? "" : all.getLast().cursor();
  }
}
