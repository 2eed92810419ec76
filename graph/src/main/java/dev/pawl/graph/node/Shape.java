package dev.pawl.graph.node;

import java.util.List;
import java.util.Optional;

/** The handles of a node. */
public record Shape(List<Handle> inputs, List<Handle> outputs) {
  public Shape {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  public Optional<Handle> input(String name) {
    return find(inputs, name);
  }

  public Optional<Handle> output(String name) {
    return find(outputs, name);
  }

  private static Optional<Handle> find(List<Handle> handles, String name) {
    return handles.stream().filter(handle -> handle.name().equals(name)).findFirst();
  }
}
