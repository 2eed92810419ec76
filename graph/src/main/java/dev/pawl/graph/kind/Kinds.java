package dev.pawl.graph.kind;

import dev.pawl.graph.node.Expressions;
import dev.pawl.graph.node.NodeType;
import java.util.List;
import java.util.stream.Stream;

/** All types that come along. */
public final class Kinds {
  private Kinds() {}

  /** Those that need nothing else. */
  public static List<NodeType> all() {
    return Stream.of(Plain.types(), Runs.types(), Triggers.types(), Http.types())
        .flatMap(List::stream)
        .toList();
  }

  /** Those with expressions in this language: {@code expression}, {@code map}, {@code filter}. */
  public static List<NodeType> with(Expressions language) {
    return Expressive.types(language);
  }
}
