package dev.pawl.script.lang;

import dev.pawl.script.lang.LoopFrame.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The methods of texts. */
final class TextMethods {
  /** What a method does with its text. */
  interface Body {
    Object call(Machine machine, String text, Arguments arguments);
  }

  static final Map<String, Body> BODIES = new LinkedHashMap<>();

  static {
    BODIES.put("split", TextMethods::split);
    BODIES.put("trim", (m, text, a) -> trim(text, true, true));
    BODIES.put("trimStart", (m, text, a) -> trim(text, true, false));
    BODIES.put("trimEnd", (m, text, a) -> trim(text, false, true));
    BODIES.put("slice", (m, text, a) -> slice(text, a));
    BODIES.put("substring", (m, text, a) -> substring(text, a));
    BODIES.put("toUpperCase", (m, text, a) -> text.toUpperCase(Locale.ROOT));
    BODIES.put("toLowerCase", (m, text, a) -> text.toLowerCase(Locale.ROOT));
    BODIES.put("replace", (m, text, a) -> replace(m, text, a, false));
    BODIES.put("replaceAll", (m, text, a) -> replace(m, text, a, true));
    BODIES.put("startsWith", (m, text, a) -> text.startsWith(a.text(0), from(text, a)));
    BODIES.put("endsWith", (m, text, a) -> endsWith(text, a));
    BODIES.put("includes", (m, text, a) -> text.indexOf(a.text(0), from(text, a)) >= 0);
    BODIES.put("indexOf", (m, text, a) -> (double) text.indexOf(a.text(0), from(text, a)));
    BODIES.put("lastIndexOf", (m, text, a) -> (double) text.lastIndexOf(a.text(0)));
    BODIES.put("padStart", (m, text, a) -> pad(m, text, a) + text);
    BODIES.put("padEnd", (m, text, a) -> text + pad(m, text, a));
    BODIES.put("repeat", TextMethods::repeat);
    BODIES.put("at", (m, text, a) -> at(text, a, "at"));
    BODIES.put("charAt", (m, text, a) -> at(text, a, "charAt"));
    BODIES.put("charCodeAt", (m, text, a) -> codeAt(text, a));
    BODIES.put("concat", TextMethods::concat);
    BODIES.put("toString", (m, text, a) -> text);
  }

  private TextMethods() {}

  static Object call(Machine machine, String text, Body body, Arguments a) {
    machine.charge(text.length() >> 5);
    Object result = body.call(machine, text, a);
    if (result instanceof String made) {
      machine.checkTextLength(made.length());
      machine.allocate(40L + 2L * made.length());
    }
    return result;
  }

  private static int from(String text, Arguments a) {
    return a.position(1, text.length(), 0);
  }

  private static boolean endsWith(String text, Arguments a) {
    return text.substring(0, a.position(1, text.length(), text.length())).endsWith(a.text(0));
  }

