package dev.pawl.graph.check;

import dev.pawl.graph.definition.Edge;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.Node;
import dev.pawl.graph.definition.Tree;
import dev.pawl.graph.node.Handle;
import dev.pawl.graph.node.HandleType;
import dev.pawl.graph.node.NodeType;
import dev.pawl.graph.node.Shape;
import dev.pawl.json.Json;
import dev.pawl.work.Retry;
import java.util.List;
import java.util.Optional;

/**
 * A sound graph with everything looked up: types, handles, which edges belong to which. Immutable.
 */
public record Wiring(Graph graph, List<Place> places, List<Wire> wires) {
  /** The place of the control edges among the input handles of a node. */
  public static final int CONTROL = -1;

  /** The handle that failures come out of. */
  public static final String ERROR = "error";

  public Wiring {
    places = List.copyOf(places);
    wires = List.copyOf(wires);
  }

  /**
   * A node in its place.
   *
   * @param streaming whether it may put out more than one message on a handle
   */
  public record Place(
      int index,
      Node node,
      NodeType type,
      Shape shape,
      List<Wire> in,
      List<Wire> out,
      boolean streaming) {
    public String id() {
      return node.id();
    }

    public Retry retry() {
      return node.retry().orElseGet(type::retry);
    }

    public boolean hasErrorEdge() {
      return out.stream().anyMatch(wire -> wire.edge().kind() == Edge.Kind.ERROR);
    }

    /** The edges into the input handle with this number, {@link #CONTROL} for control. */
    public List<Wire> into(int handle) {
      return in.stream().filter(wire -> wire.input() == handle).toList();
    }

    /** Whether all that comes to the handle is put into one list. */
    public boolean collects(int handle) {
      Handle input = shape.inputs().get(handle);
      List<Wire> into = into(handle);
      return input.type().isList()
          && (into.size() > 1 || into.stream().anyMatch(wire -> !maybeList(wire)));
    }

    private static boolean maybeList(Wire wire) {
      return wire.output().type().accepts(HandleType.listOf(HandleType.ANY));
    }
  }

  /**
   * An edge in its place.
   *
   * @param edge with both handles named
   * @param input the number of the input handle, {@link #CONTROL} for control
   * @param stream whether more than one message may come over it
   */
  public record Wire(
      int index, Edge edge, int source, int target, Handle output, int input, boolean stream) {
    public String id() {
      return edge.id();
    }
  }

  public Place place(int index) {
    return places.get(index);
  }

  public Optional<Place> find(String id) {
    return places.stream().filter(place -> place.id().equals(id)).findFirst();
  }

  /** The name under which the graph knows an input or output node. */
  public static String name(Node node) {
    Json name = node.properties().member("name");
    return name.isNull() || !name.text().startsWith("\"")
        ? node.id()
        : String.valueOf(Tree.read(name));
  }
}
