package dev.pawl.graph;

import dev.pawl.graph.kind.Kinds;
import dev.pawl.graph.node.Expressions;
import dev.pawl.graph.node.NodeType;
import dev.pawl.graph.node.NodeTypes;

/** The types of nodes to begin with. */
public final class Nodes {
  private Nodes() {}

  /** The types that come along, and these. */
  public static NodeTypes with(NodeType... own) {
    return new NodeTypes().addAll(Kinds.all()).add(own);
  }

  /** As {@link #with(NodeType...)}, and those with expressions in this language. */
  public static NodeTypes with(Expressions language, NodeType... own) {
    return with(own).addAll(Kinds.with(language));
  }
}
