package dev.pawl.doctor;

import dev.pawl.error.PawlException;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Mail;
import dev.pawl.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rebuilds rows from their logs. The log is the truth: a row can be made from it again, but what is
 * wrong with a log, a mailbox or between two runs stays wrong, and is said.
 *
 * <p>A suspended run whose row is rebuilt is made due at once. At worst it is woken for nothing,
 * and waits again.
 */
public final class Repair {
  private Repair() {}

  /** What can be done about a run. */
  public sealed interface Plan {
    RunId run();
  }

  /** The row can be replaced by what the log adds up to. */
  public record Rebuild(Run before, Run after) implements Plan {
    @Override
    public RunId run() {
      return before.id();
    }
  }

  /** Nothing can be done. */
  public record Hopeless(RunId run, String why) implements Plan {}

  /** Works out what can be done about a run that something is wrong with. Writes nothing. */
  public static Plan plan(Store store, RunId id) {
    Optional<Run> found = store.run(id);
    if (found.isEmpty()) {
      return new Hopeless(id, "it has no row, and a log alone does not say whose it is");
    }
    LogScan log = new LogScan(id);
    try {
      log.readOn(store);
    } catch (PawlException | IllegalArgumentException e) {
      return new Hopeless(id, "its log cannot be read: " + e.getMessage());
    }
    List<String> gaps = gaps(log);
    if (!gaps.isEmpty() || log.fold().isEmpty()) {
      return new Hopeless(
          id, "its log itself is damaged, and there is nothing to rebuild it from: " + gaps);
    }
    Run row = found.get();
    Run rebuilt = rebuilt(row, log, store.mail(id), store.now());
    return rebuilt.equals(row)
        ? new Hopeless(id, "its row is what its log adds up to; the trouble is elsewhere")
        : new Rebuild(row, rebuilt);
  }

  private static List<String> gaps(LogScan log) {
    List<String> gaps = new ArrayList<>();
    for (Violation violation : log.findings().violations()) {
      if (!violation.invariant().startsWith("S4")) {
        gaps.add(violation.toString());
      }
    }
    return gaps;
  }

  /**
   * Replaces the row, if it still is what the plan was made for.
   *
   * @return whether it was
   * @throws PawlException with {@code UNSUPPORTED} if the store keeps no rows
   */
  public static boolean carryOut(Store store, Rebuild plan) {
    return store.replaceRow(plan.before(), plan.after());
  }

  /** The row as it should be. */
  private static Run rebuilt(Run row, LogScan log, List<Mail> mail, Instant now) {
    Run fold = log.fold().orElseThrow();
    long known = log.consumed() + mail.size();
    Run counted =
        fold.change()
            .wakes(log.isReopened() ? Math.max(known, row.wakes()) : known)
            .deletedAt(row.deletedAt())
            .run();
    return switch (fold.status()) {
      case SUCCEEDED, FAILED, CANCELLED -> counted.change().wakes(row.wakes()).run();
      case RUNNING -> leased(row, counted);
      case PENDING -> mail.isEmpty() ? counted : dueNow(counted, now);
      case SUSPENDED -> isParked(log) ? counted : dueNow(counted, now);
    };
  }

  /** The lease as its holder has renewed it, if the row knows the right holder. */
  private static Run leased(Run row, Run fold) {
    Run.Lease claimed = fold.lease().orElseThrow();
    Run.Lease lease =
        row.lease().filter(held -> held.worker().equals(claimed.worker())).orElse(claimed);
    return fold.change().lease(Optional.of(lease)).due(Optional.of(lease.until())).run();
  }

  private static Run dueNow(Run run, Instant now) {
    Instant due = run.due().filter(at -> at.isBefore(now)).orElse(now);
    return run.change().due(Optional.of(due)).run();
  }

  private static boolean isParked(LogScan log) {
    return log.suspension()
        .filter(wait -> wait.event().waits().stream().anyMatch(Wait.Operator.class::isInstance))
        .isPresent();
  }
}
