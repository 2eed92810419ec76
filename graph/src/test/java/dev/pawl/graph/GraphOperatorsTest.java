package dev.pawl.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.node.NodeType;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Query;
import dev.pawl.testkit.Invariants;
import dev.pawl.work.FailedException;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import dev.pawl.work.TimedOutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an operator does to a graph's run, time limits of nodes, and attempts of children. */
@Timeout(60)
class GraphOperatorsTest {
  record Number(long number) {}

  private final Queue<String> bodies = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean broken = new AtomicBoolean();
  private final AtomicInteger calls = new AtomicInteger();
  private final Pawl pawl = Pawl.open("memory:");

  private final NodeType plus =
      NodeType.each(
          "plus",
          Number.class,
          Number.class,
          (c, in) -> {
            bodies.add(c.node());
            if (c.node().equals("b") && broken.get()) {
              throw FailedException.permanent("BROKEN", "not now");
            }
            return new Number(in.number + 1);
          });

  /** Stays for ever in its first attempts. */
  private final NodeType slow =
      NodeType.each(
          "slow",
          Number.class,
          Number.class,
          (c, in) -> {
            if (broken.get() || c.attempt() == 1) {
              new CountDownLatch(1).await();
            }
            return in;
          });

  private static final Graph CHAIN =
      Graph.named("chain")
          .node("n", "input")
          .node("a", "plus")
          .node("b", "plus")
          .node("c", "plus")
          .node("out", "output")
          .edge("n", "a")
          .edge("a", "b")
          .edge("b", "c")
          .edge("c", "out")
          .build();

  @AfterEach
  void close() {
    Invariants.check(pawl.store());
    pawl.close();
  }

  private RunHandle<Json> start(Graph graph) {
    GraphType type = GraphType.of("test.operators.v1", graph, Nodes.with(plus, slow));
    pawl.register(type).work();
    return pawl.start(type, Json.parse("{\"n\":1}"));
  }

  private List<Integer> attempts(RunId run, String node) {
    return pawl.log(run).stream()
        .map(entry -> entry.event())
        .flatMap(event ->
            event instanceof NodeEvent.Started started && started.node().equals(node)
                ? java.util.stream.Stream.of(started.attempt())
                : java.util.stream.Stream.empty())
        .toList();
  }

  private static final Json FOUR = Json.parse("{\"out\":4}");

  @Test
  void aRetryLetsOnlyTheFailedNodeAndWhatDependsOnItRun() {
    broken.set(true);
    RunHandle<Json> run = start(CHAIN);
    assertThatExceptionOfType(FailedException.class).isThrownBy(run::result);
    broken.set(false);

    pawl.retry(run.id());

    assertThat(run.result()).isEqualTo(FOUR);
    assertThat(bodies).containsExactly("a", "b", "b", "c");
    assertThat(attempts(run.id(), "b")).containsExactly(1, 2);
  }

  @Test
  void aRetryThatFailsAgainCanBeRepeated() {
    broken.set(true);
    RunHandle<Json> run = start(CHAIN);
    assertThatExceptionOfType(FailedException.class).isThrownBy(run::result);
    pawl.retry(run.id());
    assertThatExceptionOfType(FailedException.class)
        .isThrownBy(() -> pawl.handle(run.id()).result());
    broken.set(false);
    pawl.retry(run.id());

    assertThat(pawl.handle(run.id()).result()).isEqualTo(FOUR);
    assertThat(attempts(run.id(), "b")).containsExactly(1, 2, 3);
  }

  @Test
  void aRewindGoesBackToANode() {
    RunHandle<Json> run = start(CHAIN);
    assertThat(run.result()).isEqualTo(FOUR);

    Run reopened = pawl.rewind(run.id(), "b");

    assertThat(reopened.status().isTerminal()).isFalse();
    assertThat(pawl.handle(run.id()).result()).isEqualTo(FOUR);
    assertThat(bodies).containsExactly("a", "b", "c", "b", "c");
    assertThat(pawl.log(run.id()).stream().filter(e -> e.event() instanceof Event.Rewound))
        .hasSize(1);
  }

