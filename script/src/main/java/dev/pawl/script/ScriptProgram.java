package dev.pawl.script;

import dev.pawl.error.PawlException;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.script.lang.Limits;
import dev.pawl.script.lang.Machine;
import dev.pawl.script.lang.RunContext;
import dev.pawl.script.lang.Script;
import dev.pawl.script.lang.SnapshotException;
import dev.pawl.store.Definition;
import dev.pawl.work.DefinedProgram;
import dev.pawl.work.Retry;
import dev.pawl.work.Turn;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Carries out the turns of scripts. A run that was suspended here and not touched since goes on in
 * memory; any other is restored from its last suspension. Thread-safe.
 */
final class ScriptProgram implements DefinedProgram {
  private static final Duration TOO_NEW_DELAY = Duration.ofSeconds(30);
  private static final Resumption IN_MEMORY =
      new Resumption(Optional.empty(), List.of(), Optional.empty());

  private final Limits limits;
  private final Retry retry = Retry.standard();
  private final WarmRuns warm = new WarmRuns();

  ScriptProgram(Limits limits) {
    this.limits = limits;
  }

  @Override
  public String kind() {
    return Scripts.KIND;
  }

  @Override
  public Retry retry() {
    return retry;
  }

  @Override
  public Event.TurnEnd run(Turn turn, Definition definition) {
    try {
      Optional<ScriptRun> kept = warm.take(turn.activation());
      return kept.isPresent() ? goOn(turn, kept.get(), IN_MEMORY) : restore(turn, definition);
    } catch (SnapshotException e) {
      return unreadable(turn, e);
    } catch (ScriptRefused e) {
      return failed(
          turn.run(),
          "BAD_DEFINITION",
          "the script " + definition.hash() + " cannot be read: " + e.getMessage());
    } catch (PawlException e) {
      // What the turn has recorded is the first half of it, and would be done again otherwise.
      turn.forget();
      throw e;
    }
  }

  private Event.TurnEnd restore(Turn turn, Definition definition) {
    Resumption from = Resumption.find(turn);
    Optional<Event.TurnEnd> early = from.suspension().isEmpty() ? tooLate(turn) : Optional.empty();
    if (early.isPresent()) {
      return early.get();
    }
    Compiled.Program program = Compiled.SHARED.of(definition);
    TurnHost host = new TurnHost();
    Optional<SavedState> saved = from.suspension().flatMap(SavedState::read);
    Machine machine =
        saved.isPresent()
            ? saved.get().machine(program.script(), host, limits)
            : begin(turn.run(), program.script(), host);
    Ledger ledger = saved.map(SavedState::ledger).orElseGet(Ledger::new);
    return goOn(turn, new ScriptRun(machine, ledger, host, program.cleansUp(), retry), from);
  }

  /** The end of a run that was cancelled or has run out of time before it could begin. */
  private static Optional<Event.TurnEnd> tooLate(Turn turn) {
    Run run = turn.run();
    if (turn.cancelReason().isPresent()) {
      return turn.cancelReason().map(Event.Cancelled::new);
    }
    return run.deadline()
        .filter(at -> !at.isAfter(turn.activation().now()))
        .map(at ->
            failed(
                run,
                "TIMEOUT",
                "run " + run.id() + " of " + run.type() + " was to be over before it began"));
  }

  private Machine begin(Run run, Script script, TurnHost host) {
    RunContext context = new RunContext(run.id().toString(), run.type(), run.attempt());
    return Machine.start(script, run.payload().text(), context, host, limits);
  }

  private Event.TurnEnd goOn(Turn turn, ScriptRun run, Resumption from) {
    Event.TurnEnd end = run.proceed(turn, from);
    if (end instanceof Event.Suspended) {
      warm.keep(turn.run().id(), run);
    }
    return end;
  }

  /**
   * A damaged state is the end of the run; one that is too new for this worker waits for another.
   */
  private Event.TurnEnd unreadable(Turn turn, SnapshotException e) {
    return e.code() == SnapshotException.Code.SNAPSHOT_TOO_NEW
        ? new Event.Released(String.valueOf(e.getMessage()), turn.now().plus(TOO_NEW_DELAY))
        : failed(turn.run(), e.code().name(), String.valueOf(e.getMessage()));
  }

  private static Event.Failed failed(Run run, String code, String message) {
    return new Event.Failed(
        Failure.of(code, message).from(Errors.source(run)).atAttempt(run.attempt()));
  }
}
