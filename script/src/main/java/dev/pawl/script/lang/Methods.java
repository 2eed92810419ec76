package dev.pawl.script.lang;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The methods that lists, texts and numbers have. Each name has a number, in code only. */
final class Methods {
  private static final List<String> NAMES = new ArrayList<>();
  private static final Map<String, Integer> IDS = new HashMap<>();

  static {
    List.of(ListMethods.NAMES, TextMethods.NAMES, List.of("toFixed", "toString"))
        .forEach(names -> names.forEach(Methods::register));
  }

  private Methods() {}

  private static void register(String name) {
    if (!IDS.containsKey(name)) {
      IDS.put(name, NAMES.size());
      NAMES.add(name);
    }
  }

  /** The number of a name, or -1 if no kind of value has such a method. */
  static int id(String name) {
    return IDS.getOrDefault(name, -1);
  }

  static boolean has(Object receiver, String name) {
    return names(receiver).contains(name) && !name.equals("length");
  }

  /** Methods and properties of a kind of value, for suggestions. */
  static List<String> names(Object receiver) {
    return switch (receiver) {
      case ListValue ignored -> ListMethods.NAMES;
      case String ignored -> TextMethods.NAMES;
      case Double ignored -> List.of("toFixed", "toString");
      default -> List.of();
    };
  }

  static Object call(Machine machine, Object receiver, String name, int id, Arguments a) {
    if (id >= 0) {
      switch (receiver) {
        case ListValue list when ListMethods.NAMES.contains(name) -> {
          return ListMethods.call(machine, list, name, a);
        }
        case String text when TextMethods.NAMES.contains(name) -> {
          return TextMethods.call(machine, text, name, a);
        }
        case Double number when names(receiver).contains(name) -> {
          return NumberMethods.call(number, name, a);
        }
        default -> {}
      }
    }
    Object found = Access.get(receiver, name);
    if (found instanceof Callable callable) {
      return machine.calls.start(machine.running(), callable, a.values, a.start, a.count);
    }
    throw Thrown.type("`" + name + "` is not a function but " + Values.kind(found));
  }
}