  // ---- time limits ----

  private static Graph limited(int attempts) {
    return Graph.named("limited")
        .node("n", "input")
        .node("slow", "slow")
        .node("out", "output")
        .retry("slow", Retry.fixed(attempts, Duration.ZERO).timeout(Duration.ofMillis(50)))
        .edge("n", "slow")
        .edge("slow", "out")
        .build();
  }

  @Test
  void aNodeThatTakesTooLongIsTriedAgain() {
    RunHandle<Json> run = start(limited(2));

    assertThat(run.result()).isEqualTo(Json.parse("{\"out\":1}"));
    assertThat(attempts(run.id(), "slow")).containsExactly(1, 2);
  }

  @Test
  void aNodeThatAlwaysTakesTooLongFailsTheRunWithATimeout() {
    broken.set(true);

    assertThatExceptionOfType(TimedOutException.class)
        .isThrownBy(() -> start(limited(2)).result())
        .withMessageContaining("'slow'")
        .withMessageContaining("50 ms");
  }

  @Test
  void aDelayThatIsLongerThanItsLimitIsCutShort() {
    Graph graph =
        Graph.named("delayed")
            .node("n", "input")
            .node("later", "delay", Map.of("for", "1h"))
            .node("out", "output")
            .retry("later", Retry.fixed(2, Duration.ZERO).timeout(Duration.ofMillis(1200)))
            .edge("n", "later.value")
            .edge("later", "out")
            .build();

    RunHandle<Json> run = start(graph);

    assertThatExceptionOfType(TimedOutException.class)
        .isThrownBy(run::result)
        .withMessageContaining("'later'")
        .withMessageContaining("1200 ms");
    assertThat(attempts(run.id(), "later")).containsExactly(1, 2);
    assertThat(pawl.log(run.id()).stream().filter(e -> e.event() instanceof Event.Suspended))
        .as("it holds no thread meanwhile")
        .isNotEmpty();
  }

  /** Waits for a child that nobody carries out. */
  private final NodeType asking =
      NodeType.each(
          "asking",
          Number.class,
          Number.class,
          (c, in) -> {
            c.start("test.nobody.v1", Json.NULL, 0).result();
            return in;
          });

  @Test
  void aNodeThatWaitsForAChildLongerThanItsLimitIsCutShort() {
    Graph graph =
        Graph.named("asking")
            .node("n", "input")
            .node("ask", "asking")
            .node("out", "output")
            .retry("ask", Retry.none().timeout(Duration.ofMillis(1100)))
            .edge("n", "ask")
            .edge("ask", "out")
            .build();
    GraphType type = GraphType.of("test.asking.v1", graph, Nodes.with(asking));
    pawl.register(type).work();

    assertThatExceptionOfType(TimedOutException.class)
        .isThrownBy(() -> pawl.start(type, Json.parse("{\"n\":1}")).result())
        .withMessageContaining("'ask'");
  }

  private static Graph calling(String kind, int attempts) {
    return Graph.named("calling")
        .node("n", "input")
        .node("call", kind, Map.of("type", "test.called.v1"))
        .node("out", "output")
        .retry("call", Retry.fixed(attempts, Duration.ZERO).timeout(Duration.ofMillis(100)))
        .edge("n", "call.input")
        .edge("call.output", "out")
        .build();
  }

  @Test
  void aChildThatWaitsLongerThanItsLimitEndsItself() {
    Graph endless =
        Graph.named("endless")
            .node("never", "trigger.manual")
            .node("out", "output")
            .edge("never.value", "out")
            .build();
    pawl.register(GraphType.of("test.called.v1", endless, Nodes.with()));

    RunHandle<Json> run = start(calling("graph", 2));

    assertThatExceptionOfType(TimedOutException.class).isThrownBy(run::result);
    assertThat(children(run.id()))
        .extracting(Run::status)
        .containsExactly(Status.FAILED, Status.FAILED);
  }

