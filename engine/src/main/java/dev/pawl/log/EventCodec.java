package dev.pawl.log;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Event.ChildResult;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Events as stored: a kind and a JSON object. The names used here are in every store's data for
 * ever: members may be added with a default for their absence, never renamed.
 */
public final class EventCodec {
  private EventCodec() {}

  /** The word under which an event is stored and shown. */
  public static String kind(Event event) {
    return switch (event) {
      case Event.Created e -> "created";
      case Event.Leased e -> "leased";
      case Event.Suspended e -> "suspended";
      case Event.Retried e -> "retried";
      case Event.Released e -> "released";
      case Event.Succeeded e -> "succeeded";
      case Event.Failed e -> "failed";
      case Event.Cancelled e -> "cancelled";
      case Event.CancelRequested e -> "cancel.requested";
      case Event.Pinned e -> "pinned";
      case Event.DeadlinePassed e -> "deadline.passed";
      case Event.Rewound e -> "rewound";
      case Event.Heartbeat e -> "heartbeat";
      case Event.StepCompleted e -> "step.completed";
      case Event.StepFailed e -> "step.failed";
      case Event.Compensating e -> "compensating";
      case Event.Logged e -> "logged";
      case Event.Drawn e -> "drawn";
      case Event.SignalReceived e -> "signal.received";
      case Event.EventReceived e -> "event.received";
      case Event.ChildStarted e -> "child.started";
      case Event.ChildFinished e -> "child.finished";
      case Event.TimerFired e -> "timer.fired";
      case NodeEvent e -> NodeEventCodec.kind(e);
    };
  }

  /** What an event says besides its kind, as one JSON object. */
  public static Json data(Event event) {
    return switch (event) {
      case Event.Created e -> created(e);
      case Event.Leased e ->
          object()
              .put("worker", e.worker())
              .put("epoch", e.epoch())
              .put("until", e.until())
              .put("attempt", e.attempt())
              .putIf("resumed", e.resumed())
              .putNonZero("crashes", e.crashes())
              .put("ticket", e.ticket())
              .json();
      case Event.Suspended e ->
          object()
              .putInstant("until", e.until())
              .put("waits", waits(e.waits()))
              .putNonZero("wakeAfter", e.wakeAfter())
              .putIf("cleanup", e.cleanup())
              .putNonNull("snapshot", e.snapshot())
              .json();
      case Event.Retried e ->
          object()
              .put("failure", failure(e.failure()))
              .put("runAt", e.runAt())
              .putIf("cleanup", e.cleanup())
              .json();
      case Event.Released e -> object().put("reason", e.reason()).put("runAt", e.runAt()).json();
      case Event.Succeeded e -> object().put("result", e.result()).json();
      case Event.Failed e -> object().put("failure", failure(e.failure())).json();
      case Event.Cancelled e -> object().put("reason", e.reason()).json();
      case Event.CancelRequested e -> object().put("op", e.op()).put("reason", e.reason()).json();
      case Event.Pinned e -> object().put("definition", e.definition()).json();
      case Event.DeadlinePassed e -> object().put("op", e.op()).json();
      case Event.Rewound e ->
          object()
              .put("how", e.how())
              .put("keep", e.keep())
              .put("runAt", e.runAt())
              .put("reason", e.reason())
              .putText("order", e.order().map(UUID::toString))
              .json();
      case Event.Heartbeat e -> object().put("progress", e.progress()).json();
      case Event.StepCompleted e ->
          step(e.op(), e.name(), e.n(), e.attempt())
              .put("value", e.value())
              .put("millis", e.millis())
              .json();
      case Event.StepFailed e ->
          step(e.op(), e.name(), e.n(), e.attempt())
              .put("failure", failure(e.failure()))
              .putInstant("retryAt", e.retryAt())
              .json();
      case Event.Compensating e -> object().put("failure", failure(e.failure())).json();
      case Event.Logged e -> object().put("op", e.op()).put("message", e.message()).json();
      case Event.Drawn e -> object().put("seed", e.seed().toString()).json();
      case Event.SignalReceived e ->
          object()
              .put("op", e.op())
              .put("name", e.name())
              .put("message", e.message().toString())
              .put("value", e.value())
              .json();
      case Event.EventReceived e ->
          object()
              .put("op", e.op())
              .put("topic", e.topic())
              .put("position", e.position())
              .put("value", e.value())
              .json();
      case Event.ChildStarted e ->
          object()
              .put("op", e.op())
              .put("child", e.child())
              .put("type", e.type())
              .put("bond", bond(e.bond()))
              .json();
      case Event.ChildFinished e ->
          result(object().put("op", e.op()).put("child", e.child()), e.result()).json();
      case Event.TimerFired e -> object().put("op", e.op()).json();
      case NodeEvent e -> NodeEventCodec.data(e);
    };
  }

