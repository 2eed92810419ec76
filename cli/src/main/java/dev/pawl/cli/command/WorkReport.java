package dev.pawl.cli.command;

import dev.pawl.cli.exec.Report;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.terminal.Text;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.log.RunId;
import dev.pawl.time.Ticker;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Tells what a worker does as it does it. Thread-safe. */
final class WorkReport implements Report {
  private static final int MESSAGE_CHARS = 200;

  private final Session session;
  private final boolean quiet;
  private final Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
  private final Ticker ticker = Ticker.system();
  private final long began = ticker.nanos();
  private String nothing = "nothing to do";

  WorkReport(Session session, boolean quiet) {
    this.session = session;
    this.quiet = quiet;
  }

  synchronized void began(String worker, Set<String> types, boolean programs) {
    nothing = types.isEmpty() ? "stopped" : nothing;
    if (!quiet) {
      String all = String.join(", ", types);
      String deployed = programs ? (all.isEmpty() ? "" : ", and ") + "deployed programs" : "";
      session.note("worker " + worker + " takes " + all + deployed);
      session.err().flush();
    }
  }

  @Override
  public synchronized void ended(Attempt attempt) {
    counts.merge(attempt.outcome(), 1, Integer::sum);
    if (quiet) {
      return;
    }
    if (session.isJson()) {
      session.print(json(attempt));
      session.out().flush();
    } else {
      session.err().println(line(attempt));
      session.err().flush();
    }
  }

  private static JsonLine json(Attempt attempt) {
    JsonLine out =
        new JsonLine()
            .put("id", attempt.run().toString())
            .put("type", attempt.type())
            .put("attempt", attempt.number())
            .put("outcome", word(attempt.outcome()))
            .put("millis", attempt.took().toMillis());
    attempt.exit().ifPresent(exit -> out.put("exit", exit));
    return attempt.message().isEmpty() ? out : out.put("message", attempt.message());
  }

  private String line(Attempt attempt) {
    String number = attempt.number() > 1 ? " attempt " + attempt.number() : "";
    String message =
        attempt.message().isEmpty() ? "" : ": " + Text.shorten(attempt.message(), MESSAGE_CHARS);
    return session
            .errorPaint()
            .apply(tone(attempt.outcome()), "%-11s".formatted(word(attempt.outcome())))
        + " "
        + attempt.run()
        + " "
        + Text.oneLine(attempt.type())
        + number
        + " in "
        + TimeText.span(attempt.took())
        + message;
  }

  private static Tone tone(Outcome outcome) {
    return switch (outcome) {
      case SUCCEEDED -> Tone.GOOD;
      case FAILED, CANCELLED, INTERRUPTED -> Tone.WARNING;
      case REJECTED -> Tone.BAD;
    };
  }

  private static String word(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public synchronized void line(RunId run, String type, String text) {
    if (!quiet) {
      String id = run.toString();
      String prefix = "[" + type + " " + id.substring(id.length() - 6) + "]";
      session
          .err()
          .println(session.errorPaint().apply(Tone.FAINT, prefix) + " " + Text.harmless(text));
      session.err().flush();
    }
  }

  synchronized void summary() {
    if (session.isJson()) {
      JsonLine totals = new JsonLine();
      for (Outcome outcome : Outcome.values()) {
        totals.put(word(outcome), counts.getOrDefault(outcome, 0));
      }
      session.print(new JsonLine().put("summary", totals.put("millis", ticker.millisSince(began))));
    } else if (!quiet) {
      session.err().println(totals() + " in " + TimeText.span(ticker.since(began)));
    }
  }

  private String totals() {
    StringBuilder text = new StringBuilder();
    counts.forEach((outcome, count) ->
        text.append(text.isEmpty() ? "" : ", ").append(count).append(' ').append(word(outcome)));
    return text.isEmpty() ? nothing : text.toString();
  }
}
