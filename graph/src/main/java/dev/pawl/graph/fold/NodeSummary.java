package dev.pawl.graph.fold;

import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.Node;
import dev.pawl.log.Failure;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What there is to tell people of a node of a run.
 *
 * @param in how many messages were sent to it
 * @param out how many it has put out
 * @param took how long its execution took, if it has ended
 * @param failure why it failed last, unless it has completed since
 */
public record NodeSummary(
    State state,
    int attempt,
    long in,
    long out,
    Optional<Duration> took,
    Optional<Failure> failure) {

  /** How far a node has come, as people want to know it. */
  public enum State {
    /** It waits for what others put out. */
    WAITING,
    /** A trigger that waits for what comes from outside. */
    LISTENING,
    SCHEDULED,
    /** It failed, and is tried again. */
    RETRYING,
    STARTED,
    COMPLETED,
    /** It has completed, and there was nothing to do: nothing came along one of its edges. */
    SKIPPED,
    FAILED,
    /** It was being executed when the run was ended. */
    STOPPED,
    /** It was not executed, and the run is over. */
    VOID;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static NodeSummary of(Graph graph, Projection run, Node node) {
    NodeState state = run.node(node.id());
    long in = in(graph, run, node);
    long out = out(run, node.id());
    boolean idle = out == 0 && lacks(graph, run, node);
    return new NodeSummary(
        state(run, node.id(), idle),
        state.attempt(),
        in,
        out,
        took(run, node.id()),
        state.failure());
  }

  private static State state(Projection run, String node, boolean idle) {
    NodeState state = run.node(node);
    boolean over = run.isOver();
    return switch (state.status()) {
      case WAITING ->
          over ? State.VOID : run.trigger(node).isRegistered() ? State.LISTENING : State.WAITING;
      case SCHEDULED ->
          over ? State.VOID : state.retryAt().isPresent() ? State.RETRYING : State.SCHEDULED;
      case STARTED -> over ? State.STOPPED : State.STARTED;
      case COMPLETED -> idle ? State.SKIPPED : State.COMPLETED;
      case FAILED -> State.FAILED;
    };
  }

  private static Optional<Duration> took(Projection run, String node) {
    NodeState state = run.node(node);
    if (run.trigger(node).isRegistered()) {
      return Optional.empty();
    }
    return switch (state.status()) {
      case COMPLETED -> Optional.of(Duration.ofMillis(state.millis()));
      case FAILED ->
          state
              .startedAt()
              .flatMap(began -> state.endedAt().map(ended -> Duration.between(began, ended)));
      case WAITING, SCHEDULED, STARTED -> Optional.empty();
    };
  }

  private static long in(Graph graph, Projection run, Node node) {
    return graph.edges().stream()
        .filter(edge -> edge.target().equals(node.id()) && edge.kind() == Edge.Kind.DATA)
        .mapToLong(edge -> carried(run, edge))
        .sum();
  }

  private static long out(Projection run, String node) {
    NodeState state = run.node(node);
    return run.trigger(node).isRegistered()
        ? run.trigger(node).count()
        : state.outputs().keySet().stream().mapToLong(state::count).sum();
  }

  /** Whether nothing came to one of the handles that something leads to. */
  private static boolean lacks(Graph graph, Projection run, Node node) {
    Map<String, Long> byHandle =
        graph.edges().stream()
            .filter(edge -> edge.target().equals(node.id()) && edge.kind() == Edge.Kind.DATA)
            .collect(
                Collectors.groupingBy(
                    Edge::targetHandle, Collectors.summingLong(edge -> carried(run, edge))));
    return byHandle.containsValue(0L);
  }

  /** How many messages an edge has carried, as far as is on record. */
  public static long carried(Projection run, Edge edge) {
    NodeState source = run.node(edge.source());
    return switch (edge.kind()) {
      case ERROR -> source.status() == NodeState.Status.FAILED ? 1 : 0;
      case DATA, CONTROL ->
          source.outputs().isEmpty()
              ? run.trigger(edge.source()).count()
              : source.count(handle(source, edge));
    };
  }

  /** An edge may leave out the only handle of its source: then that is what is on record. */
  private static String handle(NodeState source, Edge edge) {
    return edge.sourceHandle().isEmpty()
        ? source.outputs().keySet().stream().findFirst().orElse("")
        : edge.sourceHandle();
  }
}
