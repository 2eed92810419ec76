package dev.pawl.graph.kind;

import dev.pawl.graph.definition.Tree;
import dev.pawl.graph.node.Batch;
import dev.pawl.graph.node.Handle;
import dev.pawl.graph.node.HandleType;
import dev.pawl.graph.node.NodeCode;
import dev.pawl.graph.node.NodeContext;
import dev.pawl.graph.node.NodeType;
import dev.pawl.graph.node.NodeType.Mode;
import dev.pawl.graph.node.NodeType.Role;
import dev.pawl.graph.node.Shape;
import dev.pawl.graph.node.Value;
import dev.pawl.json.Json;
import dev.pawl.log.Names;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that are runs of their own: {@code task}, {@code flow}, {@code script} and {@code graph}
 * all start a child of the type they name, in whatever language its workers are written.
 *
 * <p>The payload of the child is what comes to the handle {@code input}; with the property {@code
 * inputs}, an object of what comes to the handles it lists. Its result goes out at {@code output};
 * with the property {@code outputs}, its members go out at the handles listed. Up to {@code
 * parallel} children run side by side; what they give goes out in the order of the batches. The
 * retry policy of a {@code task} is that of its runs. The others are started anew for each attempt,
 * and the limit of an attempt is that of the child.
 */
final class Runs {
  private Runs() {}

  static List<NodeType> types() {
    return List.of(
        type("task", Role.TASK),
        type("flow", Role.CHILD),
        type("script", Role.CHILD),
        type("graph", Role.CHILD));
  }

  private static NodeType type(String name, Role role) {
    return NodeType.raw(name, Mode.EACH, Runs::shape, Calls::new).as(role).pure();
  }

  private static Shape shape(Json properties) {
    Names.checkType(Property.neededText(properties, "type"));
    Property.number(properties, "parallel", 1);
    return new Shape(
        handles(properties, "inputs", "input"), handles(properties, "outputs", "output"));
  }

  private static List<Handle> handles(Json properties, String property, String only) {
    List<String> names = Property.texts(properties, property);
    List<Handle> handles = new ArrayList<>();
    for (String name : names.isEmpty() ? List.of(only) : names) {
      handles.add(new Handle(name, HandleType.ANY, false, false));
    }
    return handles;
  }

  /** Starts a child for each batch, and hands on what they give in order. */
  private static final class Calls implements NodeCode.Streaming {
    private final String type;
    private final long parallel;
    private final List<String> inputs;
    private final List<String> outputs;
    private final Deque<NodeContext.Child> open = new ArrayDeque<>();

    Calls(Json properties) {
      this.type = Property.neededText(properties, "type");
      this.parallel = Property.number(properties, "parallel", 1);
      this.inputs = Property.texts(properties, "inputs");
      this.outputs = Property.texts(properties, "outputs");
    }

    @Override
    public void process(NodeContext context, Batches in, Outputs out) throws Exception {
      boolean more = true;
      while (more || !open.isEmpty()) {
        Batch batch = open.isEmpty() ? in.next() : open.size() < parallel ? in.poll() : null;
        if (batch != null) {
          open.add(context.start(type, payload(batch), batch.number()));
        } else if (open.isEmpty()) {
          more = false;
        } else {
          put(open.remove().result(), out);
        }
      }
    }

    private Json payload(Batch batch) {
      if (inputs.isEmpty()) {
        return batch.get("input").json();
      }
      Map<String, @Nullable Object> object = new LinkedHashMap<>();
      batch.values().forEach((name, value) -> object.put(name, value.json()));
      return Tree.write(object);
    }

    private void put(Json result, Outputs out) throws Exception {
      if (outputs.isEmpty()) {
        out.put("output", Value.of(result));
      }
      for (String name : outputs) {
        out.put(name, Value.of(result.member(name)));
      }
    }
  }
}
