package dev.pawl.cli.inspect;

import dev.pawl.cli.terminal.Text;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.EventCodec;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.Status;
import dev.pawl.log.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The gist of an event, in a few words for people. */
public final class Gist {
  private static final int VALUE_CHARS = 100;
  private static final int MESSAGE_CHARS = 300;

  private Gist() {}

  /** What happened, given the moment at which it did. */
  public static String of(Event event, Instant at) {
    return switch (event) {
      case Event.Created e -> created(e, at);
      case Event.Leased e -> leased(e, at);
      case Event.Suspended e -> suspended(e.waits(), e.until(), at);
      case Event.Retried e ->
          message(e.failure().summary()) + "; next attempt " + TimeText.relative(e.runAt(), at);
      case Event.Released e ->
          message(e.reason()) + "; claimable " + TimeText.relative(e.runAt(), at);
      case Event.Succeeded e -> value(e.result());
      case Event.Failed e -> message(e.failure().summary());
      case Event.Cancelled e -> message(e.reason());
      case Event.CancelRequested e -> message(e.reason());
      case Event.Pinned e -> "definition " + e.definition();
      case Event.DeadlinePassed e -> "the run has taken longer than it may";
      case Event.Rewound e ->
          e.how() + ", keeping the log up to " + e.keep() + spaced(message(e.reason()));
      case Event.Heartbeat e -> value(e.progress());
      case Event.StepCompleted e ->
          Inspection.label(e.name(), e.n())
              + " in "
              + TimeText.span(Duration.ofMillis(e.millis()))
              + (e.attempt() > 1 ? " at attempt " + e.attempt() : "")
              + " = "
              + value(e.value());
      case Event.StepFailed e -> stepFailed(e, at);
      case Event.Compensating e -> "undoing after " + message(e.failure().summary());
      case Event.Logged e -> message(e.message());
      case Event.Drawn e -> "";
      case Event.SignalReceived e -> e.name() + " = " + value(e.value());
      case Event.EventReceived e -> e.topic() + " = " + value(e.value());
      case Event.ChildStarted e -> e.type() + " " + e.child();
      case Event.ChildFinished e -> e.child() + " " + childResult(e.result());
      case Event.TimerFired e -> "";
      case NodeEvent e -> NodeGist.of(e, at);
    };
  }

  private static String created(Event.Created e, Instant at) {
    String when = e.runAt().isAfter(at) ? " due " + TimeText.relative(e.runAt(), at) : "";
    return Text.oneLine(e.type())
        + " "
        + value(e.payload())
        + e.key().map(key -> " key " + Text.oneLine(key)).orElse("")
        + e.forkedFrom().map(from -> " forked from " + from).orElse("")
        + when;
  }

  private static String leased(Event.Leased e, Instant at) {
    String crashes = e.crashes() == 0 ? "" : ", " + e.crashes() + " lost leases in a row";
    return (e.resumed() ? "resumed" : "attempt " + e.attempt())
        + " by "
        + e.worker()
        + " for "
        + TimeText.span(Duration.between(at, e.until()))
        + crashes;
  }

  private static String stepFailed(Event.StepFailed e, Instant at) {
    String next =
        e.retryAt().map(retry -> "; next attempt " + TimeText.relative(retry, at)).orElse("");
    return Inspection.label(e.name(), e.n())
        + " attempt "
        + e.attempt()
        + ": "
        + message(e.failure().summary())
        + next;
  }

  private static String childResult(Event.ChildResult result) {
    return switch (result) {
      case Event.ChildResult.Succeeded r -> "succeeded = " + value(r.value());
      case Event.ChildResult.Failed r -> "failed: " + message(r.failure().summary());
      case Event.ChildResult.Cancelled r -> "cancelled" + spaced(message(r.reason()));
    };
  }

  /** {@code for signal approved, until 2026-11-15 22:00:00 (in 2h)}. */
  static String suspended(List<Wait> waits, Optional<Instant> until, Instant at) {
    String what = waits.stream().map(wait -> wait(wait, at)).collect(Collectors.joining(", "));
    return what.isEmpty()
        ? until.map(moment -> "until " + TimeText.localAndRelative(moment, at)).orElse("")
        : what;
  }

  static String wait(Wait wait, Instant now) {
    return switch (wait) {
      case Wait.Timer w ->
          "until "
              + TimeText.localAndRelative(w.at(), now)
              + (w.why().isEmpty() ? "" : " for " + Text.oneLine(w.why()));
      case Wait.Signal w -> "for signal " + Text.oneLine(w.name());
      case Wait.Topic w -> "for event " + Text.oneLine(w.topic());
      case Wait.Child w -> "for child " + w.child();
      case Wait.Operator w -> "for an operator: " + Text.oneLine(w.why());
    };
  }

  static String value(Json value) {
    return Text.shorten(value.text(), VALUE_CHARS);
  }

  /** A failure in one line of bearable length. */
  public static String summary(dev.pawl.log.Failure failure) {
    return message(failure.summary());
  }

  static String message(String text) {
    return Text.shorten(text, MESSAGE_CHARS);
  }

  private static String spaced(String text) {
    return text.isEmpty() ? "" : " (" + text + ")";
  }

  /** How an event is coloured. */
  public static Tone tone(Event event) {
    return switch (EventCodec.kind(event)) {
      case "succeeded", "step.completed", "node.completed" -> Tone.GOOD;
      case "failed", "step.failed", "node.failed" -> Tone.BAD;
      case "retried", "released", "compensating", "deadline.passed", "cancel.requested" ->
          Tone.WARNING;
      case "cancelled", "rewound" -> Tone.WARNING;
      case "leased" -> Tone.BUSY;
      case "suspended" -> Tone.WAITING;
      default -> Tone.PLAIN;
    };
  }

  /** How a status is coloured. */
  public static Tone tone(Status status) {
    return switch (status) {
      case PENDING -> Tone.PLAIN;
      case RUNNING -> Tone.BUSY;
      case SUSPENDED -> Tone.WAITING;
      case SUCCEEDED -> Tone.GOOD;
      case FAILED -> Tone.BAD;
      case CANCELLED -> Tone.WARNING;
    };
  }
}
