package dev.pawl.graph.run;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.graph.check.GraphCheck;
import dev.pawl.graph.check.Wiring;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.fold.Projection;
import dev.pawl.graph.node.NodeTypes;
import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Definition;
import dev.pawl.work.DefinedProgram;
import dev.pawl.work.FailedException;
import dev.pawl.work.Program;
import dev.pawl.work.Retry;
import dev.pawl.work.Turn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the turns of a graph's runs. A suspended graph stays in a bounded cache and goes on
 * in place if nothing foreign came into its log; otherwise it is set up anew from the log.
 * Thread-safe.
 */
public final class GraphProgram implements DefinedProgram {
  /** The kind of a definition that is a graph. */
  public static final String KIND = "graph";

  private static final int MAX_PARKED = 200;

  private final NodeTypes types;
  private final Map<String, Wiring> wirings =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Wiring> eldest) {
          return size() > MAX_PARKED;
        }
      };
  private final Map<RunId, Execution> going = new ConcurrentHashMap<>();
  private final Map<RunId, Execution> parked =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RunId, Execution> eldest) {
          return size() > MAX_PARKED;
        }
      };

  public GraphProgram(NodeTypes types) {
    this.types = types;
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public Retry retry() {
    return Retry.standard();
  }

  /** A program for the runs of one graph, which is known here and need not be in the store. */
  public Program.Direct of(Definition definition) {
    return turn -> {
      Optional<String> pinned = turn.run().definition();
      if (pinned.isEmpty()) {
        turn.record(new Event.Pinned(definition.hash()));
      }
      return pinned.isEmpty() || pinned.get().equals(definition.hash())
          ? run(turn, definition)
          : diverged(turn.run(), definition);
    };
  }

  @Override
  public Event.TurnEnd run(Turn turn, Definition definition) {
    if (turn.cancelReason().isPresent()) {
      return new Event.Cancelled(turn.cancelReason().get());
    }
    Optional<Execution> kept = unpark(turn);
    Execution execution = kept.orElseGet(() -> setUp(turn, definition));
    going.put(turn.run().id(), execution);
    try {
      Event.TurnEnd end = kept.isPresent() ? execution.resume(turn) : execution.start();
      if (end instanceof Event.Suspended) {
        park(turn.run().id(), execution);
      }
      return end;
    } finally {
      going.remove(turn.run().id(), execution);
    }
  }

  /** How far the nodes of a run have come that is being executed or suspended here. */
  public Optional<List<NodeProgress>> progress(RunId run) {
    Execution execution = going.get(run);
    return Optional.ofNullable(execution == null ? parked(run) : execution)
        .map(Execution::progress);
  }

  private synchronized @Nullable Execution parked(RunId run) {
    return parked.get(run);
  }

  private Execution setUp(Turn turn, Definition definition) {
    boolean first = turn.activation().seq() <= 2;
    List<Entry> log = first ? List.of() : turn.archive().history();
    return new Execution(wiring(definition), Projection.of(log), turn);
  }

  /** Leaves the run to an operator: what it is pinned to is another graph than this. */
  private static Event.TurnEnd diverged(Run run, Definition definition) {
    String why =
        ErrorCode.DIVERGED
            + ": the run is pinned to definition "
            + run.definition().orElse("")
            + " of "
            + run.type()
            + ", and here is "
            + definition.hash()
            + "; bring the former graph back, then retry the run";
    return new Event.Suspended(
        Optional.empty(), List.of(new Wait.Operator(0, why)), 0, false, Json.NULL);
  }

  private synchronized Wiring wiring(Definition definition) {
    Wiring known = wirings.get(definition.hash());
    if (known == null) {
      try {
        known = GraphCheck.wire(Graph.parse(definition.source()), types);
      } catch (PawlException e) {
        throw FailedException.permanent(e.code().name(), String.valueOf(e.getMessage()));
      }
      wirings.put(definition.hash(), known);
    }
    return known;
  }

  private synchronized Optional<Execution> unpark(Turn turn) {
    Execution execution = parked.remove(turn.run().id());
    return Optional.ofNullable(execution).filter(kept -> kept.continuesAt(turn.activation()));
  }

  private synchronized void park(RunId run, Execution execution) {
    parked.put(run, execution);
  }
}
