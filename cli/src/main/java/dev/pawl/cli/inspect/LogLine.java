package dev.pawl.cli.inspect;

import dev.pawl.cli.terminal.Paint;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.log.Entry;
import dev.pawl.log.EventCodec;

/** An entry of a log on one line: its number, its time, what happened, and the gist of it. */
public final class LogLine {
  private LogLine() {}

  public static String of(Entry entry, Paint paint) {
    String kind = "%-15s".formatted(EventCodec.kind(entry.event()));
    return "%4d  %s  %s  %s"
        .formatted(
            entry.seq(),
            paint.apply(Tone.FAINT, TimeText.localMillis(entry.at())),
            paint.apply(Gist.tone(entry.event()), kind),
            Gist.of(entry.event(), entry.at()))
        .stripTrailing();
  }
}
