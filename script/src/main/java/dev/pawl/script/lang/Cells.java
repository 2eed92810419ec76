package dev.pawl.script.lang;

/** Variables that closures share, looked at with care for declarations that have not run. */
final class Cells {
  private Cells() {}

  static Object get(Closure closure, int index) {
    Object value = closure.captured[index].value;
    if (value == Null.UNSET) {
      throw notInitialized(closure.code.captures[index].name());
    }
    return value;
  }

  static void set(Closure closure, int index, Object value) {
    Cell cell = closure.captured[index];
    if (cell.value == Null.UNSET) {
      throw notInitialized(closure.code.captures[index].name());
    }
    cell.value = value;
  }

  static Object get(CodeFrame frame, int slot) {
    Object value = ((Cell) frame.slots[slot]).value;
    if (value == Null.UNSET) {
      throw notInitialized(name(frame, slot));
    }
    return value;
  }

  static void set(CodeFrame frame, int slot, Object value) {
    get(frame, slot);
    ((Cell) frame.slots[slot]).value = value;
  }

  static void check(CodeFrame frame, int slot) {
    if (frame.slots[slot] == Null.UNSET) {
      throw notInitialized(name(frame, slot));
    }
  }

  private static String name(CodeFrame frame, int slot) {
    for (FunctionCode.LocalRange range : frame.function.ranges) {
      if (range.slot() == slot && range.contains(frame.address)) {
        return range.name();
      }
    }
    return "a variable";
  }

  private static Thrown notInitialized(String name) {
    return Thrown.of(
        "NOT_INITIALIZED",
        "`" + name + "` is used before its declaration ran: move the declaration up");
  }
}
