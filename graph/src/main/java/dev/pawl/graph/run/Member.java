package dev.pawl.graph.run;

import dev.pawl.graph.check.Wiring;
import dev.pawl.log.Failure;
import java.time.Duration;
import java.util.Optional;

/** A node that is being executed: an {@link Actor} or a {@link TriggerActor}. */
sealed interface Member permits Actor, TriggerActor {
  /** What has become of it. */
  enum Outcome {
    OPEN,
    COMPLETED,
    FAILED,
    /** It could not complete, because another failed. */
    VOID
  }

  Wiring.Place place();

  Outcome outcome();

  Optional<Failure> failure();

  /** Whether it has begun. */
  boolean isStarted();

  int attempt();

  /** How long it has been executed, or was. */
  Duration took();

  Inbox inbox();

  /** Everything it does, on a thread of its own. */
  void live() throws Exception;

  /** Puts on record how far it has come, while nothing moves. */
  void settle();

  /** Sends it home: the turn is over. */
  void stop();
}
