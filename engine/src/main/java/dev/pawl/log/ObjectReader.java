package dev.pawl.log;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads what {@link ObjectWriter} wrote. A member's value stays the slice of the text that it is
 * until it is asked for.
 */
final class ObjectReader {
  private final String text;
  private final Map<String, Json> members = new LinkedHashMap<>();

  ObjectReader(Json object) {
    this.text = object.text();
    try (JsonParser parser = object.reader()) {
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        members.put(name, slice(parser));
      }
    }
  }

  String text(String name) {
    return unquote(need(name));
  }

  String text(String name, String absent) {
    Json value = members.get(name);
    return value == null ? absent : unquote(value);
  }

  long number(String name) {
    return Long.parseLong(need(name).text());
  }

  long number(String name, long absent) {
    Json value = members.get(name);
    return value == null ? absent : Long.parseLong(value.text());
  }

  int integer(String name) {
    return Math.toIntExact(number(name));
  }

  int integer(String name, int absent) {
    return Math.toIntExact(number(name, absent));
  }

  boolean flag(String name) {
    return json(name).equals(Json.TRUE);
  }

  Json json(String name) {
    return members.getOrDefault(name, Json.NULL);
  }

  Instant instant(String name) {
    return Instant.ofEpochMilli(number(name));
  }

  Duration millis(String name) {
    return Duration.ofMillis(number(name));
  }

  RunId run(String name) {
    return RunId.parse(text(name));
  }

  <T> Optional<T> optional(String name, Function<String, T> read) {
    return members.containsKey(name) ? Optional.of(read.apply(name)) : Optional.empty();
  }

  Optional<ObjectReader> object(String name) {
    Json value = members.get(name);
    return value == null ? Optional.empty() : Optional.of(new ObjectReader(value));
  }

  Map<String, String> texts(String name) {
    Optional<ObjectReader> object = object(name);
    if (object.isEmpty()) {
      return Map.of();
    }
    Map<String, String> texts = new LinkedHashMap<>();
    object.get().members.forEach((key, value) -> texts.put(key, unquote(value)));
    return Map.copyOf(texts);
  }

  <T> List<T> list(String name, Function<ObjectReader, T> read) {
    Json array = members.get(name);
    if (array == null) {
      return List.of();
    }
    List<T> items = new ArrayList<>();
    try (JsonParser parser = array.reader()) {
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        items.add(read.apply(new ObjectReader(Json.copy(parser))));
      }
    }
    return List.copyOf(items);
  }

  private Json need(String name) {
    @Nullable Json value = members.get(name);
    if (value == null) {
      throw new PawlException(ErrorCode.INTERNAL, "a log entry lacks '" + name + "': " + text);
    }
    return value;
  }

  private Json slice(JsonParser parser) {
    int from = (int) parser.currentTokenLocation().getCharOffset();
    parser.skipChildren();
    parser.finishToken();
    int to = (int) parser.currentLocation().getCharOffset();
    return Json.stored(text.substring(from, to));
  }

  private static String unquote(Json value) {
    try (JsonParser parser = value.reader()) {
      return parser.getString();
    }
  }
}
