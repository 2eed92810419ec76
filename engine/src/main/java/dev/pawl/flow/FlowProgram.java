package dev.pawl.flow;

import static java.util.Objects.requireNonNull;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.History;
import dev.pawl.log.RunId;
import dev.pawl.store.Activation;
import dev.pawl.work.Program;
import dev.pawl.work.Turn;
import java.lang.ref.SoftReference;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the turns of a flow's runs.
 *
 * <p>A suspended flow's thread stays parked in a bounded cache. If the run comes back with nothing
 * foreign in its log, the thread goes on where it stood; otherwise, or if it was pushed out of the
 * cache, the code is run again from the top over what the log remembers. A thread that is dropped
 * is simply never woken: nothing is thrown through the flow's code, and the collector takes the
 * thread with everything it held.
 */
final class FlowProgram<I, O> implements Program {
  /** More are forgotten, and before that whatever the collector needs the room of. */
  private static final int MAX_PARKED = 16_384;

  private static final Duration TROUBLE_DELAY = Duration.ofSeconds(1);

  private final Flow<I, O> flow;
  private final Consumer<Execution<I, O>> parking = this::park;
  private final Map<RunId, SoftReference<Execution<I, O>>> parked =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(
            Map.Entry<RunId, SoftReference<Execution<I, O>>> eldest) {
          return size() > MAX_PARKED;
        }
      };

  FlowProgram(Flow<I, O> flow) {
    this.flow = flow;
  }

  @Override
  public synchronized boolean isReady(Activation activation) {
    return kept(activation.run().id())
        .filter(execution -> execution.continuesAt(activation))
        .isPresent();
  }

  @Override
  public void begin(Turn turn, Ending ending) {
    unpark(turn)
        .ifPresentOrElse(
            kept -> kept.resume(turn, ending),
            () -> Execution.startThread(new Opening(turn, ending)));
  }

  /**
   * What the thread of a flow begins with. It never forgets that; so this forgets the turn, which
   * is soon over.
   */
  private final class Opening implements Runnable {
    private @Nullable Turn turn;
    private @Nullable Ending ending;

    Opening(Turn turn, Ending ending) {
      this.turn = turn;
      this.ending = ending;
    }

    @Override
    public void run() {
      Runnable code = prepare(requireNonNull(turn), requireNonNull(ending));
      turn = null;
      ending = null;
      code.run();
    }
  }

  /** What the thread of a flow is to do that runs from the top. */
  private Runnable prepare(Turn turn, Ending ending) {
    try {
      List<Entry> log = read(turn);
      Memory memory = new Memory(History.of(log), History.reopenedAt(log));
      return new Execution<>(flow, memory, turn, ending, parking)::runCode;
    } catch (Throwable e) {
      if (e instanceof PawlException problem && problem.code() == ErrorCode.STORE_UNAVAILABLE) {
        // That is no failure of the flow: the run goes back as it is, and uses up no attempt.
        String why = "the store could not be read: " + problem.getMessage();
        return () -> ending.end(new Event.Released(why, turn.now().plus(TROUBLE_DELAY)));
      }
      return () -> ending.fail(e);
    }
  }

  private static List<Entry> read(Turn turn) {
    // One that stood ready and was dropped in that moment waits for its lease: the log ends with
    // it.
    turn.flush();
    boolean first = turn.activation().seq() <= 2;
    return first ? List.of() : turn.archive().history();
  }

  private synchronized Optional<Execution<I, O>> unpark(Turn turn) {
    Optional<Execution<I, O>> execution = kept(turn.run().id());
    parked.remove(turn.run().id());
    return execution.filter(kept -> kept.continuesAt(turn.activation()));
  }

  private Optional<Execution<I, O>> kept(RunId run) {
    return Optional.ofNullable(parked.get(run)).map(SoftReference::get);
  }

  private synchronized void park(Execution<I, O> execution) {
    parked.put(execution.run(), new SoftReference<>(execution));
  }
}
