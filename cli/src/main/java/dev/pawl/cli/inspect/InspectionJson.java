package dev.pawl.cli.inspect;

import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.json.RunJson;
import dev.pawl.log.EventCodec;
import dev.pawl.log.Wait;
import dev.pawl.store.Mail;

/** Tells a program about a run: the run itself, and what is known beyond its row. */
public final class InspectionJson {
  private InspectionJson() {}

  public static JsonLine of(Inspection facts) {
    return RunJson.whole(facts.run())
        .put("since", facts.since())
        .put("now", facts.now())
        .put("paused", facts.paused())
        .put("waits", facts.waits().stream().map(InspectionJson::wait).toList())
        .put("steps", facts.steps().stream().map(InspectionJson::step).toList())
        .put("turns", facts.turns().stream().map(InspectionJson::turn).toList())
        .put("children", facts.children().stream().map(InspectionJson::child).toList())
        .put("unread", facts.unread().stream().map(InspectionJson::mail).toList());
  }

  private static JsonLine wait(Wait wait) {
    return switch (wait) {
      case Wait.Timer w -> {
        JsonLine out = new JsonLine().put("for", "timer").put("at", w.at());
        yield w.why().isEmpty() ? out : out.put("why", w.why());
      }
      case Wait.Signal w -> new JsonLine().put("for", "signal").put("name", w.name());
      case Wait.Topic w -> new JsonLine().put("for", "event").put("topic", w.topic());
      case Wait.Child w -> new JsonLine().put("for", "child").put("child", w.child().toString());
      case Wait.Operator w -> new JsonLine().put("for", "operator").put("why", w.why());
    };
  }

  private static JsonLine step(Step step) {
    JsonLine out =
        new JsonLine()
            .put("name", step.label())
            .put("state", step.state().name().toLowerCase(java.util.Locale.ROOT))
            .put("attempt", step.attempt())
            .put("at", step.at());
    step.took().ifPresent(took -> out.put("millis", took.toMillis()));
    return out.putIfAny("value", step.value())
        .putIfAny("error", step.failure().map(EventCodec::failure))
        .putIfAny("retryAt", step.retryAt());
  }

  private static JsonLine turn(Turn turn) {
    return new JsonLine()
        .put("attempt", turn.attempt())
        .put("resumed", turn.resumed())
        .put("worker", turn.worker())
        .put("began", turn.began())
        .putIfAny("ended", turn.ended())
        .put("end", turn.end().isEmpty() ? "running" : turn.end())
        .putIfAny("error", turn.failure().map(EventCodec::failure));
  }

  private static JsonLine child(Inspection.Child child) {
    return new JsonLine()
        .put("id", child.id().toString())
        .put("type", child.type())
        .put("status", child.status())
        .put("startedAt", child.startedAt());
  }

  private static JsonLine mail(Mail mail) {
    JsonLine out = new JsonLine().put("at", mail.at());
    return switch (mail) {
      case Mail.Signal m -> out.put("kind", "signal").put("name", m.name()).put("value", m.value());
      case Mail.ChildOutcome m ->
          out.put("kind", "child").put("result", EventCodec.result(m.child(), m.result()));
      case Mail.Cancel m -> out.put("kind", "cancel").put("reason", m.reason());
      case Mail.Topic m -> out.put("kind", "event").put("topic", m.topic()).put("value", m.value());
    };
  }
}
