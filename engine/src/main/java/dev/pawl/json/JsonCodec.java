package dev.pawl.json;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Users' values to JSON and back, by their declared types alone: no class name is ever written or
 * read.
 *
 * <p>Strings, integers, booleans, null and {@link Json} itself take a short way that does not load
 * the data-binding library. Thread-safe.
 */
public final class JsonCodec {
  private JsonCodec() {}

  /**
   * The JSON of a value.
   *
   * @throws PawlException with {@link ErrorCode#BAD_VALUE} if the value's type cannot be written
   */
  public static Json encode(@Nullable Object value) {
    return switch (value) {
      case null -> Json.NULL;
      case Json json -> json;
      case String text -> Json.string(text);
      case Boolean flag -> Json.bool(flag);
      case Integer number -> Json.number(number);
      case Long number -> Json.number(number);
      default -> bind(value);
    };
  }

  /**
   * The value of a JSON text as the given type; null only for JSON null.
   *
   * @throws PawlException with {@link ErrorCode#BAD_VALUE} if the text does not fit the type
   */
  @SuppressWarnings("unchecked")
  public static <T> @Nullable T decode(Json json, JsonType<T> as) {
    Type type = as.type();
    if (type == Json.class) {
      return (T) json;
    }
    if (json.isNull() || type == Void.class) {
      return null;
    }
    if (type == String.class) {
      return (T) string(json);
    }
    if (type == Integer.class || type == Long.class) {
      return (T) integer(json, type);
    }
    return (T) unbind(json, type);
  }

  /** Plain digits are read without the data-binding library; anything else is left to it. */
  private static Object integer(Json json, Type type) {
    String text = json.text();
    boolean plain = text.length() < 10;
    for (int i = text.startsWith("-") ? 1 : 0; i < text.length() && plain; i++) {
      plain = text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    if (!plain) {
      return unbind(json, type);
    }
    int number = Integer.parseInt(text);
    return type == Integer.class ? (Object) number : (Object) (long) number;
  }

  private static String string(Json json) {
    try (var parser = json.reader()) {
      if (parser.currentToken() != JsonToken.VALUE_STRING) {
        throw misfit(json, String.class, "it is not a string");
      }
      return parser.getString();
    }
  }

  /** As {@link #decode(Json, JsonType)}, for a plain class. */
  public static <T> @Nullable T decode(Json json, Class<T> type) {
    return decode(json, JsonType.of(type));
  }

  private static Json bind(Object value) {
    try {
      return Json.written(Binding.MAPPER.writeValueAsString(value));
    } catch (JacksonException e) {
      throw new PawlException(
          ErrorCode.BAD_VALUE,
          "a "
              + value.getClass().getName()
              + " cannot be written as JSON: "
              + e.getOriginalMessage(),
          e);
    }
  }

  private static Object unbind(Json json, Type type) {
    try {
      return Binding.reader(type).readValue(json.text());
    } catch (JacksonException e) {
      throw misfit(json, type, e.getOriginalMessage());
    } catch (NumberFormatException e) {
      // The library lets it through where an exponent is too large for a BigDecimal.
      throw misfit(json, type, String.valueOf(e.getMessage()));
    }
  }

  private static PawlException misfit(Json json, Type type, String why) {
    String text = json.text();
    String shown = text.length() <= 200 ? text : text.substring(0, 200) + "…";
    return new PawlException(
        ErrorCode.BAD_VALUE,
        "the JSON " + shown + " does not fit " + type.getTypeName() + ": " + why);
  }

  /**
   * Holds the mapper, so that data binding is loaded when the first user type is met and not
   * before.
   */
  private static final class Binding {
    static final JsonMapper MAPPER =
        JsonMapper.builder(Json.FACTORY)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** Made once for each type: to find out how to read one is most of the work. */
    private static final Map<Type, ObjectReader> READERS = new ConcurrentHashMap<>();

    /** Looks before it makes one: whoever may make one can have to wait for others. */
    static ObjectReader reader(Type type) {
      ObjectReader known = READERS.get(type);
      return known != null
          ? known
          : READERS.computeIfAbsent(type, made -> MAPPER.readerFor(MAPPER.constructType(made)));
    }
  }
}
