package dev.pawl.graph;

import dev.pawl.graph.kind.Kinds;
import dev.pawl.graph.node.NodeType;
import dev.pawl.graph.node.NodeTypes;

/** The types of nodes to begin with. */
public final class Nodes {
  private Nodes() {}

  /** The types that come along, and these. */
  public static NodeTypes with(NodeType... own) {
    return new NodeTypes().addAll(Kinds.all()).add(own);
  }
}
