package dev.pawl.cli.command;

import dev.pawl.cli.exec.ErrorLines;
import dev.pawl.cli.inspect.Gist;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.terminal.Text;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.time.Ticker;
import dev.pawl.work.Turn;
import dev.pawl.work.TurnObserver;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tells what a worker does as it does it: a line for each attempt that ended, and for each run. A
 * turn that ended waiting is only counted. Thread-safe.
 */
final class WorkReport implements TurnObserver, ErrorLines {
  private final Session session;
  private final boolean quiet;
  private final Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
  private final Ticker ticker = Ticker.system();
  private final long began = ticker.nanos();

  /** How a turn ended, in the words of the log. */
  private enum Outcome {
    SUCCEEDED(Tone.GOOD),
    /** The attempt failed, and the run is tried again. */
    RETRIED(Tone.WARNING),
    /** The run has failed. */
    FAILED(Tone.BAD),
    CANCELLED(Tone.WARNING),
    /** The worker stopped, or cannot do it: somebody else will carry it on. */
    RELEASED(Tone.WARNING),
    /** Somebody else has the run, or it was ended from outside. */
    LOST(Tone.WARNING),
    SUSPENDED(Tone.FAINT);

    private final Tone tone;

    Outcome(Tone tone) {
      this.tone = tone;
    }

    static Outcome of(Event.TurnEnd end) {
      return switch (end) {
        case Event.Succeeded e -> SUCCEEDED;
        case Event.Retried e -> RETRIED;
        case Event.Failed e -> FAILED;
        case Event.Cancelled e -> CANCELLED;
        case Event.Released e -> RELEASED;
        case Event.Suspended e -> SUSPENDED;
      };
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  WorkReport(Session session, boolean quiet) {
    this.session = session;
    this.quiet = quiet;
  }

  synchronized void began(String worker, Set<String> types, boolean programs) {
    if (!quiet) {
      String all = String.join(", ", types);
      String deployed = programs ? (all.isEmpty() ? "" : ", and ") + "deployed programs" : "";
      session.note("worker " + worker + " takes " + all + deployed);
      session.err().flush();
    }
  }

  @Override
  public void ended(Turn turn, Event.TurnEnd end) {
    tell(turn, Outcome.of(end), Optional.of(end));
  }

  @Override
  public void lost(Turn turn) {
    tell(turn, Outcome.LOST, Optional.empty());
  }

  private synchronized void tell(Turn turn, Outcome outcome, Optional<Event.TurnEnd> end) {
    counts.merge(outcome, 1, Integer::sum);
    if (quiet || outcome == Outcome.SUSPENDED) {
      return;
    }
    if (session.isJson()) {
      session.print(json(turn, outcome, end));
      session.out().flush();
    } else {
      session.err().println(line(turn, outcome, end));
      session.err().flush();
    }
  }

  private static JsonLine json(Turn turn, Outcome outcome, Optional<Event.TurnEnd> end) {
    Run run = turn.run();
    JsonLine out =
        new JsonLine()
            .put("id", run.id().toString())
            .put("type", run.type())
            .put("attempt", run.attempt())
            .put("outcome", outcome.word())
            .put("millis", took(turn).toMillis());
    end.ifPresent(event -> add(out, event));
    return out;
  }

  private static void add(JsonLine out, Event.TurnEnd end) {
    switch (end) {
      case Event.Retried retried -> {
        add(out, retried.failure());
        out.put("nextAt", retried.runAt());
      }
      case Event.Failed failed -> add(out, failed.failure());
      case Event.Cancelled cancelled -> out.put("message", cancelled.reason());
      case Event.Released released -> out.put("message", released.reason());
      case Event.Succeeded e -> {}
      case Event.Suspended e -> {}
    }
  }

  private static void add(JsonLine out, Failure failure) {
    Json exit = failure.data().member("exit");
    if (!exit.isNull()) {
      out.put("exit", exit);
    }
    out.put("code", failure.code()).put("message", failure.message());
  }

  private String line(Turn turn, Outcome outcome, Optional<Event.TurnEnd> end) {
    Run run = turn.run();
    String message =
        end.filter(event -> !(event instanceof Event.Succeeded))
            .map(event -> Gist.of(event, turn.now()))
            .orElse(outcome == Outcome.LOST ? "somebody else has it, or has ended it" : "");
    return session.errorPaint().apply(outcome.tone, "%-9s".formatted(outcome.word()))
        + " "
        + run.id()
        + " "
        + Text.oneLine(run.type())
        + (run.attempt() > 1 ? " attempt " + run.attempt() : "")
        + (run.resumed() ? " after " : " in ")
        + TimeText.span(took(turn))
        + (message.isEmpty() ? "" : ": " + message);
  }

  /** How long the attempt took; of a run that has waited meanwhile, how old it is. */
  private static Duration took(Turn turn) {
    Instant from = turn.run().resumed() ? turn.run().createdAt() : turn.activation().now();
    return Duration.between(from, turn.now());
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
        totals.put(outcome.word(), counts.getOrDefault(outcome, 0));
      }
      session.print(new JsonLine().put("summary", totals.put("millis", ticker.millisSince(began))));
    } else if (!quiet) {
      session.err().println(totals() + " in " + TimeText.span(ticker.since(began)));
    }
  }

  private String totals() {
    StringBuilder text = new StringBuilder();
    counts.forEach((outcome, count) ->
        text.append(text.isEmpty() ? "" : ", ").append(count).append(' ').append(outcome.word()));
    return text.isEmpty() ? "nothing to do" : text.toString();
  }
}
