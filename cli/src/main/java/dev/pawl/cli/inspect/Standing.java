package dev.pawl.cli.inspect;

import dev.pawl.cli.terminal.Text;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import java.time.Duration;
import java.time.Instant;

/** Where a run stands, in a few words: what it waits for, who has it, how it ended. */
public final class Standing {
  private static final int ERROR_CHARS = 80;

  private Standing() {}

  public static String of(Run run, Instant now) {
    String cancelling = run.cancelling().isPresent() ? "cancelling, " : "";
    return cancelling
        + switch (run.status()) {
          case PENDING -> pending(run, now);
          case RUNNING -> running(run, now);
          case SUSPENDED -> suspended(run, now);
          case SUCCEEDED -> "took " + took(run);
          case FAILED -> run.lastError().map(Standing::error).orElse("");
          case CANCELLED -> "after " + took(run);
        };
  }

  private static String pending(Run run, Instant now) {
    Instant due = run.due().orElse(now);
    String tried =
        run.attempt() > 0 ? "attempt " + run.attempt() + "/" + run.maxAttempts() + " failed, " : "";
    return tried
        + (due.isAfter(now)
            ? "due " + TimeText.relative(due, now)
            : "waiting for a worker for " + TimeText.coarse(Duration.between(due, now)));
  }

  private static String running(Run run, Instant now) {
    String attempt = "attempt " + run.attempt() + "/" + run.maxAttempts();
    return attempt
        + run.lease()
            .map(lease ->
                lease.until().isBefore(now)
                    ? ", lease expired " + TimeText.relative(lease.until(), now)
                    : "")
            .orElse("");
  }

  private static String suspended(Run run, Instant now) {
    boolean waitsForMessages = run.wakeAfter() > 0;
    return run.due()
        .map(due ->
            !due.isAfter(now)
                ? "woken, waiting for a worker for " + TimeText.coarse(Duration.between(due, now))
                : (waitsForMessages ? "waits for messages, until " : "sleeps until ")
                    + TimeText.local(due)
                    + " ("
                    + TimeText.relative(due, now)
                    + ")")
        .orElse("waits for messages");
  }

  private static String error(Failure failure) {
    return Text.shorten(failure.summary(), ERROR_CHARS);
  }

  private static String took(Run run) {
    return TimeText.span(
        Duration.between(run.createdAt(), run.finishedAt().orElse(run.updatedAt())));
  }
}
