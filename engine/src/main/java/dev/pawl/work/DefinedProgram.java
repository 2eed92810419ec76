package dev.pawl.work;

import dev.pawl.log.Event;
import dev.pawl.store.Definition;

/**
 * What carries out the runs of all types that have a definition of one kind in the store.
 * Thread-safe: called for many runs at once.
 */
public interface DefinedProgram {
  /** The word for it in {@link Definition#kind}. */
  String kind();

  /** How failures are retried, unless the run says otherwise. */
  Retry retry();

  /**
   * Carries out one turn, as {@link Program.Direct#run}. The run is bound to the definition: if it
   * was not before, that is recorded as the first event of the turn.
   */
  Event.TurnEnd run(Turn turn, Definition definition) throws Exception;
}
