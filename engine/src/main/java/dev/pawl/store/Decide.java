package dev.pawl.store;

import dev.pawl.error.ErrorCode;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The decisions that every store must take alike. Pure: a run and what is known in, a decision out.
 */
public final class Decide {
  /** How many leases in a row a resumed run may lose without getting any further. */
  public static final int MAX_CRASHES = 5;

  private Decide() {}

  /**
   * What a claim of a due run amounts to: the lease, or the end of a run whose workers keep dying.
   *
   * @param progressed for a run whose lease has expired: whether its owner had recorded anything
   *     but heartbeats
   */
  public static Event.Lifecycle claim(
      Run run, boolean progressed, Command.Claimant by, Instant now) {
    boolean expired = run.status() == Status.RUNNING;
    boolean resumed =
        run.status() == Status.SUSPENDED || (expired && (progressed || run.resumed()));
    int crashes = expired && run.resumed() && !progressed ? run.crashes() + 1 : 0;
    int attempt = resumed ? run.attempt() : run.attempt() + 1;
    if (expired && attempt > run.maxAttempts()) {
      return lost(
          run,
          ErrorCode.WORKER_LOST,
          "its worker died in attempt " + run.attempt() + " of " + run.maxAttempts());
    }
    if (crashes >= MAX_CRASHES) {
      return lost(
          run,
          ErrorCode.POISONED,
          "its worker died " + crashes + " times in a row without getting any further");
    }
    return new Event.Leased(
        by.worker(), run.epoch() + 1, now.plus(by.lease()), attempt, resumed, crashes, by.ticket());
  }

  private static Event.Failed lost(Run run, ErrorCode code, String why) {
    String last = run.lease().map(lease -> " (last: " + lease.worker() + ")").orElse("");
    Failure.Source source = new Failure.Source("run", run.id().toString(), run.type());
    return new Event.Failed(
        Failure.of(code.name(), "run " + run.id() + " of " + run.type() + " failed: " + why + last)
            .from(source)
            .atAttempt(run.attempt()));
  }

  /** How a cancellation reaches a run. */
  public enum CancelWay {
    /** It ends here and now. */
    END,
    /** The request goes to its mailbox. */
    ASK,
    /** It has ended before. */
    REFUSE
  }

  public static CancelWay cancel(Run run, boolean force) {
    if (run.status().isTerminal()) {
      return CancelWay.REFUSE;
    }
    boolean busy = run.status() == Status.RUNNING || run.cleanup();
    return busy && !force ? CancelWay.ASK : CancelWay.END;
  }

  /**
   * Why a rewind of this kind is not possible; a retry is for what failed, was cancelled or is
   * suspended.
   */
  public static Optional<String> whyNotRewind(Run run, String how) {
    if (run.deletedAt().isPresent()) {
      return Optional.of("it was deleted");
    }
    boolean stuck =
        switch (run.status()) {
          case FAILED, CANCELLED, SUSPENDED -> true;
          case PENDING, RUNNING, SUCCEEDED -> false;
        };
    return stuck || !how.equals("retry")
        ? Optional.empty()
        : Optional.of(
            "it is "
                + run.status().word()
                + "; only a failed, cancelled or suspended run can be retried");
  }

  /**
   * The runs that a purge removes, at most so many: those that were deleted before a moment, by id;
   * and then those whose time was over first, deleted or not.
   */
  public static List<Run> purgeable(
      Collection<Run> runs, Instant deletedBefore, Instant now, int max) {
    Stream<Run> deleted =
        runs.stream()
            .filter(run -> run.deletedAt().filter(at -> at.isBefore(deletedBefore)).isPresent())
            .sorted(Comparator.comparing(Run::id));
    Stream<Run> expired =
        runs.stream()
            .filter(run -> run.expiry().filter(at -> !at.isAfter(now)).isPresent())
            .sorted(
                Comparator.comparing((Run run) -> run.expiry().orElseThrow())
                    .thenComparing(Run::id));
    return Stream.concat(deleted, expired).distinct().limit(max).toList();
  }

  /**
   * Whether a message on its way to a suspended parent should wake it whatever its count of awaited
   * messages.
   */
  public static boolean isUrgent(Event.ChildResult result) {
    return !(result instanceof Event.ChildResult.Succeeded);
  }
}
