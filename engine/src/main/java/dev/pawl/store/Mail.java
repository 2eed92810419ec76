package dev.pawl.store;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import java.time.Instant;
import java.util.UUID;

/**
 * A message in a run's mailbox. {@code id} orders messages by arrival and names the one that is
 * consumed.
 */
public sealed interface Mail {
  long id();

  Instant at();

  /** Whether it is what the wait is for. */
  default boolean answers(Wait wait) {
    return switch (this) {
      case Signal signal ->
          wait instanceof Wait.Signal wanted && wanted.name().equals(signal.name());
      case ChildOutcome outcome -> wait instanceof Wait.Child;
      case Topic event -> wait instanceof Wait.Topic wanted && wanted.topic().equals(event.topic());
      case Cancel cancel -> false;
    };
  }

  record Signal(long id, Instant at, UUID message, String name, Json value) implements Mail {}

  record ChildOutcome(long id, Instant at, RunId child, Event.ChildResult result) implements Mail {}

  record Cancel(long id, Instant at, String reason) implements Mail {}

  /**
   * An event on a topic the run waits on. It is everybody's, so it is not consumed: {@code id} is
   * its position.
   */
  record Topic(long id, Instant at, UUID message, String topic, Json value) implements Mail {}
}
