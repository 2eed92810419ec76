package dev.pawl.graph.node;

import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.json.JsonType;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One message: a Java value, its JSON, or both. Between two nodes in the same process a value that
 * cannot change is handed over as it is; its JSON is made when somebody asks for it. Immutable,
 * thread-safe.
 */
public final class Value {
  public static final Value NULL = of(Json.NULL);

  private final @Nullable Object java;
  private final @Nullable Supplier<Json> later;

  /** Made when first asked for; two threads may both make it, and make the same. */
  private @Nullable Json json;

  private Value(@Nullable Object java, @Nullable Json json, @Nullable Supplier<Json> later) {
    this.later = later;
    this.java = java;
    this.json = json;
  }

  /** A value as a message. What could be changed later is written down at once. */
  public static Value of(@Nullable Object java) {
    return switch (java) {
      case null -> NULL;
      case Value value -> value;
      case Json json -> new Value(null, json, null);
      case Record record -> new Value(record, null, null);
      case String text -> new Value(text, null, null);
      case Number number -> new Value(number, null, null);
      case Boolean flag -> new Value(flag, null, null);
      default -> new Value(null, JsonCodec.encode(java), null);
    };
  }

  /** A value that is fetched anew whenever somebody asks for it, and kept by nobody. */
  public static Value later(Supplier<Json> fetch) {
    return new Value(null, null, fetch);
  }

  public Json json() {
    if (later != null) {
      return later.get();
    }
    Json known = json;
    if (known == null) {
      known = JsonCodec.encode(java);
      json = known;
    }
    return known;
  }

  /** The value as this type; null for JSON null. */
  @SuppressWarnings("unchecked")
  public <T> @Nullable T as(JsonType<T> type) {
    return type.type() instanceof Class<?> plain && plain.isInstance(java)
        ? (T) java
        : JsonCodec.decode(json(), type);
  }

  public <T> @Nullable T as(Class<T> type) {
    return type.isInstance(java) ? type.cast(java) : JsonCodec.decode(json(), type);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Value value && value.json().equals(json());
  }

  @Override
  public int hashCode() {
    return Objects.hash(json());
  }

  @Override
  public String toString() {
    return json().text();
  }
}
