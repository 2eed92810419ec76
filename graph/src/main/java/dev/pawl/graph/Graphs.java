package dev.pawl.graph;

import dev.pawl.graph.check.GraphCheck;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.node.NodeTypes;
import dev.pawl.graph.run.GraphProgram;
import dev.pawl.graph.run.Signals;
import dev.pawl.json.Json;
import dev.pawl.store.Definition;
import dev.pawl.work.DefinedProgram;
import java.util.Optional;

/**
 * Graphs that are deployed in a store.
 *
 * <pre>{@code
 * pawl.register(Graphs.all(Nodes.with(MY_NODE)));
 * pawl.work();
 * pawl.deploy(Graphs.define("thumbnails.json", text, Nodes.with(MY_NODE)));
 * pawl.start("thumbnails", inputs, o -> o);
 * }</pre>
 */
public final class Graphs {
  /** What the store calls the definition of a graph. */
  public static final String KIND = GraphProgram.KIND;

  /** How the name of a graph's file ends. */
  public static final String SUFFIX = ".json";

  private Graphs() {}

  /** Carries out every type that has a graph in the store, also those deployed later. */
  public static DefinedProgram all(NodeTypes types) {
    return new GraphProgram(types);
  }

  /** What to deploy, so that workers elsewhere can carry out runs of the type. */
  public static Definition definition(String type, Graph graph) {
    return Definition.of(type, KIND, graph.json());
  }

  /**
   * Reads a graph and works out its type: its name, else that of the file without {@code .json}.
   *
   * @throws dev.pawl.error.PawlException that names everything that is wrong with it
   */
  public static Definition define(String fileName, String text, NodeTypes types) {
    Graph graph = Graph.parse(text);
    GraphCheck.wire(graph, types);
    return Definition.of(type(fileName, graph), KIND, text);
  }

  /** The type of a graph in a file. */
  public static String type(String fileName, Graph graph) {
    String last = fileName.substring(fileName.lastIndexOf('/') + 1);
    String bare = last.endsWith(SUFFIX) ? last.substring(0, last.length() - SUFFIX.length()) : last;
    return graph.name().isEmpty() ? bare : graph.name();
  }

  /** The name of the signal that brings an input to the manual trigger with this id. */
  public static String signal(String node) {
    return Signals.name(node);
  }

  /** The value of that signal: an input that counts once for its id. */
  public static Json input(Optional<String> id, Optional<String> cursor, Json data) {
    return Signals.input(id, cursor, data);
  }

  /** The value of that signal: there will be no more inputs. */
  public static Json end() {
    return Signals.end();
  }
}
