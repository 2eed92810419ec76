package dev.pawl.graph.node;

/**
 * A named place of a node where messages come in or go out.
 *
 * @param many of an input: whether several edges may lead to it
 * @param needed of an input: whether it must have an edge, or a property of its name
 */
public record Handle(String name, HandleType type, boolean many, boolean needed) {
  public static Handle of(String name, HandleType type) {
    return new Handle(name, type, type.isList(), false);
  }

  public Handle forMany() {
    return new Handle(name, type, true, needed);
  }

  public Handle asNeeded() {
    return new Handle(name, type, many, true);
  }
}
