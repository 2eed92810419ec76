package dev.pawl.cli.command;

import dev.pawl.cli.exec.Report;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.terminal.Text;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.log.RunId;

/** Passes on what commands write to standard error; how they end shows in the run. Thread-safe. */
record CommandLines(Session session, LiveBoard board, boolean quiet) implements Report {
  @Override
  public void ended(Attempt attempt) {
    boolean again = attempt.outcome() == Outcome.FAILED || attempt.outcome() == Outcome.REJECTED;
    if (again) {
      line(attempt.run(), attempt.type(), attempt.message());
    }
  }

  @Override
  public void line(RunId run, String type, String text) {
    if (!quiet) {
      String prefix = session.errorPaint().apply(Tone.FAINT, "[" + type + "]");
      board.say(prefix + " " + Text.harmless(text));
    }
  }
}
