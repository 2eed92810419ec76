package dev.pawl.graph.kind;

import dev.pawl.error.PawlException;
import dev.pawl.graph.cron.Cron;
import dev.pawl.graph.node.NodeType;
import dev.pawl.graph.node.Source;
import dev.pawl.json.Json;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * Nodes whose messages come from outside. All have the property {@code limit}: after so many inputs
 * they end; without it they go on for as long as the run does.
 */
final class Triggers {
  private Triggers() {}

  static List<NodeType> types() {
    return List.of(
        NodeType.trigger("trigger.manual", properties -> new Source.Manual()),
        NodeType.trigger(
            "trigger.signal",
            properties -> new Source.Signal(Property.neededText(properties, "name"))),
        NodeType.trigger(
            "trigger.topic",
            properties -> new Source.Topic(Property.neededText(properties, "topic"))),
        NodeType.trigger("trigger.interval", Triggers::interval),
        NodeType.trigger("trigger.cron", Triggers::cron));
  }

  private static Source interval(Json properties) {
    Duration every = Property.neededDuration(properties, "every");
    if (every.toMillis() < 1) {
      throw PawlException.badInput("'every' should be at least a millisecond");
    }
    return new Source.Schedule(
        last -> Optional.of(last.plus(every)), Property.flag(properties, "catchUp"));
  }

  private static Source cron(Json properties) {
    Cron cron = Cron.parse(Property.neededText(properties, "cron"));
    ZoneId zone = zone(Property.text(properties, "zone").orElse("UTC"));
    return new Source.Schedule(last -> cron.next(last, zone), Property.flag(properties, "catchUp"));
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw PawlException.badInput(
          "'zone' should be a time zone such as Europe/Berlin, not '" + name + "'");
    }
  }
}
