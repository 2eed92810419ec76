package dev.pawl.cli.command;

import dev.pawl.cli.exec.ErrorLines;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.terminal.Text;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.work.Turn;
import dev.pawl.work.TurnObserver;

/**
 * Passes on what commands write to standard error, and how attempts at what a run has started fail;
 * all else shows in the run. Thread-safe.
 */
record CommandLines(Session session, LiveBoard board, boolean quiet)
    implements TurnObserver, ErrorLines {
  @Override
  public void ended(Turn turn, Event.TurnEnd end) {
    Run run = turn.run();
    if (run.parent().isEmpty()) {
      return;
    }
    switch (end) {
      case Event.Retried e -> line(run.id(), run.type(), e.failure().message());
      case Event.Failed e -> line(run.id(), run.type(), e.failure().message());
      default -> {}
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
