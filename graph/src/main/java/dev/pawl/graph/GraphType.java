package dev.pawl.graph;

import dev.pawl.graph.check.GraphCheck;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.node.NodeTypes;
import dev.pawl.graph.run.GraphProgram;
import dev.pawl.json.Json;
import dev.pawl.json.JsonType;
import dev.pawl.log.Names;
import dev.pawl.store.Definition;
import dev.pawl.work.Program;
import dev.pawl.work.Retry;
import dev.pawl.work.RunType;

/**
 * A graph as a type of run: what goes in is an object with the values of its input nodes, what
 * comes out one with those of its output nodes. Immutable.
 */
public final class GraphType implements RunType<Json, Json> {
  private final Definition definition;
  private final NodeTypes types;

  private GraphType(Definition definition, NodeTypes types) {
    this.definition = definition;
    this.types = types;
  }

  /**
   * A graph that this program knows.
   *
   * @throws dev.pawl.error.PawlException that names everything that is wrong with it
   */
  public static GraphType of(String type, Graph graph, NodeTypes types) {
    GraphCheck.wire(graph, types);
    return new GraphType(Graphs.definition(Names.checkType(type), graph), types);
  }

  @Override
  public String type() {
    return definition.type();
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
    return new GraphProgram(types).of(definition);
  }
}
