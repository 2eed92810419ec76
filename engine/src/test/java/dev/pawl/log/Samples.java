package dev.pawl.log;

import dev.pawl.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Events of every kind, full of what is hard to store. */
final class Samples {
  static final String ODD =
      "nul\u0000 high\uD83D low\uDE80 rocket\uD83D\uDE80 \uFFFF \u007F\u2028 \"q\" b\\s \r\n\t";
  static final Json DATA = Json.parse("{\"a\":[1,2.50,null,true],\"\":" + Json.string(ODD) + "}");
  static final Instant T = Instant.parse("2030-01-01T00:00:00.123Z");
  static final RunId ID = RunId.parse("0197a3c2-5f60-7cc1-8d6e-3b1f0a9e4c55");
  static final UUID MESSAGE = UUID.fromString("ffffffff-ffff-ffff-ffff-ffffffffffff");
  static final Failure FAILURE =
      new Failure(
          "CODE",
          ODD,
          ODD,
          DATA,
          true,
          7,
          new Failure.Source("step", ODD, ODD),
          Optional.of(Failure.of("CAUSE", "the cause")),
          ODD);

  private Samples() {}

  static List<Event> full() {
    return List.of(
        new Event.Created(
            "billing.v1",
            DATA,
            -5,
            T,
            Optional.of("key"),
            9,
            Optional.of(ID),
            ID,
            Bond.ABANDONED,
            Optional.of("sha256:abc"),
            Map.of("tag", ODD),
            Optional.of(T),
            Optional.of(Duration.ofMillis(1)),
            Long.MAX_VALUE,
            Optional.of(ID)),
        new Event.Leased(ODD, Long.MAX_VALUE, T, 3, true, 4, Long.MAX_VALUE),
        new Event.Suspended(
            Optional.of(T),
            List.of(
                new Wait.Timer(1, T, ODD),
                new Wait.Timer(2, T, ""),
                new Wait.Signal(3, ODD),
                new Wait.Topic(4, ODD, Long.MAX_VALUE),
                new Wait.Child(5, ID),
                new Wait.Operator(6, ODD)),
            3,
            true,
            DATA),
        new Event.Retried(FAILURE, T, true),
        new Event.Released(ODD, T),
        new Event.Succeeded(DATA),
        new Event.Failed(FAILURE),
        new Event.Cancelled(ODD),
        new Event.CancelRequested(0, ODD),
        new Event.Rewound("retry", Long.MAX_VALUE, T, ODD, Optional.of(new UUID(-1, 7))),
        new Event.Heartbeat(DATA),
        new Event.StepCompleted(1, ODD, 2, 3, DATA, 4),
        new Event.StepFailed(1, ODD, 2, 3, FAILURE, Optional.of(T)),
        new Event.Compensating(FAILURE),
        new Event.Logged(1, ODD),
        new Event.Drawn(MESSAGE),
        new Event.SignalReceived(1, ODD, MESSAGE, DATA),
        new Event.EventReceived(1, ODD, Long.MAX_VALUE, DATA),
        new Event.ChildStarted(1, ID, "billing.v1", Bond.AWAITED),
        new Event.ChildFinished(1, ID, new Event.ChildResult.Failed(FAILURE)),
        new Event.TimerFired(Integer.MAX_VALUE),
        new Event.Pinned(ODD),
        new Event.DeadlinePassed(3),
        new NodeEvent.Scheduled(ODD, ODD, 7),
        new NodeEvent.Started(ODD, 7, DATA),
        new NodeEvent.Checkpointed(ODD, 7, DATA, DATA, DATA),
        new NodeEvent.Completed(ODD, 7, DATA, Long.MAX_VALUE),
        new NodeEvent.Failed(ODD, 7, FAILURE, Optional.of(T)),
        new NodeEvent.TriggerRegistered(ODD, ODD, DATA),
        new NodeEvent.TriggerInput(ODD, ODD, DATA, ODD, true),
        new NodeEvent.TriggerAdvanced(ODD, ODD, Long.MAX_VALUE),
        new NodeEvent.OutboxEnqueued(ODD, ODD, ODD, DATA),
        new NodeEvent.OutboxSent(ODD, ODD, ODD));
  }

  /** The same kinds with everything left out that can be, and what else there is to choose. */
  static List<Event> bare() {
    return List.of(
        new Event.Created(
            "billing.v1",
            Json.NULL,
            0,
            Instant.EPOCH,
            Optional.empty(),
            1,
            Optional.empty(),
            ID,
            Bond.DETACHED,
            Optional.empty(),
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            0,
            Optional.empty()),
        new Event.Leased("", 0, Instant.EPOCH, 0, false, 0, 0),
        new Event.Suspended(Optional.empty(), List.of(), 0, false, Json.NULL),
        new Event.Retried(Failure.of("C", "m"), Instant.EPOCH.minusMillis(1), false),
        new Event.Released("", T),
        new Event.Succeeded(Json.NULL),
        new Event.Succeeded(Json.string("")),
        new Event.Failed(Failure.of("C", "m")),
        new Event.Cancelled(""),
        new Event.CancelRequested(0, ""),
        new Event.Rewound("", 0, T, ""),
        new Event.Heartbeat(Json.NULL),
        new Event.StepCompleted(0, "", 0, 0, Json.NULL, 0),
        new Event.StepFailed(0, "", 0, 1, Failure.of("C", "m"), Optional.empty()),
        new Event.Logged(0, ""),
        new Event.SignalReceived(0, "s", MESSAGE, Json.NULL),
        new Event.EventReceived(0, "t", 0, Json.FALSE),
        new Event.ChildStarted(0, ID, "t", Bond.DETACHED),
        new Event.ChildFinished(0, ID, new Event.ChildResult.Succeeded(Json.NULL)),
        new Event.ChildFinished(0, ID, new Event.ChildResult.Succeeded(DATA)),
        new Event.ChildFinished(0, ID, new Event.ChildResult.Cancelled("")),
        new Event.ChildFinished(0, ID, new Event.ChildResult.Cancelled(ODD)),
        new Event.Pinned(""),
        new Event.DeadlinePassed(3),
        new NodeEvent.Scheduled("", "", 1),
        new NodeEvent.Started("", 1, Json.NULL),
        new NodeEvent.Checkpointed("", 1, Json.NULL, Json.NULL, Json.NULL),
        new NodeEvent.Completed("", 1, Json.NULL, 0),
        new NodeEvent.Failed("", 1, Failure.of("C", "m"), Optional.empty()),
        new NodeEvent.TriggerRegistered("", "", Json.NULL),
        new NodeEvent.TriggerInput("", "", Json.NULL, "", false),
        new NodeEvent.TriggerAdvanced("", "", 0),
        new NodeEvent.OutboxEnqueued("", "", "", Json.NULL),
        new NodeEvent.OutboxSent("", "", ""));
  }
}
