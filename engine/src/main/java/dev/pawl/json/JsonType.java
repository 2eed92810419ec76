package dev.pawl.json;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * The type a JSON text is read as. A class is enough for most: {@code JsonType.of(Order.class)}.
 * For one with parameters make a subclass on the spot, which remembers them: {@code new
 * JsonType<List<Order>>() {}}.
 */
public abstract class JsonType<T> {
  private final Type type;

  protected JsonType() {
    if (!(getClass().getGenericSuperclass() instanceof ParameterizedType self)) {
      throw new IllegalStateException(
          "a JsonType needs its type argument: new JsonType<List<Order>>() {}");
    }
    this.type = self.getActualTypeArguments()[0];
  }

  private JsonType(Type type) {
    this.type = type;
  }

  public static <T> JsonType<T> of(Class<T> type) {
    return new JsonType<>(type) {};
  }

  /** As {@link #of(Class)}, for a type that only the running program knows. */
  public static JsonType<?> known(Type type) {
    return new JsonType<Object>(type) {};
  }

  public final Type type() {
    return type;
  }

  @Override
  public final String toString() {
    return type.getTypeName();
  }
}
