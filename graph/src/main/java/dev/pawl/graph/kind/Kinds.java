package dev.pawl.graph.kind;

import dev.pawl.graph.node.NodeType;
import java.util.List;
import java.util.stream.Stream;

/** All types that come along. */
public final class Kinds {
  private Kinds() {}

  public static List<NodeType> all() {
    return Stream.of(Plain.types(), Runs.types(), Triggers.types(), Http.types())
        .flatMap(List::stream)
        .toList();
  }
}
