package dev.pawl.script;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.script.lang.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** The options of a call, by name, read as what each should be. A null is as good as nothing. */
final class ChildOptions {
  private static final double SECOND_MILLIS = 1000;

  private final String call;
  private final Map<String, Json> members;

  private ChildOptions(String call, Map<String, Json> members) {
    this.call = call;
    this.members = members;
  }

  /**
   * Reads an object.
   *
   * @param call what was called, for the messages
   */
  static ChildOptions of(String call, Json object) {
    Map<String, Json> members = new LinkedHashMap<>();
    try (JsonParser in = object.reader()) {
      while (in.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = in.currentName();
        in.nextToken();
        members.put(name, Json.copy(in));
      }
    }
    return new ChildOptions(call, members);
  }

  private Optional<Json> given(String name) {
    return Optional.ofNullable(members.get(name)).filter(value -> !value.isNull());
  }

  boolean has(String name) {
    return given(name).isPresent();
  }

  /** What {@code retry} says: a policy, or only how many attempts there are. */
  ChildOptions retry(List<String> known) {
    Json value = given("retry").orElse(Json.EMPTY_OBJECT);
    if (!value.text().startsWith("{")) {
      return new ChildOptions(call, Map.of("maxAttempts", value));
    }
    ChildOptions policy = of(call, value);
    for (String name : policy.members.keySet()) {
      if (!known.contains(name)) {
        throw PawlException.badInput(
            call + ": `retry` has no member `" + name + "`; it has " + String.join(", ", known));
      }
    }
    return policy;
  }

  Optional<String> text(String name) {
    return given(name).map(value -> text(name, value));
  }

  private String text(String name, Json value) {
    try (JsonParser in = value.reader()) {
      if (in.currentToken() != JsonToken.VALUE_STRING) {
        throw wrong(name, "a text", value);
      }
      return in.getString();
    }
  }

  /** A number of seconds, or a text with a unit. */
  Optional<Duration> duration(String name) {
    return given(name)
        .map(value -> {
          try {
            boolean isText = value.text().startsWith("\"");
            double millis =
                isText
                    ? Durations.millis(text(name, value))
                    : Double.parseDouble(value.text()) * SECOND_MILLIS;
            if (millis >= 0) {
              return Duration.ofMillis(Math.round(millis));
            }
          } catch (IllegalArgumentException e) {
            // The sentence below is right for this case too.
          }
          throw wrong(name, "a duration: seconds, or a text such as \"30s\"", value);
        });
  }

  Optional<Integer> whole(String name, int least) {
    return number(name, least)
        .map(number -> {
          if (number != Math.rint(number) || number > Integer.MAX_VALUE) {
            throw wrong(name, "a whole number", Json.stored(number.toString()));
          }
          return number.intValue();
        });
  }

  Optional<Double> number(String name, double least) {
    return given(name)
        .map(value -> {
          try {
            double number = Double.parseDouble(value.text());
            if (number >= least) {
              return number;
            }
          } catch (NumberFormatException e) {
            // The sentence below is right for this case too.
          }
          throw wrong(name, "a number that is not too small", value);
        });
  }

  Optional<Boolean> flag(String name) {
    return given(name)
        .map(value -> {
          if (!value.equals(Json.TRUE) && !value.equals(Json.FALSE)) {
            throw wrong(name, "true or false", value);
          }
          return value.equals(Json.TRUE);
        });
  }

  /** A list of texts, each without blanks. */
  List<String> words(String name) {
    List<String> words = new ArrayList<>();
    Json value = given(name).orElse(Json.stored("[]"));
    try (JsonParser in = value.reader()) {
      if (in.currentToken() != JsonToken.START_ARRAY) {
        throw wrong(name, "a list of codes", value);
      }
      while (in.nextToken() != JsonToken.END_ARRAY) {
        if (in.currentToken() != JsonToken.VALUE_STRING || in.getString().isBlank()) {
          throw wrong(name, "a list of codes", value);
        }
        words.add(in.getString().strip());
      }
    }
    return words;
  }

  private PawlException wrong(String name, String wanted, Json found) {
    return PawlException.badInput(
        call + ": the option `" + name + "` is " + wanted + ", not " + found.text());
  }
}
