package dev.pawl.graph.node;

import dev.pawl.blob.Blob;
import dev.pawl.blob.BlobStore;
import dev.pawl.json.Json;
import dev.pawl.log.RunId;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the code of a node can ask for. Belongs to the node's own thread. */
public interface NodeContext {
  /** The run the node is executed in. */
  RunId run();

  /** The payload of the run. */
  Json payload();

  /** The node's id in its graph. */
  String node();

  /** The number of this execution of the node, from 1. */
  int attempt();

  Json properties();

  /** Whether more than one message may come to an input handle. */
  boolean streams(String handle);

  /** A text that is the same for all attempts at this batch, and for no other. */
  String key();

  /** What the last checkpoint said, if there was one. */
  Optional<Json> state();

  /**
   * Remembers how far the node has come: what it has read up to now will not come again, what it
   * has put out is on record. When this returns, that is durable.
   */
  void checkpoint(@Nullable Object state) throws Exception;

  /** Waits this long, durably: the run may be suspended meanwhile. */
  void sleep(Duration time) throws Exception;

  /** The store's clock. */
  Instant now();

  /** Starts a child run for this batch, or finds the one that an earlier attempt has started. */
  Child start(String type, Json payload, long batch) throws Exception;

  /** A child run that a node waits for. */
  interface Child {
    RunId id();

    /**
     * Its result; waits for it, durably.
     *
     * @throws dev.pawl.work.FailedException if it failed or was cancelled
     */
    Json result() throws Exception;
  }

  /**
   * Keeps content that is too large to be a message, piece by piece, for as long as the run is
   * there. Put out what this returns in its place.
   */
  Blob blob(BlobStore.Content content) throws Exception;

  /**
   * The content of a blob, checked while it is read: its last bytes come only if all of it is what
   * was written.
   */
  InputStream open(Blob blob) throws Exception;

  /** Keeps something for as long as this execution of the node lasts. */
  void keep(Object resource);

  /** What was kept. */
  <T> T kept(Class<T> type);
}
