package dev.pawl.work;

import dev.pawl.log.Event;
import dev.pawl.store.Activation;

/**
 * What a kind of program does with one turn of a run. Thread-safe: called for many runs at once.
 */
public interface Program {
  /**
   * Begins a turn, on a thread of the program's own, which says in the end how it ends. Waits for
   * nothing: whoever commits may call this.
   */
  void begin(Turn turn, Ending ending);

  /**
   * Whether the run stands ready in memory, just as it is claimed here. Then its turn may begin
   * before its lease is durable; whatever is noticed outside waits for {@link Turn#flush}.
   */
  default boolean isReady(Activation activation) {
    return false;
  }

  /** How a turn ends, which is said once: what is said later counts for nothing. Thread-safe. */
  interface Ending {
    /** For while there is no turn. */
    Ending NONE =
        new Ending() {
          @Override
          public void end(Event.TurnEnd end) {}

          @Override
          public void fail(Throwable error) {}
        };

    /**
     * The turn ends like this. Whatever was recorded with it and not yet flushed is committed
     * together with the end; that is not waited for.
     */
    void end(Event.TurnEnd end);

    /**
     * The turn ends as the retry policy has it; with {@link Turn.LeaseLost} it has come to nothing.
     */
    void fail(Throwable error);
  }

  /** A program whose turn is one call. */
  @FunctionalInterface
  interface Direct extends Program {
    /** Carries out one turn and says how it ends; an exception ends it as {@link Ending#fail}. */
    Event.TurnEnd run(Turn turn) throws Exception;

    @Override
    default void begin(Turn turn, Ending ending) {
      Thread.ofVirtual()
          .name("pawl-turn")
          .start(() -> {
            Event.TurnEnd end;
            try {
              end = run(turn);
            } catch (Throwable e) {
              ending.fail(e);
              return;
            }
            ending.end(end);
          });
    }
  }
}
