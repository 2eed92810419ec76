package dev.pawl.store;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import java.time.Instant;
import java.util.UUID;

/**
 * A message in a run's mailbox. {@code id} orders messages by arrival and names the one that is
 * consumed.
 */
public sealed interface Mail {
  long id();

  Instant at();

  record Signal(long id, Instant at, UUID message, String name, Json value) implements Mail {}

  record ChildOutcome(long id, Instant at, RunId child, Event.ChildResult result) implements Mail {}

  record Cancel(long id, Instant at, String reason) implements Mail {}

  /**
   * An event on a topic the run waits on. It is everybody's, so it is not consumed: {@code id} is
   * its position.
   */
  record Topic(long id, Instant at, UUID message, String topic, Json value) implements Mail {}
}
