package dev.pawl.script.lang;

import dev.pawl.script.lang.syntax.NumberText;
import dev.pawl.script.lang.syntax.Words;
import java.util.Arrays;
import java.util.List;

/** Reading and changing properties and elements. */
final class Access {
  private Access() {}

  /** {@code object.name}. */
  static Object get(Object object, String name) {
    Object found = find(object, name);
    if (found != Null.UNSET) {
      return found;
    }
    throw notFound(object, name);
  }

  private static Thrown notFound(Object object, String name) {
    if (Methods.has(object, name)) {
      return Thrown.type(
          "`"
              + name
              + "` of "
              + Values.kind(object)
              + " can only be called: write `"
              + name
              + "(…)`");
    }
    String advice =
        object instanceof PromiseValue
            ? "; `await` gives its value"
            : Words.near(name, names(object))
                .map(near -> ": did you mean `" + near + "`?")
                .orElse(": use `?.` or `[…]` if it may be missing");
    return Thrown.of(
        "PROPERTY_NOT_FOUND",
        capital(Values.kind(object)) + " has no property `" + name + "`" + advice);
  }

  private static String capital(String text) {
    return text.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + text.substring(1);
  }

  private static List<String> names(Object object) {
    return switch (object) {
      case ObjectValue o -> Arrays.asList(o.keys).subList(0, o.size);
      case ErrorValue ignored -> ErrorValue.PROPERTIES;
      default -> Methods.names(object);
    };
  }

  /** The property, or {@link Null#UNSET}; of null it is an error. */
  static Object find(Object object, String name) {
    return switch (object) {
      case ObjectValue o -> o.get(name);
      case ErrorValue error -> error.get(name);
      case ListValue list -> name.equals("length") ? (Object) (double) list.size : Null.UNSET;
      case String text -> name.equals("length") ? (Object) (double) text.length() : Null.UNSET;
      case Null ignored ->
          throw Thrown.type(
              "`." + name + "` of null: use `?." + name + "` if there may be nothing");
      case Callable function -> name.equals("name") ? function.name() : Null.UNSET;
      default -> Null.UNSET;
    };
  }

  static void set(Object object, String name, Object value, Machine machine) {
    if (object instanceof ObjectValue o) {
      if (o.put(name, value)) {
        machine.allocate(Machine.PROPERTY_BYTES);
      }
      return;
    }
    throw Thrown.type("`." + name + "` of " + Values.kind(object) + " cannot be assigned");
  }

  /** {@code object[key]}: null when there is nothing there. */
  static Object at(Object object, Object key) {
    if (object instanceof ListValue list) {
      int index = index(key, list.size, "a list");
      return index < 0 ? Null.NULL : list.get(index);
    }
    if (object instanceof String text) {
      int index = index(key, text.length(), "a text");
      return index < 0 ? Null.NULL : String.valueOf(text.charAt(index));
    }
    if (object == Null.NULL) {
      throw Thrown.type("`[…]` of null: use `?.[…]` if there may be nothing");
    }
    if (object instanceof ObjectValue || object instanceof ErrorValue) {
      Object found = find(object, key(key));
      return found == Null.UNSET ? Null.NULL : found;
    }
    throw Thrown.type(
        "`[…]` is for lists, objects and texts; here it is of " + Values.kind(object));
  }

  /** The index, or -1 where there is no element. */
  private static int index(Object key, int size, String what) {
    if (key instanceof Double d) {
      int index = (int) d.doubleValue();
      return (index == d && index >= 0 && index < size) ? index : -1;
    }
    if (key instanceof String text) {
      int index = indexOf(text);
      return index < size ? index : -1;
    }
    throw Thrown.type("an index of " + what + " is a number; here it is " + Values.kind(key));
  }

