package dev.pawl.graph.node;

/** Takes the messages of a typed node, one for each component of the record that is not null. */
@FunctionalInterface
public interface Emitter<O> {
  /** Puts it out; waits while the receivers have no room. */
  void emit(O output) throws Exception;
}
