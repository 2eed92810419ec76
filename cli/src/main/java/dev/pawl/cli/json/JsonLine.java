package dev.pawl.cli.json;

import dev.pawl.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes one JSON object on one line, member by member. What is empty is left out. */
public final class JsonLine {
  private final StringBuilder out = new StringBuilder("{");

  public JsonLine put(String name, String value) {
    Json.quote(value, member(name));
    return this;
  }

  public JsonLine put(String name, long value) {
    member(name).append(value);
    return this;
  }

  public JsonLine put(String name, boolean value) {
    member(name).append(value);
    return this;
  }

  public JsonLine put(String name, Json value) {
    member(name).append(value.text());
    return this;
  }

  public JsonLine put(String name, Instant value) {
    return put(name, value.toString());
  }

  public JsonLine put(String name, JsonLine value) {
    member(name).append(value.text());
    return this;
  }

  public JsonLine put(String name, List<JsonLine> values) {
    StringBuilder list = member(name).append('[');
    for (int i = 0; i < values.size(); i++) {
      list.append(i == 0 ? "" : ",").append(values.get(i).text());
    }
    list.append(']');
    return this;
  }

  public JsonLine put(String name, Map<String, String> values) {
    JsonLine object = new JsonLine();
    values.forEach(object::put);
    return put(name, object);
  }

  /** A member if there is a value; its JSON is that of its text. */
  public JsonLine putIfAny(String name, Optional<?> value) {
    value.ifPresent(present -> {
      if (present instanceof Json json) {
        put(name, json);
      } else if (present instanceof JsonLine object) {
        put(name, object);
      } else {
        put(name, present.toString());
      }
    });
    return this;
  }

  private StringBuilder member(String name) {
    if (out.length() > 1) {
      out.append(',');
    }
    Json.quote(name, out);
    return out.append(':');
  }

  public String text() {
    return out + "}";
  }

  @Override
  public String toString() {
    return text();
  }
}
