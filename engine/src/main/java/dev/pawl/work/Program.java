package dev.pawl.work;

import dev.pawl.log.Event;

/**
 * What a kind of program does with one turn of a run. Thread-safe: called for many runs at once.
 */
@FunctionalInterface
public interface Program {
  /**
   * Carries out one turn and says how it ends. Whatever was recorded with the turn and not yet
   * flushed is committed together with that end. An exception ends the turn as the retry policy has
   * it.
   */
  Event.TurnEnd run(Turn turn) throws Exception;
}
