package dev.pawl.graph.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.error.PawlException;
import dev.pawl.graph.Nodes;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.GraphBuilder;
import dev.pawl.work.Retry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GraphCheckTest {
  private static List<String> problems(GraphBuilder graph) {
    return GraphCheck.problems(graph.build(), Nodes.with()).stream()
        .map(Problem::toString)
        .toList();
  }

  @Test
  void allProblemsAreToldWithTheirPlaces() {
    GraphBuilder graph =
        Graph.named("wrong")
            .node("in", "imput")
            .node("a", "constant")
            .node("text", "template", Map.of("template", "{{x}}"))
            .node("one", "http", Map.of("url", "https://example.org"))
            .node("two", "http")
            .node("late", "delay")
            .node("out", "output")
            .edge("a.value", "text.y")
            .edge("one.status", "two.url")
            .edge("gone.value", "out.value");

    assertThat(problems(graph))
        .anyMatch(p -> p.startsWith("node 'in'") && p.contains("did you mean 'input'?"))
        .anyMatch(p -> p.startsWith("node 'late'") && p.contains("'for' is missing"))
        .anyMatch(p -> p.contains("has no input handle 'y'"))
        .anyMatch(p -> p.startsWith("edge one.status>two.url") && p.contains("gives number"))
        .anyMatch(p -> p.contains("'gone' is not a node"))
        .anyMatch(p -> p.startsWith("handle 'value' of node 'out'"))
        .hasSize(6);
  }

  @Test
  void aCircleIsToldWithItsWay() {
    assertThat(
            problems(
                Graph.named("circle")
                    .node("a", "merge")
                    .node("b", "merge")
                    .node("c", "merge")
                    .edge("a", "b")
                    .edge("b", "c")
                    .edge("c", "a")))
        .singleElement()
        .satisfies(p -> assertThat(p).contains("a > b > c > a"));
  }

  @Test
  void oneHandleTakesOneEdgeAndNamesAreUnique() {
    assertThat(
            problems(
                Graph.named("double")
                    .node("a", "input", Map.of("name", "x"))
                    .node("b", "input", Map.of("name", "x"))
                    .node("out", "output")
                    .edge("a", "out")
                    .edge("b", "out")))
        .anyMatch(p -> p.contains("one edge may lead here"))
        .anyMatch(p -> p.contains("another input with the name 'x'"));
  }

  @Test
  void whatIsNoGraphIsToldWithAllItsPlaces() {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() ->
            Graph.parse(
                "{\"nodes\":[{\"id\":1,\"sync\":\"x\"}],\"edges\":[{\"kind\":\"y\"}],\"z\":0}"))
        .withMessageContaining("node 1: 'id'")
        .withMessageContaining("'sync'")
        .withMessageContaining("edge 1: 'kind'")
        .withMessageContaining("'z'");
  }

  @Test
  void aGraphReadsBackAsItWasWritten() {
    Graph graph =
        Graph.named("g")
            .node("a", "constant", Map.of("value", List.of(1, 2)))
            .node("b", "items")
            .edge("a.value", "b.list")
            .retry("b", Retry.fixed(3, Duration.ofSeconds(2)).timeout(Duration.ofMinutes(1)))
            .zip("b")
            .buffer("b", 7)
            .build();

    assertThat(Graph.parse(graph.json())).isEqualTo(graph);
  }
}
