package dev.pawl.graph;

import dev.pawl.graph.check.GraphCheck;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.node.NodeTypes;
import dev.pawl.graph.run.GraphProgram;
import dev.pawl.json.Json;
import dev.pawl.json.JsonType;
import dev.pawl.log.Names;
import dev.pawl.store.Definition;
import dev.pawl.store.Store;
import dev.pawl.work.Program;
import dev.pawl.work.Retry;
import dev.pawl.work.RunType;
import java.util.Optional;

/**
 * A graph as a type of run: what goes in is an object with the values of its input nodes, what
 * comes out one with those of its output nodes. Immutable.
 */
public final class GraphType implements RunType<Json, Json> {
  /** The kind of a definition that is a graph. */
  public static final String KIND = "graph";

  private final String type;
  private final Program program;

  private GraphType(String type, GraphProgram.Sources sources, NodeTypes types) {
    this.type = type;
    this.program = new GraphProgram(sources, types);
  }

  /**
   * A graph that this program knows.
   *
   * @throws dev.pawl.error.PawlException that names everything that is wrong with it
   */
  public static GraphType of(String type, Graph graph, NodeTypes types) {
    GraphCheck.wire(graph, types);
    Definition own = definition(type, graph);
    return new GraphType(
        Names.checkType(type),
        new GraphProgram.Sources() {
          @Override
          public Optional<Definition> newest(String asked) {
            return Optional.of(own);
          }

          @Override
          public Optional<Definition> find(String hash) {
            return Optional.of(own).filter(known -> known.hash().equals(hash));
          }
        },
        types);
  }

  /**
   * The graphs that are deployed in a store under this type, or under types with this prefix:
   * {@code media.%}.
   */
  public static GraphType deployed(String type, Store store, NodeTypes types) {
    return new GraphType(
        type,
        new GraphProgram.Sources() {
          @Override
          public Optional<Definition> newest(String asked) {
            return store.definitions(asked).stream().filter(GraphType::isGraph).findFirst();
          }

          @Override
          public Optional<Definition> find(String hash) {
            return store.definition(hash).filter(GraphType::isGraph);
          }
        },
        types);
  }

  private static boolean isGraph(Definition definition) {
    return definition.kind().equals(KIND);
  }

  /** What to deploy, so that workers elsewhere can carry out runs of the type. */
  public static Definition definition(String type, Graph graph) {
    return Definition.of(type, KIND, graph.json());
  }

  @Override
  public String type() {
    return type;
  }

  @Override
  public JsonType<Json> input() {
    return JsonType.of(Json.class);
  }

  @Override
  public JsonType<Json> output() {
    return JsonType.of(Json.class);
  }

  @Override
  public Retry retry() {
    return Retry.standard();
  }

  @Override
  public Program program() {
    return program;
  }
}
