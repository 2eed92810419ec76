package dev.pawl.log;

import dev.pawl.json.Json;
import java.util.Optional;

/** The events of graphs as stored. What {@link EventCodec} says of names holds for these too. */
final class NodeEventCodec {
  private NodeEventCodec() {}

  static String kind(NodeEvent event) {
    return switch (event) {
      case NodeEvent.Scheduled e -> "node.scheduled";
      case NodeEvent.Started e -> "node.started";
      case NodeEvent.Checkpointed e -> "node.checkpointed";
      case NodeEvent.Completed e -> "node.completed";
      case NodeEvent.Failed e -> "node.failed";
      case NodeEvent.TriggerRegistered e -> "trigger.registered";
      case NodeEvent.TriggerInput e -> "trigger.input";
      case NodeEvent.TriggerAdvanced e -> "trigger.advanced";
      case NodeEvent.OutboxEnqueued e -> "outbox.enqueued";
      case NodeEvent.OutboxSent e -> "outbox.sent";
    };
  }

  static Json data(NodeEvent event) {
    ObjectWriter out = new ObjectWriter().put("node", event.node());
    return switch (event) {
      case NodeEvent.Scheduled e -> out.put("type", e.type()).put("attempt", e.attempt()).json();
      case NodeEvent.Started e ->
          out.put("attempt", e.attempt()).putNonNull("inputs", e.inputs()).json();
      case NodeEvent.Checkpointed e ->
          out.put("attempt", e.attempt())
              .putNonNull("state", e.state())
              .putNonNull("positions", e.positions())
              .putNonNull("outputs", e.outputs())
              .json();
      case NodeEvent.Completed e ->
          out.put("attempt", e.attempt())
              .put("outputs", e.outputs())
              .put("millis", e.millis())
              .json();
      case NodeEvent.Failed e ->
          out.put("attempt", e.attempt())
              .put("failure", EventCodec.failure(e.failure()))
              .putInstant("retryAt", e.retryAt())
              .json();
      case NodeEvent.TriggerRegistered e ->
          out.put("trigger", e.trigger()).putNonNull("config", e.config()).json();
      case NodeEvent.TriggerInput e ->
          out.put("input", e.input())
              .putNonNull("data", e.data())
              .putNonEmpty("cursor", e.cursor())
              .putIf("mailed", e.mailed())
              .json();
      case NodeEvent.TriggerAdvanced e ->
          out.put("cursor", e.cursor()).put("count", e.count()).json();
      case NodeEvent.OutboxEnqueued e ->
          out.put("edge", e.edge()).put("message", e.message()).putNonNull("data", e.data()).json();
      case NodeEvent.OutboxSent e -> out.put("edge", e.edge()).put("message", e.message()).json();
    };
  }

  /** The event that was stored as this, if it is one of a graph. */
  static Optional<Event> read(String kind, ObjectReader in) {
    return switch (kind) {
      case "node.scheduled" ->
          found(
              new NodeEvent.Scheduled(in.text("node"), in.text("type"), in.integer("attempt", 1)));
      case "node.started" ->
          found(
              new NodeEvent.Started(in.text("node"), in.integer("attempt", 1), in.json("inputs")));
      case "node.checkpointed" ->
          found(
              new NodeEvent.Checkpointed(
                  in.text("node"),
                  in.integer("attempt", 1),
                  in.json("state"),
                  in.json("positions"),
                  in.json("outputs")));
      case "node.completed" ->
          found(
              new NodeEvent.Completed(
                  in.text("node"),
                  in.integer("attempt", 1),
                  in.json("outputs"),
                  in.number("millis", 0)));
      case "node.failed" ->
          found(
              new NodeEvent.Failed(
                  in.text("node"),
                  in.integer("attempt", 1),
                  EventCodec.readFailure(in.json("failure")),
                  in.optional("retryAt", in::instant)));
      case "trigger.registered" ->
          found(
              new NodeEvent.TriggerRegistered(
                  in.text("node"), in.text("trigger"), in.json("config")));
      case "trigger.input" ->
          found(
              new NodeEvent.TriggerInput(
                  in.text("node"),
                  in.text("input"),
                  in.json("data"),
                  in.text("cursor", ""),
                  in.flag("mailed")));
      case "trigger.advanced" ->
          found(
              new NodeEvent.TriggerAdvanced(
                  in.text("node"), in.text("cursor"), in.number("count", 0)));
      case "outbox.enqueued" ->
          found(
              new NodeEvent.OutboxEnqueued(
                  in.text("node"), in.text("edge"), in.text("message"), in.json("data")));
      case "outbox.sent" ->
          found(new NodeEvent.OutboxSent(in.text("node"), in.text("edge"), in.text("message")));
      default -> Optional.empty();
    };
  }

  private static Optional<Event> found(NodeEvent event) {
    return Optional.of(event);
  }
}
