package dev.pawl.work;

import dev.pawl.log.Event;
import dev.pawl.store.Activation;

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

  /**
   * Whether the run stands ready in memory, just as it is claimed here. Then its turn may begin
   * before its lease is durable; whatever is noticed outside waits for {@link Turn#flush}.
   */
  default boolean isReady(Activation activation) {
    return false;
  }
}
