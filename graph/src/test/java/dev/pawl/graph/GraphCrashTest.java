package dev.pawl.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.node.NodeType;
import dev.pawl.json.Json;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.CrashSweep;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Graphs end the same way, whenever their process is killed. */
@Timeout(120)
class GraphCrashTest {
  private static final NodeType SHAKY =
      NodeType.each(
          "test.shaky",
          GraphRunTest.Number.class,
          GraphRunTest.Number.class,
          (c, in) -> {
            if (c.attempt() % 2 == 1) {
              throw new IllegalStateException("an odd attempt");
            }
            return new GraphRunTest.Number(in.number() + 1);
          });
  private static final NodeType CAREFUL =
      NodeType.stream(
          "test.careful",
          GraphRunTest.Number.class,
          GraphRunTest.Number.class,
          (c, in, out) -> {
            long sum = c.state().map(state -> Long.parseLong(state.text())).orElse(0L);
            int n = 0;
            for (GraphRunTest.Number next = in.next(); next != null; next = in.next()) {
              sum += next.number();
              out.emit(new GraphRunTest.Number(sum));
              if (++n % 2 == 0) {
                c.checkpoint(sum);
              }
            }
          });
  private static final Task<Long, Long> SQUARE =
      Task.of("test.square.v1", Long.class, Long.class, n -> n * n);

  private final CrashSweep sweep = new CrashSweep(MemoryStore::new);

  /** A story of one graph. */
  private record Story(Graph graph, String payload, String expected, List<String> signals)
      implements CrashSweep.Story {
    @Override
    public void register(Pawl process) {
      process
          .register(SQUARE)
          .register(
              GraphType.of(
                  "crash.graph.v1",
                  graph,
                  Nodes.with(
                      GraphRunTest.DOUBLE,
                      GraphRunTest.COUNT,
                      GraphRunTest.SUM,
                      GraphRunTest.ADD,
                      GraphRunTest.TOTAL,
                      SHAKY,
                      CAREFUL)));
    }

    @Override
    public RunId begin(Pawl outside) {
      RunId run =
          outside.start("crash.graph.v1", Json.parse(payload), o -> o.maxAttempts(100)).id();
      signals.forEach(value -> outside.signal(run, "trigger:ask", Json.parse(value)));
      return run;
    }

    @Override
    public void check(Pawl outside, Run run) {
      assertThat(run.status()).isEqualTo(Status.SUCCEEDED);
      assertThat(run.result()).contains(Json.parse(expected));
      List<String> completed =
          outside.log(run.id()).stream()
              .filter(entry -> entry.event() instanceof NodeEvent.Completed)
              .map(entry -> ((NodeEvent) entry.event()).node())
              .toList();
      assertThat(completed).doesNotHaveDuplicates();
    }
  }

  @Test
  void aDiamondWithStreams() {
    Graph graph =
        Graph.named("diamond")
            .node("n", "input")
            .node("count", "test.count")
            .node("double", "test.double")
            .node("careful", "test.careful")
            .node("add", "test.add")
            .node("sum", "test.sum")
            .node("out", "output")
            .edge("n", "count")
            .edge("count", "double")
            .edge("count", "careful")
            .edge("double", "add.one")
            .edge("careful", "add.other")
            .edge("add", "sum")
            .edge("sum", "out")
            .zip("add")
            .build();

    int deaths =
        sweep.killAtEveryCheckpoint(new Story(graph, "{\"n\":9}", "{\"out\":192}", List.of()));

    assertThat(deaths).isGreaterThan(10);
  }

  @Test
  void childrenDelaysAndRetries() {
    Graph graph =
        Graph.named("outside")
            .node("n", "input")
            .node("count", "test.count")
            .node("square", "task", Map.of("type", "test.square.v1", "parallel", 2))
            .node("sum", "test.sum")
            .node("wait", "delay", Map.of("for", "1h"))
            .node("shaky", "test.shaky")
            .node("out", "output")
            .edge("n", "count")
            .edge("count", "square.input")
            .edge("square", "sum.number")
            .edge("sum", "wait.value")
            .edge("wait", "shaky.number")
            .edge("shaky", "out")
            .retry("shaky", Retry.fixed(50, Duration.ofMinutes(1)))
            .build();

    int deaths =
        sweep.killAtEveryCheckpoint(new Story(graph, "{\"n\":4}", "{\"out\":15}", List.of()));

    assertThat(deaths).isGreaterThan(10);
  }

  @Test
  void aTriggerWhoseInputsAreWorkedOffOneByOne() {
    Graph graph =
        Graph.named("trigger")
            .node("ask", "trigger.manual", Map.of("limit", 4))
            .node("double", "test.double")
            .node("careful", "test.careful")
            .node("wait", "delay", Map.of("for", "10m"))
            .node("out", "output")
            .edge("ask.value", "double")
            .edge("double", "careful")
            .edge("careful", "wait")
            .edge("wait", "out")
            .build();
    List<String> inputs =
        List.of(
            "{\"id\":\"1\",\"data\":1}",
            "{\"id\":\"2\",\"data\":2}",
            "{\"id\":\"1\",\"data\":1}",
            "{\"id\":\"3\",\"data\":3}",
            "{\"id\":\"4\",\"data\":4}");

    int deaths =
        sweep.killAtEveryCheckpoint(new Story(graph, "{}", "{\"out\":[2,6,12,20]}", inputs));

    assertThat(deaths).isGreaterThan(10);
  }

  @Test
  void whoDiesAgainAndAgainGetsThere() {
    Graph graph =
        Graph.named("mortal")
            .node("n", "input")
            .node("a", "test.double")
            .node("b", "test.double")
            .node("c", "test.double")
            .node("wait", "delay", Map.of("for", "10m"))
            .node("d", "test.double")
            .node("out", "output")
            .edge("n", "a")
            .edge("a", "b")
            .edge("b", "c")
            .edge("c", "wait.value")
            .edge("wait", "d.number")
            .edge("d", "out")
            .build();

    int deaths = sweep.killAfterEvery(2, new Story(graph, "{\"n\":1}", "{\"out\":16}", List.of()));

    assertThat(deaths).isGreaterThan(1);
  }
}
