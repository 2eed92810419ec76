package dev.pawl.cli.json;

import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.EventCodec;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** An entry of a log as a JSON object: {@code {"seq":…,"at":…,"epoch":…,"kind":…,"data":{…}}}. */
public final class EventJson {
  /** Members of stored events that are moments, stored as milliseconds since 1970. */
  private static final Set<String> MOMENTS = Set.of("until", "runAt", "retryAt", "deadline", "at");

  private EventJson() {}

  public static JsonLine of(Entry entry) {
    return new JsonLine()
        .put("seq", entry.seq())
        .put("at", entry.at())
        .put("epoch", entry.epoch())
        .put("kind", EventCodec.kind(entry.event()))
        .put("data", readable(EventCodec.data(entry.event())));
  }

  /** The object with its own moments in ISO form; users' values inside it stay as they are. */
  private static JsonLine readable(Json data) {
    try (JsonParser in = data.reader()) {
      return object(in);
    }
  }

  private static JsonLine object(JsonParser in) {
    JsonLine out = new JsonLine();
    while (in.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = in.currentName();
      JsonToken value = in.nextToken();
      if (value == JsonToken.VALUE_NUMBER_INT && MOMENTS.contains(name)) {
        out.putIfAny(name, Optional.of(Instant.ofEpochMilli(in.getLongValue())));
      } else if (name.equals("waits") && value == JsonToken.START_ARRAY) {
        out.put(name, waits(in));
      } else {
        out.put(name, Json.copy(in));
      }
    }
    return out;
  }

  private static java.util.List<JsonLine> waits(JsonParser in) {
    java.util.List<JsonLine> all = new java.util.ArrayList<>();
    while (in.nextToken() == JsonToken.START_OBJECT) {
      all.add(object(in));
    }
    return all;
  }
}
