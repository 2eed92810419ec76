package dev.pawl.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.error.PawlException;
import dev.pawl.graph.check.GraphCheck;
import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.node.NodeTypes;
import dev.pawl.testkit.Fuzz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Broken graphs are refused in words; those that pass lead nowhere in a circle and are the same
 * when written and read again. {@code -Dpawl.fuzz.tries=N} hunts longer, {@code -Dpawl.fuzz.seed=N}
 * elsewhere.
 */
class GraphFuzzTest {
  private static final NodeTypes TYPES = Nodes.with(GraphRunTest.DOUBLE, GraphRunTest.SUM);
  private static final String CHAIN =
      Graph.named("chain")
          .node("n", "input")
          .node("a", "test.double")
          .node("b", "test.double")
          .node("out", "output")
          .edge("n", "a")
          .edge("a", "b")
          .edge("b", "out")
          .build()
          .json();
  private static final List<String> PIECES =
      List.of(
          "{",
          "}",
          "[",
          "]",
          "\"",
          ",",
          ":",
          "null",
          "true",
          "-1",
          "1e9",
          "\"id\"",
          "\"type\"",
          "\"nodes\"",
          "\"edges\"",
          "\"source\"",
          "\"target\"",
          "\"properties\"",
          "\"a\"",
          "\"b\"",
          "\"a\":1,",
          "{},",
          "[],",
          "\"\"",
          "\\u0000",
          "\ud800",
          ",{\"source\":\"b\",\"target\":\"a\"}",
          "{\"id\":\"a\",\"type\":\"test.double\"},",
          "\"kind\":\"control\",",
          "\"sync\":\"zip_all\",",
          "\"retry\":{\"maxAttempts\":-1},");

  private static List<String> fine() throws IOException {
    List<String> fine = new ArrayList<>(List.of(CHAIN, CHAIN));
    try (Stream<Path> files = Files.list(Path.of("..", "examples", "graphs"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".json")).toList()) {
        fine.add(Files.readString(file));
      }
    }
    return fine;
  }

  @Test
  void whatPassesIsSoundAndWhatDoesNotIsToldWhy() throws IOException {
    assertThat(
            Fuzz.of(fine(), PIECES)
                .hunt(
                    Fuzz.tries(40_000),
                    text -> check(text, graph -> GraphCheck.wire(graph, TYPES))))
        .isEmpty();
  }

  /** A check that overlooks circles must be found out. */
  @Test
  void aCheckThatOverlooksCirclesIsFound() throws IOException {
    assertThat(Fuzz.of(fine(), PIECES).hunt(100_000, text -> check(text, graph -> {})))
        .get()
        .asString()
        .contains("nodes in a circle");
  }

  private interface Checking {
    void check(Graph graph);
  }

  private static void check(String text, Checking checking) {
    Graph graph;
    try {
      graph = Graph.parse(text);
      checking.check(graph);
    } catch (PawlException refused) {
      assertThat(refused.getMessage()).isNotBlank();
      return;
    }
    assertThat(Graph.parse(graph.json())).isEqualTo(graph);
    Set<String> left = new HashSet<>();
    graph.nodes().forEach(node -> left.add(node.id()));
    boolean smaller = true;
    while (smaller) {
      smaller =
          left.removeIf(node -> graph.edges().stream().noneMatch(edge -> holds(edge, node, left)));
    }
    assertThat(left).as("nodes in a circle").isEmpty();
  }

  private static boolean holds(Edge edge, String node, Set<String> left) {
    return edge.target().equals(node) && left.contains(edge.source());
  }
}
