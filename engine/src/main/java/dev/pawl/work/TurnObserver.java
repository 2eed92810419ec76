package dev.pawl.work;

import dev.pawl.log.Event;

/**
 * Is told how the turns of a worker end, once that is durable, each on a thread of its own, and
 * before those are who wait for the run. A turn keeps its place meanwhile: a slow observer holds up
 * the worker. What it throws is logged and forgotten. Must be thread-safe.
 */
public interface TurnObserver {
  /** For when nobody wants to know. */
  TurnObserver NONE = (turn, end) -> {};

  /** The turn has ended: the run too, or it waits, is tried again, or was given back. */
  void ended(Turn turn, Event.TurnEnd end);

  /** The lease was lost: somebody else has the run, or it has ended, and nothing was written. */
  default void lost(Turn turn) {}
}
