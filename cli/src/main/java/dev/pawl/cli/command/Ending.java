package dev.pawl.cli.command;

import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.inspect.Gist;
import dev.pawl.cli.json.RunJson;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.log.Run;
import java.time.Duration;
import java.time.Instant;

/** Tells how a run that was waited for has ended. */
final class Ending {
  private Ending() {}

  /** Prints its result, and returns the exit code that goes with its end. */
  static int tell(Session session, Run run, boolean created) {
    if (session.isJson()) {
      session.print(RunJson.whole(run).put("created", created));
    } else {
      run.result().ifPresent(result -> session.out().println(result.text()));
      session.note(sentence(run));
    }
    return switch (run.status()) {
      case FAILED -> ExitCode.FAILED;
      case CANCELLED -> ExitCode.CANCELLED;
      default -> ExitCode.OK;
    };
  }

  private static String sentence(Run run) {
    Instant end = run.finishedAt().orElse(run.updatedAt());
    String error = run.lastError().map(failure -> ": " + Gist.summary(failure)).orElse("");
    return "run "
        + run.id()
        + " "
        + run.status().word()
        + " after "
        + TimeText.span(Duration.between(run.createdAt(), end))
        + (run.result().isPresent() ? "" : error);
  }
}