  /** The index a text stands for, or -1. */
  private static int indexOf(String text) {
    boolean digits =
        !text.isEmpty() && text.length() < 10 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!digits || (text.length() > 1 && text.charAt(0) == '0')) {
      return -1;
    }
    return Integer.parseInt(text);
  }

  /** The key of an object: a text, or the text of a number. */
  static String key(Object key) {
    return switch (key) {
      case String text -> text;
      case Double number -> NumberText.of(number);
      default ->
          throw Thrown.type(
              "a key of an object is a text or a number; here it is " + Values.kind(key));
    };
  }

  static void setAt(Object object, Object key, Object value, Machine machine) {
    if (object instanceof ListValue list) {
      setElement(list, key, value, machine);
    } else if (object instanceof ObjectValue) {
      set(object, key(key), value, machine);
    } else if (object == Null.NULL) {
      throw Thrown.type("`[…]` of null cannot be assigned");
    } else {
      throw Thrown.type("`[…]` of " + Values.kind(object) + " cannot be assigned");
    }
  }

  private static void setElement(ListValue list, Object key, Object value, Machine machine) {
    int index =
        key instanceof Double d && d == (int) d.doubleValue()
            ? (int) d.doubleValue()
            : key instanceof String text ? indexOf(text) : -1;
    if (index < 0) {
      throw Thrown.type(
          "an element of a list is assigned at 0, 1, 2 …; here at "
              + (key instanceof Double || key instanceof String
                  ? Values.text(key, machine)
                  : Values.kind(key)));
    }
    if (index >= list.size) {
      machine.allocate((long) (index - list.size + 1) * Machine.ELEMENT_BYTES);
      machine.charge(index - list.size);
      while (list.size < index) {
        list.add(Null.NULL);
      }
      list.add(value);
    } else {
      list.items[index] = value;
    }
  }

  static boolean delete(Object object, String key) {
    if (object instanceof ObjectValue o) {
      o.remove(key);
      return true;
    }
    throw Thrown.type(
        "`delete` is for properties of objects; here it is of "
            + Values.kind(object)
            + (object instanceof ListValue ? ": use `splice`" : ""));
  }

  /** {@code key in object}. */
  static boolean has(Object key, Object object) {
    return switch (object) {
      case ObjectValue o -> o.has(key(key));
      case ErrorValue error -> error.get(key(key)) != Null.UNSET;
      case ListValue list -> index(key, list.size, "a list") >= 0;
      default ->
          throw Thrown.type(
              "`in` looks into an object or a list; here into " + Values.kind(object));
    };
  }

  /** What {@code for in} goes through. */
  static ListValue keys(Object object, Machine machine) {
    return switch (object) {
      case ObjectValue o -> {
        machine.allocate((long) o.size * Machine.ELEMENT_BYTES);
        machine.charge(o.size);
        yield new ListValue(Arrays.copyOf(o.keys, o.size, Object[].class), o.size);
      }
      case ListValue list -> {
        ListValue keys = new ListValue();
        machine.charge(list.size);
        machine.allocate((long) list.size * Machine.PROPERTY_BYTES);
        for (int i = 0; i < list.size; i++) {
          keys.add(Integer.toString(i));
        }
        yield keys;
      }
      default ->
          throw Thrown.type(
              "`for in` goes through the keys of an object; here it has "
                  + Values.kind(object)
                  + (object instanceof String ? ": use `for of`" : ""));
    };
  }

  /** What {@code for of}, spread and list patterns take: a list, or the characters of a text. */
  static ListValue elements(Object value, String what, Machine machine) {
    if (value instanceof ListValue list) {
      return list;
    }
    if (value instanceof String text) {
      ListValue characters = new ListValue();
      machine.charge(text.length());
      machine.allocate((long) text.length() * Machine.PROPERTY_BYTES);
      text.codePoints().forEach(c -> characters.add(Character.toString(c)));
      return characters;
    }
    String advice = value instanceof ObjectValue ? ": use `Object.entries(object)`" : "";
    throw Thrown.type(what + " takes a list or a text; here it has " + Values.kind(value) + advice);
  }

  /** The rest of an object without some keys. */
  static ObjectValue without(ObjectValue object, List<?> taken, Machine machine) {
    ObjectValue rest = new ObjectValue();
    for (int i = 0; i < object.size; i++) {
      if (!taken.contains(object.keys[i])) {
        rest.put(object.keys[i], object.values[i]);
        machine.allocate(Machine.PROPERTY_BYTES);
      }
    }
    machine.charge((long) object.size * Math.max(1, taken.size()));
    return rest;
  }

  static void putAll(ObjectValue to, Object from, Machine machine) {
    if (from == Null.NULL) {
      return;
    }
    if (!(from instanceof ObjectValue source)) {
      throw Thrown.type("`...` in an object takes an object; here it has " + Values.kind(from));
    }
    machine.charge(source.size);
    int count = source.size;
    for (int i = 0; i < count; i++) {
      set(to, source.keys[i], source.values[i], machine);
    }
  }
}
