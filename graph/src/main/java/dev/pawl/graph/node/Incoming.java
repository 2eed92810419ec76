package dev.pawl.graph.node;

import org.jspecify.annotations.Nullable;

/** The batches of a typed node, each as one record. */
@FunctionalInterface
public interface Incoming<I> {
  /** The next one; waits for it. Null when there will be none. */
  @Nullable I next() throws Exception;
}