  /** The event that was stored as this kind and data. */
  public static Event read(String kind, Json data) {
    ObjectReader in = new ObjectReader(data);
    return switch (kind) {
      case "created" -> readCreated(in);
      case "leased" ->
          new Event.Leased(
              in.text("worker"),
              in.number("epoch"),
              in.instant("until"),
              in.integer("attempt"),
              in.flag("resumed"),
              in.integer("crashes", 0),
              in.number("ticket", 0));
      case "suspended" ->
          new Event.Suspended(
              in.optional("until", in::instant),
              in.list("waits", EventCodec::readWait),
              in.integer("wakeAfter", 0),
              in.flag("cleanup"),
              in.json("snapshot"));
      case "retried" ->
          new Event.Retried(
              readFailure(in.json("failure")), in.instant("runAt"), in.flag("cleanup"));
      case "released" -> new Event.Released(in.text("reason"), in.instant("runAt"));
      case "succeeded" -> new Event.Succeeded(in.json("result"));
      case "failed" -> new Event.Failed(readFailure(in.json("failure")));
      case "cancelled" -> new Event.Cancelled(in.text("reason"));
      case "cancel.requested" -> new Event.CancelRequested(in.integer("op"), in.text("reason"));
      case "pinned" -> new Event.Pinned(in.text("definition"));
      case "deadline.passed" -> new Event.DeadlinePassed(in.integer("op"));
      case "rewound" ->
          new Event.Rewound(
              in.text("how"),
              in.number("keep"),
              in.instant("runAt"),
              in.text("reason"),
              in.optional("order", in::text).map(UUID::fromString));
      case "heartbeat" -> new Event.Heartbeat(in.json("progress"));
      case "step.completed" ->
          new Event.StepCompleted(
              in.integer("op"),
              in.text("name"),
              in.integer("n", 0),
              in.integer("attempt", 1),
              in.json("value"),
              in.number("millis", 0));
      case "step.failed" ->
          new Event.StepFailed(
              in.integer("op"),
              in.text("name"),
              in.integer("n", 0),
              in.integer("attempt", 1),
              readFailure(in.json("failure")),
              in.optional("retryAt", in::instant));
      case "compensating" -> new Event.Compensating(readFailure(in.json("failure")));
      case "logged" -> new Event.Logged(in.integer("op"), in.text("message"));
      case "drawn" -> new Event.Drawn(UUID.fromString(in.text("seed")));
      case "signal.received" ->
          new Event.SignalReceived(
              in.integer("op"),
              in.text("name"),
              UUID.fromString(in.text("message")),
              in.json("value"));
      case "event.received" ->
          new Event.EventReceived(
              in.integer("op"), in.text("topic"), in.number("position"), in.json("value"));
      case "child.started" ->
          new Event.ChildStarted(
              in.integer("op"), in.run("child"), in.text("type"), readBond(in.text("bond")));
      case "child.finished" ->
          new Event.ChildFinished(in.integer("op"), in.run("child"), readResult(in));
      case "timer.fired" -> new Event.TimerFired(in.integer("op"));
      default -> NodeEventCodec.read(kind, in).orElseThrow(() -> unknown(kind));
    };
  }

  private static PawlException unknown(String kind) {
    return new PawlException(
        ErrorCode.STORE_TOO_NEW,
        "the log has an event of kind '"
            + kind
            + "', which this version of Pawl does not know; use the newer one");
  }

  /** A failure as one JSON object. */
  public static Json failure(Failure failure) {
    ObjectWriter out =
        object()
            .put("code", failure.code())
            .putNonEmpty("type", failure.type())
            .put("message", failure.message())
            .putNonNull("data", failure.data())
            .putIf("retryable", failure.retryable())
            .putNonZero("attempt", failure.attempt());
    if (!failure.source().equals(Failure.Source.UNKNOWN)) {
      Failure.Source source = failure.source();
      out.put(
          "source",
          object()
              .put("kind", source.kind())
              .put("id", source.id())
              .put("name", source.name())
              .json());
    }
    failure.cause().ifPresent(cause -> out.put("cause", failure(cause)));
    return out.putNonEmpty("stack", failure.stack()).json();
  }

  /** The failure that was stored as this object. */
  public static Failure readFailure(Json json) {
    return readFailure(new ObjectReader(json));
  }

  private static Failure readFailure(ObjectReader in) {
    return new Failure(
        in.text("code"),
        in.text("type", ""),
        in.text("message"),
        in.json("data"),
        in.flag("retryable"),
        in.integer("attempt", 0),
        in.object("source")
            .map(s -> new Failure.Source(s.text("kind"), s.text("id"), s.text("name")))
            .orElse(Failure.Source.UNKNOWN),
        in.object("cause").map(EventCodec::readFailure),
        in.text("stack", ""));
  }

