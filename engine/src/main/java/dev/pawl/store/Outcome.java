package dev.pawl.store;

import dev.pawl.error.PawlException;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What came of a command. */
public sealed interface Outcome {

  /** The run is recorded; with an activation if it was leased to the claimant at once. */
  record Started(Run run, Optional<Activation> activation) implements Outcome {}

  /** A run with this id or key was there before; nothing was written. */
  record AlreadyStarted(Run run) implements Outcome {}

  /**
   * The leased runs; if there were fewer than asked for, also when the next one falls due, as far
   * as it is known.
   *
   * @param onward what came of that which was written with the leases
   * @param all whether it looked at all that is due; else there may be more ({@link
   *     Command.Reach#NEWS})
   */
  record Claimed(
      List<Activation> activations,
      Optional<Instant> nextDue,
      Map<RunId, Outcome> onward,
      boolean all)
      implements Outcome {
    public Claimed(List<Activation> activations, Optional<Instant> nextDue) {
      this(activations, nextDue, Map.of());
    }

    public Claimed(
        List<Activation> activations, Optional<Instant> nextDue, Map<RunId, Outcome> onward) {
      this(activations, nextDue, onward, true);
    }

    public Claimed withOnward(Map<RunId, Outcome> came) {
      return new Claimed(activations, nextDue, came, all);
    }
  }

  record Advanced(Instant at) implements Outcome {}

  /** Somebody else has written to the log since: the lease is lost, and nothing was written. */
  record Fenced(RunId run, String why) implements Outcome {}

  record Transacted(dev.pawl.log.Entry entry) implements Outcome {}

  /** The body of a transaction threw; what it had written is undone. */
  record Threw(Exception exception) implements Outcome {}

  record Extended(Set<RunId> lost, Set<RunId> cancelled) implements Outcome {}

  record Sent() implements Outcome {}

  /** The event's place in the stream of topic events, and how many waiting runs it woke. */
  record Emitted(long position, int woken) implements Outcome {}

  /**
   * The cancellation was accepted: the run has ended if its status says so, otherwise it will learn
   * of it.
   */
  record CancelTaken(Run run) implements Outcome {}

  record Reopened(Run run) implements Outcome {}

  /** Whether the definition is new to the store. */
  record Deployed(boolean fresh) implements Outcome {}

  record Done() implements Outcome {}

  record Purged(int runs, int events) implements Outcome {}

  /** There is no such run. */
  record Missing(RunId run) implements Outcome {}

  /** The run's state does not allow it; {@code why} completes "run … cannot be …: ". */
  record Refused(Run run, String why) implements Outcome {}

  /** This command alone could not be carried out; its neighbours were. */
  record Broken(PawlException problem) implements Outcome {}
}
