package dev.pawl.graph.definition;

import dev.pawl.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * JSON as plain maps, lists, texts, numbers, booleans and null. Whole numbers are {@code Long}
 * where they fit, others {@code BigDecimal}.
 */
public final class Tree {
  private Tree() {}

  public static @Nullable Object read(Json json) {
    try (JsonParser parser = json.reader()) {
      return read(parser);
    }
  }

  /** The members of an object; none if it is something else. */
  @SuppressWarnings("unchecked")
  public static Map<String, @Nullable Object> object(Json json) {
    return read(json) instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : Map.of();
  }

  private static @Nullable Object read(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> readObject(parser);
      case START_ARRAY -> readList(parser);
      case VALUE_STRING -> parser.getString();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> readWhole(parser);
      case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
      default -> null;
    };
  }

  private static Object readWhole(JsonParser parser) {
    return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? new BigDecimal(parser.getBigIntegerValue())
        : (Object) parser.getLongValue();
  }

  private static Map<String, @Nullable Object> readObject(JsonParser parser) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      members.put(name, read(parser));
    }
    return members;
  }

  private static List<@Nullable Object> readList(JsonParser parser) {
    List<@Nullable Object> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(read(parser));
    }
    return items;
  }

  public static Json write(@Nullable Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return Json.written(out.toString());
  }

  private static void write(@Nullable Object value, StringBuilder out) {
    switch (value) {
      case null -> out.append("null");
      case Json json -> out.append(json.text());
      case String text -> Json.quote(text, out);
      case Map<?, ?> map -> {
        String between = "{";
        for (Map.Entry<?, ?> member : map.entrySet()) {
          Json.quote(String.valueOf(member.getKey()), out.append(between));
          write(member.getValue(), out.append(':'));
          between = ",";
        }
        out.append(map.isEmpty() ? "{}" : "}");
      }
      case Iterable<?> list -> {
        String between = "[";
        for (Object item : list) {
          write(item, out.append(between));
          between = ",";
        }
        out.append(between.equals("[") ? "[]" : "]");
      }
      default -> out.append(value);
    }
  }
}
