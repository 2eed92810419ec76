package dev.pawl;

import dev.pawl.error.PawlException;
import dev.pawl.log.Event;
import dev.pawl.log.History;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.NewRun;
import java.util.List;

/** Where a run can be taken back to. */
final class Reopening {
  private Reopening() {}

  /**
   * Up to where to keep the run's log so that the step and all behind it are done again.
   *
   * @throws PawlException with {@code NOT_FOUND} if there is no such step, or with {@code
   *     UNSUPPORTED} if the run's program has none at all
   */
  static long keepBefore(Run run, History history, String step) {
    return history.keepBefore(step).orElseThrow(() -> noSuchStep(run, history, step));
  }

  private static PawlException noSuchStep(Run run, History history, String step) {
    boolean stepless =
        run.definition().isPresent()
            && history.entries().stream()
                .noneMatch(entry ->
                    entry.event() instanceof Event.StepCompleted
                        || entry.event() instanceof Event.StepFailed
                        || entry.event() instanceof NodeEvent);
    return stepless
        ? PawlException.unsupported(
            "run "
                + run.id()
                + " has no step '"
                + step
                + "': the program of "
                + run.type()
                + " is a definition and has no steps to go back to; 'pawl retry "
                + run.id()
                + "' goes back to where it failed")
        : PawlException.notFound(
            "run "
                + run.id()
                + " has no step '"
                + step
                + "' on record; 'pawl show "
                + run.id()
                + "' lists what there is");
  }

  /** A new run with the same input and what is on record before the step. */
  static NewRun fork(RunId fresh, Run source, History history, String step) {
    List<Event> checkpoints = history.checkpoints(keepBefore(source, history, step));
    return NewRun.of(fresh, source.type(), source.payload())
        .withPriority(source.priority())
        .withMaxAttempts(source.maxAttempts())
        .withTags(source.tags())
        .withTtl(source.ttl())
        .withOrigin(new NewRun.Origin(source.id(), source.since(), checkpoints));
  }
}
