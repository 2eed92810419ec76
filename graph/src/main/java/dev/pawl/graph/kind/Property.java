package dev.pawl.graph.kind;

import dev.pawl.error.PawlException;
import dev.pawl.graph.definition.Durations;
import dev.pawl.graph.definition.Tree;
import dev.pawl.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the properties of nodes, and says what is wrong with them. */
final class Property {
  private Property() {}

  static Optional<String> text(Json properties, String name) {
    Object value = Tree.read(properties.member(name));
    return switch (value) {
      case null -> Optional.empty();
      case String text -> Optional.of(text);
      default -> throw misfit(name, "a text", value);
    };
  }

  static String neededText(Json properties, String name) {
    return text(properties, name)
        .filter(text -> !text.isEmpty())
        .orElseThrow(() -> PawlException.badInput("'" + name + "' is missing: a text"));
  }

  static long number(Json properties, String name, long absent) {
    Object value = Tree.read(properties.member(name));
    return switch (value) {
      case null -> absent;
      case Long number when number > 0 -> number;
      default -> throw misfit(name, "a whole number above 0", value);
    };
  }

  static boolean flag(Json properties, String name) {
    Object value = Tree.read(properties.member(name));
    return switch (value) {
      case null -> false;
      case Boolean flag -> flag;
      default -> throw misfit(name, "true or false", value);
    };
  }

  static Optional<Duration> duration(Json properties, String name) {
    Object value = Tree.read(properties.member(name));
    try {
      return value == null ? Optional.empty() : Optional.of(Durations.parse(value));
    } catch (PawlException e) {
      throw PawlException.badInput("'" + name + "': " + e.getMessage());
    }
  }

  static Duration neededDuration(Json properties, String name) {
    return duration(properties, name)
        .orElseThrow(() ->
            PawlException.badInput("'" + name + "' is missing: a duration such as 10s or 1h"));
  }

  static List<String> texts(Json properties, String name) {
    Object value = Tree.read(properties.member(name));
    if (value == null) {
      return List.of();
    }
    List<String> texts = new ArrayList<>();
    if (!(value instanceof List<?> list)) {
      throw misfit(name, "a list of texts", value);
    }
    for (Object item : list) {
      if (!(item instanceof String text)) {
        throw misfit(name, "a list of texts", value);
      }
      texts.add(text);
    }
    return texts;
  }

  private static PawlException misfit(String name, String wanted, @Nullable Object found) {
    return PawlException.badInput("'" + name + "' should be " + wanted + ", not " + found);
  }
}
