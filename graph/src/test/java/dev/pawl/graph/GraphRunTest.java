package dev.pawl.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.node.NodeType;
import dev.pawl.graph.node.NodeTypes;
import dev.pawl.json.Json;
import dev.pawl.log.EventCodec;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.Status;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.Invariants;
import dev.pawl.work.FailedException;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What graphs do when nothing goes wrong, and when nodes fail. */
@Timeout(60)
class GraphRunTest {
  record Number(long number) {}

  record Numbers(List<Long> numbers) {}

  record Text(String text) {}

  record Nothing() {}

  static final NodeType DOUBLE =
      NodeType.each(
          "test.double", Number.class, Number.class, (c, in) -> new Number(in.number * 2));
  static final NodeType COUNT =
      NodeType.streamOut(
          "test.count",
          Number.class,
          Number.class,
          (c, in, out) -> {
            for (long i = 0; i < in.number; i++) {
              out.emit(new Number(i));
            }
          });
  static final NodeType SUM =
      NodeType.streamIn(
          "test.sum",
          Number.class,
          Number.class,
          (c, in) -> {
            long sum = 0;
            for (Number next = in.next(); next != null; next = in.next()) {
              sum += next.number;
            }
            return new Number(sum);
          });
  static final NodeType ADD =
      NodeType.each("test.add", Pair.class, Number.class, (c, in) -> new Number(in.one + in.other));

  record Pair(long one, long other) {}

  static final NodeType TOTAL =
      NodeType.each(
          "test.total",
          Numbers.class,
          Number.class,
          (c, in) -> new Number(in.numbers.stream().mapToLong(n -> n).sum()));

  private final Pawl pawl = Pawl.open("memory:");

  @AfterEach
  void close() {
    Invariants.check(pawl.store());
    pawl.close();
  }

  private RunHandle<Json> start(Graph graph, String payload, NodeType... own) {
    NodeTypes types = Nodes.with(DOUBLE, COUNT, SUM, ADD, TOTAL).add(own);
    GraphType type = GraphType.of("test.graph.v1", graph, types);
    pawl.register(type);
    pawl.work();
    return pawl.start(type, Json.parse(payload));
  }

  @Test
  void aTextGoesThroughATemplate() {
    Graph graph =
        Graph.named("greeting")
            .node("who", "input")
            .node("text", "template", Map.of("template", "Hello {{who}}!"))
            .node("out", "output", Map.of("name", "text"))
            .edge("who.value", "text.who")
            .edge("text.text", "out.value")
            .build();

    RunHandle<Json> run = start(graph, "{\"who\":\"Ada\"}");

    assertThat(run.result()).isEqualTo(Json.parse("{\"text\":\"Hello Ada!\"}"));
    assertThat(pawl.log(run.id()).stream().map(entry -> EventCodec.kind(entry.event())))
        .containsSubsequence(
            "pinned",
            "node.scheduled",
            "node.started",
            "node.completed",
            "outbox.enqueued",
            "node.scheduled",
            "node.started",
            "node.completed",
            "outbox.sent",
            "succeeded");
  }

  @Test
  void aStreamFlowsAndIsSummedUp() {
    Graph graph =
        Graph.named("sum")
            .node("n", "input")
            .node("count", "test.count")
            .node("double", "test.double")
            .node("sum", "test.sum")
            .node("out", "output")
            .edge("n", "count")
            .edge("count", "double")
            .edge("double", "sum")
            .edge("sum", "out")
            .build();

    assertThat(start(graph, "{\"n\":10000}").result()).isEqualTo(Json.parse("{\"out\":99990000}"));
  }

  @Test
  void zipAllTakesOneOfEachAndAValueStays() {
    Graph graph =
        Graph.named("zip")
            .node("n", "constant", Map.of("value", 4))
            .node("ten", "constant", Map.of("value", 10))
            .node("count", "test.count")
            .node("double", "test.double")
            .node("add", "test.add")
            .node("more", "test.add")
            .node("out", "output")
            .edge("n", "count")
            .edge("count", "double")
            .edge("count", "add.one")
            .edge("double", "add.other")
            .edge("add", "more.one")
            .edge("ten", "more.other")
            .edge("more", "out")
            .zip("add")
            .zip("more")
            .build();

    assertThat(start(graph, "{}").result()).isEqualTo(Json.parse("{\"out\":[10,13,16,19]}"));
  }