  private static Object split(Machine machine, String text, Arguments a) {
    ListValue parts = new ListValue();
    double most = a.number(1, Double.MAX_VALUE);
    if (!a.has(0)) {
      parts.add(text);
    } else if (a.text(0).isEmpty()) {
      for (int i = 0; i < text.length(); i++) {
        parts.add(String.valueOf(text.charAt(i)));
      }
    } else {
      String separator = a.text(0);
      int from = 0;
      for (int at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, from)) {
        parts.add(text.substring(from, at));
        from = at + separator.length();
      }
      parts.add(text.substring(from));
    }
    if (parts.size > most) {
      parts = parts.slice(0, (int) Math.max(0, most));
    }
    machine.charge(parts.size);
    machine.allocate((long) parts.size * Machine.OBJECT_BYTES + 2L * text.length());
    return parts;
  }

  private static String trim(String text, boolean start, boolean end) {
    int from = 0;
    int to = text.length();
    while (start && from < to && isBlank(text.charAt(from))) {
      from++;
    }
    while (end && to > from && isBlank(text.charAt(to - 1))) {
      to--;
    }
    return text.substring(from, to);
  }

  private static boolean isBlank(char c) {
    return Character.isWhitespace(c)
        || Character.isSpaceChar(c)
        || c == '\uFEFF'
        || c == '\u2028'
        || c == '\u2029';
  }

  private static String slice(String text, Arguments a) {
    int from = a.position(0, text.length(), 0);
    int to = a.position(1, text.length(), text.length());
    return from < to ? text.substring(from, to) : "";
  }

  private static String substring(String text, Arguments a) {
    int length = text.length();
    int from = (int) Math.clamp(a.number(0, 0), 0, length);
    int to = (int) Math.clamp(a.number(1, length), 0, length);
    return text.substring(Math.min(from, to), Math.max(from, to));
  }

  private static Object replace(Machine machine, String text, Arguments a, boolean all) {
    String wanted = a.text(0);
    List<Integer> places = places(text, wanted, all);
    machine.charge(places.size());
    ListValue pieces = new ListValue();
    int from = 0;
    for (int place : places) {
      pieces.add(text.substring(from, place));
      from = place + wanted.length();
    }
    pieces.add(text.substring(from));
    machine.allocate((long) pieces.size * Machine.OBJECT_BYTES + 2L * text.length());
    ListValue found = new ListValue();
    places.forEach(place -> found.add(ListValue.of(wanted, (double) place)));
    if (a.get(1) instanceof Callable function) {
      return LoopFrame.start(machine, Method.REPLACE, found, function, pieces, 0);
    }
    String given = a.text(1);
    long length = text.length() + (long) given.length() * places.size();
    machine.checkTextLength((int) Math.min(length, Integer.MAX_VALUE));
    machine.charge(length >> 5);
    String put = given.contains("$") ? expand(given, wanted) : given;
    places.forEach(place -> pieces.add(put));
    return assemble(pieces);
  }

  private static List<Integer> places(String text, String wanted, boolean all) {
    List<Integer> places = new ArrayList<>();
    int at = text.indexOf(wanted);
    while (at >= 0) {
      places.add(at);
      int next = at + Math.max(1, wanted.length());
      at = (all && next <= text.length()) ? text.indexOf(wanted, next) : -1;
    }
    return places;
  }

  private static String expand(String given, String found) {
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < given.length(); i++) {
      if (given.startsWith("$$", i)) {
        result.append('$');
        i++;
      } else if (given.startsWith("$&", i)) {
        result.append(found);
        i++;
      } else {
        result.append(given.charAt(i));
      }
    }
    return result.toString();
  }

  /** The pieces, of which there is one more than texts to put between them, and those texts. */
  static String assemble(ListValue list) {
    int pieces = (list.size + 1) / 2;
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < pieces; i++) {
      result.append(list.get(i));
      if (pieces + i < list.size) {
        result.append(list.get(pieces + i));
      }
    }
    return result.toString();
  }

  private static String pad(Machine machine, String text, Arguments a) {
    double wanted = a.number(0);
    String filler = a.has(1) ? a.text(1) : " ";
    if (!(wanted > text.length()) || filler.isEmpty()) {
      return "";
    }
    int length = (int) Math.min(wanted, Integer.MAX_VALUE);
    machine.checkTextLength(length);
    machine.charge(length >> 5);
    int missing = length - text.length();
    return filler.repeat(missing / filler.length() + 1).substring(0, missing);
  }

  private static String repeat(Machine machine, String text, Arguments a) {
    double times = Math.floor(a.number(0));
    if (!(times >= 0) || Double.isInfinite(times)) {
      throw Thrown.input(
          "`repeat` takes 0, 1, 2 … times; it got " + Values.text(a.get(0), machine));
    }
    double length = times * text.length();
    machine.checkTextLength((int) Math.min(length, Integer.MAX_VALUE));
    machine.charge((long) length >> 5);
    return text.isEmpty() ? "" : text.repeat((int) times);
  }

  private static Object at(String text, Arguments a, String name) {
    double wanted = Math.floor(a.number(0, 0));
    double index = (wanted < 0 && name.equals("at")) ? wanted + text.length() : wanted;
    if (index >= 0 && index < text.length()) {
      return String.valueOf(text.charAt((int) index));
    }
    return name.equals("at") ? Null.NULL : "";
  }

  private static Object codeAt(String text, Arguments a) {
    double index = Math.floor(a.number(0, 0));
    boolean there = index >= 0 && index < text.length();
    return there ? (double) text.charAt((int) index) : Double.NaN;
  }

  private static Object concat(Machine machine, String text, Arguments a) {
    String result = text;
    for (int i = 0; i < a.count; i++) {
      result = Values.concat(result, Values.text(a.get(i), machine), machine);
    }
    return result;
  }

  /** {@code FIND_INDEX} as scripts write it. */
  static String camel(String constant) {
    StringBuilder name = new StringBuilder();
    for (String word : constant.split("_", -1)) {
      String lower = word.toLowerCase(Locale.ROOT);
      name.append(
          name.isEmpty()
              ? lower
              : lower.substring(0, 1).toUpperCase(Locale.ROOT) + lower.substring(1));
    }
    return name.toString();
  }
}