  /** A child's outcome as one JSON object, as it lies in its parent's mailbox. */
  public static Json result(RunId child, ChildResult result) {
    return result(object().put("child", child), result).json();
  }

  /** The outcome in a message from {@link #result(RunId, ChildResult)}. */
  public static ChildResult readResult(Json json) {
    return readResult(new ObjectReader(json));
  }

  /** The child that a message from {@link #result(RunId, ChildResult)} is about. */
  public static RunId readChild(Json json) {
    return new ObjectReader(json).run("child");
  }

  /** Tags as one JSON object. */
  public static Json tags(Map<String, String> tags) {
    ObjectWriter out = object();
    tags.forEach(out::put);
    return out.json();
  }

  /** The tags that were stored as this object. */
  public static Map<String, String> readTags(Json json) {
    return new ObjectReader(object().put("tags", json).json()).texts("tags");
  }

  private static Json created(Event.Created e) {
    return object()
        .put("type", e.type())
        .put("payload", e.payload())
        .put("priority", e.priority())
        .put("runAt", e.runAt())
        .putText("key", e.key())
        .put("maxAttempts", e.maxAttempts())
        .putRun("parent", e.parent())
        .put("root", e.root())
        .put("bond", bond(e.bond()))
        .putText("definition", e.definition())
        .putNonEmpty("tags", e.tags())
        .putInstant("deadline", e.deadline())
        .putMillis("ttl", e.ttl())
        .put("since", e.since())
        .putRun("forkedFrom", e.forkedFrom())
        .json();
  }

  private static Event.Created readCreated(ObjectReader in) {
    return new Event.Created(
        in.text("type"),
        in.json("payload"),
        in.integer("priority"),
        in.instant("runAt"),
        in.optional("key", in::text),
        in.integer("maxAttempts"),
        in.optional("parent", in::run),
        in.run("root"),
        readBond(in.text("bond")),
        in.optional("definition", in::text),
        in.texts("tags"),
        in.optional("deadline", in::instant),
        in.optional("ttl", in::millis),
        in.number("since"),
        in.optional("forkedFrom", in::run));
  }

  private static ObjectWriter step(int op, String name, int n, int attempt) {
    return object().put("op", op).put("name", name).putNonZero("n", n).put("attempt", attempt);
  }

  private static ObjectWriter result(ObjectWriter out, ChildResult result) {
    return switch (result) {
      case ChildResult.Succeeded r -> out.put("status", "succeeded").put("value", r.value());
      case ChildResult.Failed r -> out.put("status", "failed").put("failure", failure(r.failure()));
      case ChildResult.Cancelled r -> out.put("status", "cancelled").put("reason", r.reason());
    };
  }

  private static ChildResult readResult(ObjectReader in) {
    return switch (in.text("status")) {
      case "succeeded" -> new ChildResult.Succeeded(in.json("value"));
      case "failed" -> new ChildResult.Failed(readFailure(in.json("failure")));
      default -> new ChildResult.Cancelled(in.text("reason", ""));
    };
  }

  private static Json waits(List<Wait> waits) {
    StringBuilder out = new StringBuilder("[");
    for (Wait wait : waits) {
      out.append(out.length() == 1 ? "" : ",").append(wait(wait).text());
    }
    return Json.written(out.append(']').toString());
  }

  private static Json wait(Wait wait) {
    ObjectWriter out = object().put("op", wait.op());
    return switch (wait) {
      case Wait.Timer w -> out.put("at", w.at()).putNonEmpty("why", w.why()).json();
      case Wait.Signal w -> out.put("signal", w.name()).json();
      case Wait.Topic w -> out.put("topic", w.topic()).put("after", w.after()).json();
      case Wait.Child w -> out.put("child", w.child()).json();
      case Wait.Operator w -> out.put("operator", w.why()).json();
    };
  }

  private static Wait readWait(ObjectReader in) {
    int op = in.integer("op");
    Optional<Wait> timer =
        in.optional("at", at -> new Wait.Timer(op, in.instant(at), in.text("why", "")));
    Optional<Wait> signal = in.optional("signal", name -> new Wait.Signal(op, in.text(name)));
    Optional<Wait> topic =
        in.optional("topic", name -> new Wait.Topic(op, in.text(name), in.number("after")));
    Optional<Wait> operator = in.optional("operator", why -> new Wait.Operator(op, in.text(why)));
    return timer
        .or(() -> operator)
        .or(() -> signal)
        .or(() -> topic)
        .orElseGet(() -> new Wait.Child(op, in.run("child")));
  }

  private static String bond(Bond bond) {
    return bond.name().toLowerCase(Locale.ROOT);
  }

  private static Bond readBond(String word) {
    return Bond.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static ObjectWriter object() {
    return new ObjectWriter();
  }
}