  @Test
  void aChildThatNobodyTakesUpIsGivenUpAndAnotherIsStartedForTheNextAttempt() {
    RunHandle<Json> run = start(calling("flow", 2));

    assertThatExceptionOfType(TimedOutException.class)
        .isThrownBy(run::result)
        .withMessageContaining("'call'")
        .withMessageContaining("100 ms");
    assertThat(attempts(run.id(), "call")).containsExactly(1, 2);
    assertThat(children(run.id()))
        .extracting(Run::status)
        .containsExactly(Status.PENDING, Status.PENDING);
  }

  // ---- children ----

  private static Graph parent(Retry policy) {
    return Graph.named("parent")
        .node("n", "input")
        .node("child", "task", Map.of("type", "test.child.v1"))
        .node("c", "plus")
        .node("out", "output")
        .retry("child", policy)
        .edge("n", "child.input")
        .edge("child.output", "c")
        .edge("c", "out")
        .build();
  }

  private Task<Long, Long> child(int failing) {
    return Task.of(
            "test.child.v1",
            Long.class,
            Long.class,
            n -> {
              if (calls.incrementAndGet() <= failing) {
                throw new IllegalStateException("call " + calls.get());
              }
              return n + 1;
            })
        .retry(Retry.none());
  }

  private List<Run> children(RunId run) {
    return pawl.list(Query.all().withParent(run));
  }

  @Test
  void theRetryPolicyOfAChildNodeIsThatOfItsRun() {
    pawl.register(child(2));

    RunHandle<Json> run = start(parent(Retry.fixed(3, Duration.ofMillis(1))));

    assertThat(run.result()).isEqualTo(Json.parse("{\"out\":3}"));
    assertThat(children(run.id())).hasSize(1);
    assertThat(children(run.id()).getFirst().attempt()).isEqualTo(3);
    assertThat(attempts(run.id(), "child")).containsExactly(1);
  }

  @Test
  void aChildThatFailedForGoodIsStartedAnewByARetryOfTheGraphAndNothingElseIs() {
    pawl.register(child(1));
    RunHandle<Json> run = start(parent(Retry.none()));
    assertThatExceptionOfType(FailedException.class)
        .isThrownBy(run::result)
        .withMessageContaining("call 1");

    pawl.retry(run.id());

    assertThat(pawl.handle(run.id()).result()).isEqualTo(Json.parse("{\"out\":3}"));
    assertThat(children(run.id()))
        .extracting(Run::status)
        .containsExactlyInAnyOrder(Status.FAILED, Status.SUCCEEDED);
    assertThat(attempts(run.id(), "n")).containsExactly(1);
  }

  @Test
  void aSubGraphIsTriedAgainAsItsNodeSays() {
    Graph inner =
        Graph.named("inner")
            .node("value", "input")
            .node("sometimes", "sometimes")
            .node("out", "output")
            .edge("value", "sometimes")
            .edge("sometimes", "out")
            .build();
    NodeType sometimes =
        NodeType.each(
            "sometimes",
            Number.class,
            Number.class,
            (c, in) -> {
              if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("the first time");
              }
              return new Number(in.number * 10);
            });
    pawl.register(GraphType.of("test.inner.v1", inner, Nodes.with(sometimes)));
    Graph outer =
        Graph.named("outer")
            .node("n", "input")
            .node(
                "inner",
                "graph",
                Map.of(
                    "type", "test.inner.v1", "inputs", List.of("value"), "outputs", List.of("out")))
            .node("out", "output")
            .retry("inner", Retry.fixed(2, Duration.ofMillis(1)))
            .edge("n", "inner.value")
            .edge("inner.out", "out")
            .build();

    RunHandle<Json> run = start(outer);

    assertThat(run.result()).isEqualTo(Json.parse("{\"out\":10}"));
  }
}
