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
import dev.pawl.work.FailedException;
import dev.pawl.work.Program;
import dev.pawl.work.Turn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Carries out the turns of a graph's runs. A suspended graph stays in a bounded cache and goes on
 * in place if nothing foreign came into its log; otherwise it is set up anew from the log.
 * Thread-safe.
 */
public final class GraphProgram implements Program {
  private static final int MAX_PARKED = 200;

  private final Sources sources;
  private final NodeTypes types;
  private final Map<String, Wiring> wirings =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Wiring> eldest) {
          return size() > MAX_PARKED;
        }
      };
  private final Map<RunId, Execution> parked =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RunId, Execution> eldest) {
          return size() > MAX_PARKED;
        }
      };

  /** Where the definitions of graphs are. */
  public interface Sources {
    /** The one that a new run of the type is pinned to. */
    Optional<Definition> newest(String type);

    /** The one with this hash. */
    Optional<Definition> find(String hash);
  }

  public GraphProgram(Sources sources, NodeTypes types) {
    this.sources = sources;
    this.types = types;
  }

  @Override
  public Event.TurnEnd run(Turn turn) throws Exception {
    if (turn.cancelReason().isPresent()) {
      return new Event.Cancelled(turn.cancelReason().get());
    }
    Optional<Execution> kept = unpark(turn);
    Event.TurnEnd end;
    Execution execution;
    if (kept.isPresent()) {
      execution = kept.get();
      end = execution.resume(turn);
    } else {
      Optional<Definition> definition = definition(turn.run());
      if (definition.isEmpty()) {
        return lost(turn.run());
      }
      execution = setUp(turn, definition.get());
      end = execution.start();
    }
    if (end instanceof Event.Suspended) {
      park(turn.run().id(), execution);
    }
    return end;
  }

  private Execution setUp(Turn turn, Definition definition) {
    boolean first = turn.activation().seq() <= 2;
    List<Entry> log = first ? List.of() : turn.history();
    Wiring wiring = wiring(definition);
    if (turn.run().definition().isEmpty()) {
      turn.record(new Event.Pinned(definition.hash()));
    }
    return new Execution(wiring, Projection.of(log), turn);
  }

  private Optional<Definition> definition(Run run) {
    if (run.definition().isPresent()) {
      return sources.find(run.definition().get());
    }
    Optional<Definition> newest = sources.newest(run.type());
    if (newest.isEmpty()) {
      throw FailedException.permanent(
          ErrorCode.NOT_FOUND.name(),
          "no graph is deployed as " + run.type() + "; 'pawl deploy FILE' does it");
    }
    return newest;
  }

  /** Leaves the run to an operator: what it is pinned to is not here. */
  private static Event.TurnEnd lost(Run run) {
    String why =
        ErrorCode.DIVERGED
            + ": the run is pinned to definition "
            + run.definition().orElse("")
            + ", which is not here any more; deploy it again, then retry the run";
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
