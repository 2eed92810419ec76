package dev.pawl.graph.node;

import org.jspecify.annotations.Nullable;

/**
 * What a node does. One is made for each execution of a node and used by one thread.
 *
 * <p>A node is called with one batch after the other, and has nothing to remember between them; or
 * it reads its batches itself, and may make checkpoints of what it remembers.
 */
public sealed interface NodeCode {
  /** Called once before the first batch. */
  default void initialize(NodeContext context) throws Exception {}

  /** Called once after the last batch, also if one failed. */
  default void finish(NodeContext context) throws Exception {}

  /** Is called with each batch. */
  non-sealed interface Batchwise extends NodeCode {
    void process(NodeContext context, Batch in, Outputs out) throws Exception;
  }

  /** Reads batches until there are no more. */
  non-sealed interface Streaming extends NodeCode {
    void process(NodeContext context, Batches in, Outputs out) throws Exception;
  }

  /** The batches that come to a node, in order. */
  interface Batches {
    /** The next batch; waits for it. Null when there will be none. */
    @Nullable Batch next() throws Exception;

    /** The next batch if it is there already, else null. */
    @Nullable Batch poll() throws Exception;
  }

  /** Where a node puts what it makes. */
  interface Outputs {
    /** Puts out one message; waits while the receivers have no room. */
    void put(String handle, @Nullable Object value) throws Exception;
  }
}