  @Test
  void onAnyGoesOnWithTheLatestOfTheOthers() {
    Graph graph =
        Graph.named("any")
            .node("n", "constant", Map.of("value", 3))
            .node("ten", "constant", Map.of("value", 10))
            .node("count", "test.count")
            .node("add", "test.add")
            .node("out", "output")
            .edge("n", "count")
            .edge("count", "add.one")
            .edge("ten", "add.other")
            .edge("add", "out")
            .build();

    assertThat(start(graph, "{}").result()).isEqualTo(Json.parse("{\"out\":[10,11,12]}"));
  }

  @Test
  void severalEdgesIntoAListHandleAreCollected() {
    Graph graph =
        Graph.named("list")
            .node("a", "constant", Map.of("value", 1))
            .node("n", "constant", Map.of("value", 3))
            .node("one", "test.double")
            .node("count", "test.count")
            .node("total", "test.total")
            .node("out", "output")
            .edge("a", "one")
            .edge("n", "count")
            .edge("one", "total.numbers")
            .edge("count", "total.numbers")
            .edge("total", "out")
            .build();

    assertThat(start(graph, "{}").result()).isEqualTo(Json.parse("{\"out\":5}"));
  }

  @Test
  void aSwitchTakesOneBranchAndAMergeBringsThemTogether() {
    Graph graph =
        Graph.named("switch")
            .node("n", "input")
            .node("which", "input")
            .node("switch", "switch", Map.of("cases", List.of("twice")))
            .node("double", "test.double")
            .node("merge", "merge")
            .node("out", "output")
            .edge("n", "switch.value")
            .edge("which", "switch.on")
            .edge("switch.twice", "double")
            .edge("switch.default", "merge")
            .edge("double", "merge")
            .edge("merge", "out")
            .build();

    assertThat(start(graph, "{\"n\":4,\"which\":\"twice\"}").result())
        .isEqualTo(Json.parse("{\"out\":[8]}"));
    assertThat(
            pawl.start("test.graph.v1", Json.parse("{\"n\":4,\"which\":\"x\"}"), o -> o).result())
        .isEqualTo(Json.parse("{\"out\":[4]}"));
  }

  @Test
  void senderAndReceiverWaitForEachOtherNoLongerThanTheBufferAllows() {
    NodeType last =
        NodeType.streamIn(
            "test.last",
            Number.class,
            Number.class,
            (c, in) -> {
              Number latest = new Number(-1);
              for (Number next = in.next(); next != null; next = in.next()) {
                latest = next;
              }
              return latest;
            });
    Graph graph =
        Graph.named("lopsided")
            .node("n", "constant", Map.of("value", 50))
            .node("count", "test.count")
            .node("last", "test.last")
            .node("add", "test.add")
            .node("out", "output")
            .edge("n", "count")
            .edge("count", "last")
            .edge("count", "add.one")
            .edge("last", "add.other")
            .edge("add", "out")
            .buffer("add", 2)
            .buffer("last", 2)
            .build();

    String expected =
        "{\"out\":"
            + java.util.stream.LongStream.range(0, 50)
                .mapToObj(n -> n + 49)
                .toList()
                .toString()
                .replace(" ", "")
            + "}";
    assertThat(start(graph, "{}", last).result()).isEqualTo(Json.parse(expected));
  }

  @Test
  void aNodeIsTriedAgainAsItsPolicySays() {
    AtomicInteger calls = new AtomicInteger();
    NodeType shaky =
        NodeType.each(
            "test.shaky",
            Number.class,
            Number.class,
            (c, in) -> {
              if (calls.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
              }
              return new Number(in.number + c.attempt());
            });
    Graph graph =
        Graph.named("shaky")
            .node("n", "input")
            .node("shaky", "test.shaky")
            .node("out", "output")
            .edge("n", "shaky")
            .edge("shaky", "out")
            .retry("shaky", Retry.fixed(3, Duration.ofMillis(2)))
            .build();

    RunHandle<Json> run = start(graph, "{\"n\":10}", shaky);

    assertThat(run.result()).isEqualTo(Json.parse("{\"out\":13}"));
    assertThat(pawl.log(run.id()).stream().filter(e -> e.event() instanceof NodeEvent.Failed))
        .hasSize(2);
  }

