package dev.pawl.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.node.NodeType;
import dev.pawl.json.Json;
import dev.pawl.testkit.CrashReport;
import dev.pawl.testkit.CrashSweep;
import dev.pawl.testkit.Effects;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Graphs under the crash sweep for users' own programs. */
@Timeout(120)
class GraphSweepTest {
  private static final Graph GRAPH =
      Graph.named("sweep")
          .node("n", "input")
          .node("double", "test.double")
          .node("wait", "delay", Map.of("for", "10m"))
          .node("print", "test.print")
          .node("out", "output")
          .edge("n", "double")
          .edge("double", "wait.value")
          .edge("wait", "print.number")
          .edge("print", "out")
          .build();

  private static GraphType graph(Effects effects) {
    NodeType print =
        NodeType.each(
            "test.print",
            GraphRunTest.Number.class,
            GraphRunTest.Number.class,
            (c, in) -> {
              effects.add("printed " + in.number());
              return in;
            });
    return GraphType.of("sweep.graph.v1", GRAPH, Nodes.with(GraphRunTest.DOUBLE, print));
  }

  @Test
  void aNodeWhoseEffectHappensTwiceIsFound() {
    CrashReport report = CrashSweep.of(GraphSweepTest::graph).input(Json.parse("{\"n\":4}")).run();

    assertThat(report.end()).isEqualTo("succeeded {\"out\":8}");
    assertThat(report.step("node print").most()).isEqualTo(2);
    assertThat(report.problems())
        .isNotEmpty()
        .allSatisfy(problem ->
            assertThat(problem.what()).isEqualTo("'printed 8' happened 2 times instead of once"));
  }
}
