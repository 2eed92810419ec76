package dev.pawl.graph.node;

import dev.pawl.error.PawlException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** The types of nodes that are known here, by name. Thread-safe. */
public final class NodeTypes {
  private final Map<String, NodeType> types = new ConcurrentSkipListMap<>();

  /** Adds types. */
  public NodeTypes add(NodeType... more) {
    for (NodeType type : more) {
      if (types.putIfAbsent(type.name(), type) != null) {
        throw PawlException.conflict("the node type '" + type.name() + "' is registered already");
      }
    }
    return this;
  }

  public NodeTypes addAll(Collection<NodeType> more) {
    return add(more.toArray(NodeType[]::new));
  }

  public Optional<NodeType> find(String name) {
    return Optional.ofNullable(types.get(name));
  }

  public Map<String, NodeType> all() {
    return new TreeMap<>(types);
  }
}
