package dev.pawl.graph.definition;

import dev.pawl.json.Json;
import dev.pawl.work.Retry;
import java.util.Optional;

/**
 * One node of a graph.
 *
 * @param type the name of its type
 * @param properties what its type wants to know, an object
 * @param sync how messages of several handles are put together
 * @param buffer how many messages may wait in each of its lines; empty for the usual number
 * @param retry what happens when it fails, if not what its type says
 */
public record Node(
    String id,
    String type,
    Json properties,
    Sync sync,
    Optional<Integer> buffer,
    Optional<Retry> retry) {

  /** How the messages of several input handles become batches. */
  public enum Sync {
    /**
     * The first when every handle has one, then one for each arrival, with the latest of others.
     */
    ON_ANY,
    /** One of each; a value that does not come from a stream stays. */
    ZIP_ALL
  }

  public static Node of(String id, String type, Json properties) {
    return new Node(id, type, properties, Sync.ON_ANY, Optional.empty(), Optional.empty());
  }
}
