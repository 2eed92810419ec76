package dev.pawl.script.lang;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The methods that lists, texts and numbers have. Each name has a number, in code only. */
final class Methods {
  private static final Map<String, Integer> IDS = new HashMap<>();
  private static final List<String> ON_NUMBERS = List.of("toFixed", "toString");
  private static final ListMethods.@Nullable Body[] ON_LISTS;
  private static final TextMethods.@Nullable Body[] ON_TEXTS;

  static {
    Stream.of(ListMethods.BODIES.keySet(), TextMethods.BODIES.keySet(), ON_NUMBERS)
        .forEach(names -> names.forEach(name -> IDS.putIfAbsent(name, IDS.size())));
    ON_LISTS = new ListMethods.@Nullable Body[IDS.size()];
    ON_TEXTS = new TextMethods.@Nullable Body[IDS.size()];
    ListMethods.BODIES.forEach((name, body) -> ON_LISTS[id(name)] = body);
    TextMethods.BODIES.forEach((name, body) -> ON_TEXTS[id(name)] = body);
  }

  private Methods() {}

  /** The number of a name, or -1 if no kind of value has such a method. */
  static int id(String name) {
    return IDS.getOrDefault(name, -1);
  }

  static boolean has(Object receiver, String name) {
    return switch (receiver) {
      case ListValue ignored -> ListMethods.BODIES.containsKey(name);
      case String ignored -> TextMethods.BODIES.containsKey(name);
      case Double ignored -> ON_NUMBERS.contains(name);
      default -> false;
    };
  }

  /** Methods and properties of a kind of value, for suggestions. */
  static List<String> names(Object receiver) {
    List<String> names = new ArrayList<>();
    switch (receiver) {
      case ListValue ignored -> names.addAll(ListMethods.BODIES.keySet());
      case String ignored -> names.addAll(TextMethods.BODIES.keySet());
      case Double ignored -> names.addAll(ON_NUMBERS);
      default -> {}
    }
    if (receiver instanceof ListValue || receiver instanceof String) {
      names.add("length");
    }
    return names;
  }

  static Object call(Machine machine, Object receiver, String name, int id, Arguments a) {
    if (id >= 0) {
      if (receiver instanceof ListValue list) {
        ListMethods.Body body = ON_LISTS[id];
        if (body != null) {
          return body.call(machine, list, a);
        }
      } else if (receiver instanceof String text) {
        TextMethods.Body body = ON_TEXTS[id];
        if (body != null) {
          return TextMethods.call(machine, text, body, a);
        }
      } else if (receiver instanceof Double number && ON_NUMBERS.contains(name)) {
        return NumberMethods.call(number, name, a);
      }
    }
    Object found = Access.get(receiver, name);
    if (found instanceof Callable callable) {
      return machine.calls.start(machine.running(), callable, a.values, a.start, a.count);
    }
    throw Thrown.type("`" + name + "` is not a function but " + Values.kind(found));
  }
}
