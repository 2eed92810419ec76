package dev.pawl.log;

import dev.pawl.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Writes one JSON object, member by member. Moments are milliseconds since 1970, durations
 * milliseconds; what is empty is left out.
 */
final class ObjectWriter {
  private final StringBuilder out = new StringBuilder(96).append('{');

  ObjectWriter put(String name, String value) {
    Json.quote(value, member(name));
    return this;
  }

  ObjectWriter put(String name, long value) {
    member(name).append(value);
    return this;
  }

  ObjectWriter put(String name, Json value) {
    member(name).append(value.text());
    return this;
  }

  ObjectWriter put(String name, Instant value) {
    return put(name, value.toEpochMilli());
  }

  ObjectWriter put(String name, RunId value) {
    return put(name, value.toString());
  }

  ObjectWriter putIf(String name, boolean flag) {
    return flag ? put(name, Json.TRUE) : this;
  }

  ObjectWriter putNonZero(String name, long value) {
    return value == 0 ? this : put(name, value);
  }

  ObjectWriter putNonEmpty(String name, String value) {
    return value.isEmpty() ? this : put(name, value);
  }

  ObjectWriter putNonNull(String name, Json value) {
    return value.isNull() ? this : put(name, value);
  }

  ObjectWriter putNonEmpty(String name, Map<String, String> map) {
    if (map.isEmpty()) {
      return this;
    }
    ObjectWriter object = new ObjectWriter();
    map.forEach(object::put);
    return put(name, object.json());
  }

  ObjectWriter putText(String name, Optional<String> value) {
    value.ifPresent(text -> put(name, text));
    return this;
  }

  ObjectWriter putInstant(String name, Optional<Instant> value) {
    value.ifPresent(at -> put(name, at));
    return this;
  }

  ObjectWriter putMillis(String name, Optional<Duration> value) {
    value.ifPresent(length -> put(name, length.toMillis()));
    return this;
  }

  ObjectWriter putRun(String name, Optional<RunId> value) {
    value.ifPresent(id -> put(name, id));
    return this;
  }

  Json json() {
    return Json.written(out.append('}').toString());
  }

  private StringBuilder member(String name) {
    if (out.length() > 1) {
      out.append(',');
    }
    Json.quote(name, out);
    return out.append(':');
  }
}