  @Test
  void aFailedNodeVoidsWhatDependsOnItAndTheRestIsFinished() {
    NodeType bad =
        NodeType.each(
            "test.bad",
            Number.class,
            Number.class,
            (c, in) -> {
              throw new IllegalStateException("no good");
            });
    Graph graph =
        Graph.named("bad")
            .node("n", "input")
            .node("bad", "test.bad")
            .node("after", "test.double")
            .node("double", "test.double")
            .node("out", "output")
            .edge("n", "bad")
            .edge("bad", "after")
            .edge("n", "double")
            .edge("double", "out")
            .build();

    RunHandle<Json> run = start(graph, "{\"n\":1}", bad);

    assertThatExceptionOfType(FailedException.class)
        .isThrownBy(run::result)
        .satisfies(e -> assertThat(e.failure().source().id()).isEqualTo("bad"));
    List<String> completed = new ArrayList<>();
    pawl.log(run.id()).stream()
        .filter(e -> e.event() instanceof NodeEvent.Completed)
        .forEach(e -> completed.add(((NodeEvent.Completed) e.event()).node()));
    assertThat(completed).contains("double", "out").doesNotContain("after", "bad");
  }

  @Test
  void anErrorEdgeTakesTheFailure() {
    NodeType bad =
        NodeType.each(
            "test.bad",
            Number.class,
            Number.class,
            (c, in) -> {
              throw FailedException.permanent("NO_GOOD", "no good");
            });
    NodeType say =
        NodeType.each("test.say", Told.class, Text.class, (c, in) -> new Text(in.told.code()));
    Graph graph =
        Graph.named("caught")
            .node("n", "input")
            .node("bad", "test.bad")
            .node("say", "test.say")
            .node("out", "output")
            .edge("n", "bad")
            .error("bad", "say.told")
            .edge("say", "out")
            .build();

    assertThat(start(graph, "{\"n\":1}", bad, say).result())
        .isEqualTo(Json.parse("{\"out\":\"NO_GOOD\"}"));
  }

  record Told(Problem told) {}

  record Problem(String code, String message) {}

  @Test
  void controlEdgesRunANodeWithOtherPropertiesAndStopIt() {
    Graph graph =
        Graph.named("control")
            .node(
                "orders",
                "constant",
                Map.of(
                    "value",
                    List.of(
                        Map.of("properties", Map.of("template", "one {{x}}")),
                        Map.of("properties", Map.of("template", "two {{x}}")),
                        Map.of("stop", true),
                        Map.of("properties", Map.of("template", "never")))))
            .node("each", "items")
            .node("text", "template", Map.of("template", "{{x}}", "x", "y"))
            .node("out", "output")
            .edge("orders", "each")
            .control("each.item", "text")
            .edge("text", "out")
            .build();

    assertThat(start(graph, "{}").result())
        .isEqualTo(Json.parse("{\"out\":[\"one y\",\"two y\"]}"));
  }

  @Test
  void aTaskNodeIsAChildRun() {
    pawl.register(Task.of("test.square.v1", Long.class, Long.class, n -> n * n));
    Graph graph =
        Graph.named("task")
            .node("n", "constant", Map.of("value", 5))
            .node("count", "test.count")
            .node("square", "task", Map.of("type", "test.square.v1", "parallel", 3))
            .node("out", "output")
            .edge("n", "count")
            .edge("count", "square.input")
            .edge("square", "out")
            .build();

    RunHandle<Json> run = start(graph, "{}");

    assertThat(run.result()).isEqualTo(Json.parse("{\"out\":[0,1,4,9,16]}"));
  }

  @Test
  void aGraphThatWaitsForATriggerIsSuspendedAndInputsCountOnce() {
    Graph graph =
        Graph.named("trigger")
            .node("ask", "trigger.manual", Map.of("limit", 3))
            .node("double", "test.double")
            .node("out", "output")
            .edge("ask.value", "double")
            .edge("double", "out")
            .build();
    RunHandle<Json> run = start(graph, "{}");
    Await.until("the graph is suspended", () -> pawl.get(run.id()).status() == Status.SUSPENDED);
    assertThat(pawl.get(run.id()).lease()).isEmpty();

    for (String id : List.of("a", "a", "b", "a", "c")) {
      pawl.signal(
          run.id(),
          "trigger:ask",
          Json.parse("{\"id\":\"" + id + "\",\"data\":" + (int) id.charAt(0) + "}"));
    }

    assertThat(run.result()).isEqualTo(Json.parse("{\"out\":[194,196,198]}"));
  }

  @Test
  void aDelayHoldsNothing() {
    Graph graph =
        Graph.named("delay")
            .node("n", "input")
            .node("wait", "delay", Map.of("for", "1200ms"))
            .node("out", "output")
            .edge("n", "wait")
            .edge("wait", "out")
            .build();

    RunHandle<Json> run = start(graph, "{\"n\":7}");

    Await.until("it sleeps", () -> pawl.get(run.id()).status() == Status.SUSPENDED);
    assertThat(run.result()).isEqualTo(Json.parse("{\"out\":7}"));
  }
}
