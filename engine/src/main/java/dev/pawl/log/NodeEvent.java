package dev.pawl.log;

import dev.pawl.json.Json;
import java.time.Instant;
import java.util.Optional;

/**
 * What the log of a graph's run says of its nodes. {@code node} is the node's id in the graph;
 * {@code attempt} numbers its executions from 1.
 *
 * <p>The chunks of a stream are not events: they are in the outputs of the node's checkpoints and
 * of its completion, in one compressed entry for each output handle.
 */
public sealed interface NodeEvent extends Event.OfGraph {
  String node();

  /** What came to a trigger from outside: no rewind takes it back, for nobody sends it again. */
  sealed interface OfTrigger extends NodeEvent {}

  /** The node has what it needs, and will be executed. */
  record Scheduled(String node, String type, int attempt) implements NodeEvent {}

  /** The node's execution began. {@code inputs} names the messages it began with, by handle. */
  record Started(String node, int attempt, Json inputs) implements NodeEvent {}

  /**
   * The node can go on from here: {@code state} is its own, {@code positions} says by edge how many
   * messages it is done with, {@code outputs} holds what it has put out since its last checkpoint.
   */
  record Checkpointed(String node, int attempt, Json state, Json positions, Json outputs)
      implements NodeEvent {}

  /** The node's one result: all that it has put out, by handle. */
  record Completed(String node, int attempt, Json outputs, long millis) implements NodeEvent {}

  /** An attempt at the node failed; with no {@code retryAt} it was the last one. */
  record Failed(String node, int attempt, Failure failure, Optional<Instant> retryAt)
      implements NodeEvent {}

  /** A trigger waits for inputs from now on. */
  record TriggerRegistered(String node, String trigger, Json config) implements OfTrigger {}

  /**
   * An input came to a trigger, the first with this id. One that was {@code mailed} came out of the
   * run's mailbox.
   */
  record TriggerInput(String node, String input, Json data, String cursor, boolean mailed)
      implements OfTrigger {}

  /** Everything up to this input was worked off: {@code count} inputs since the last time. */
  record TriggerAdvanced(String node, String cursor, long count) implements OfTrigger {}

  /**
   * A message to the other end of an edge, or to a child, is on record; {@code data} says what is
   * not in the node's outputs.
   */
  record OutboxEnqueued(String node, String edge, String message, Json data) implements NodeEvent {}

  /** The receiver is done with the message: it is never delivered again. */
  record OutboxSent(String node, String edge, String message) implements NodeEvent {}
}
