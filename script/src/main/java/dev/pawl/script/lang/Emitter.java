package dev.pawl.script.lang;

import dev.pawl.script.lang.FunctionCode.Handler;
import dev.pawl.script.lang.FunctionCode.LocalRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gathers the instructions of one function, with its constants, places and ranges. */
final class Emitter {
  private int[] code = new int[64];
  private int[] places = new int[64];
  private int size;
  private final List<Object> constants = new ArrayList<>();
  private final Map<Object, Integer> constantIndex = new HashMap<>();
  private final List<Integer> sites = new ArrayList<>();
  private final List<Integer> statements = new ArrayList<>();
  private final List<Handler> handlers = new ArrayList<>();
  private final List<LocalRange> ranges = new ArrayList<>();
  private int depth;
  private int deepest;
  private int slots;
  private int slotsUsed;
  private int place;

  /** Where jumps go that are not known yet. */
  static final class Label {
    private int address = -1;
    private final List<Integer> uses = new ArrayList<>();
  }

  /** The offset in the source that the next instructions belong to. */
  void at(int offset) {
    place = offset;
  }

  int place() {
    return place;
  }

  /** Appends an instruction that changes the depth of the operand stack by {@code effect}. */
  void emit(int op, int effect, int... operands) {
    add(op, place);
    for (int operand : operands) {
      add(operand, -1);
    }
    stack(effect);
  }

  void stack(int effect) {
    depth += effect;
    deepest = Math.max(deepest, depth);
  }

  int depth() {
    return depth;
  }

  void setDepth(int to) {
    depth = to;
  }

  void jump(int op, int effect, Label label, int... before) {
    emit(op, effect, before);
    label.uses.add(size);
    add(0, -1);
  }

  void mark(Label label) {
    label.address = size;
  }

  /** Fills in the addresses; every label that was used has been marked. */
  void bind(Label label) {
    for (int use : label.uses) {
      code[use] = label.address;
    }
  }

  void markAndBind(Label label) {
    mark(label);
    bind(label);
  }

  void jumpBack(int op, int effect, int address) {
    emit(op, effect, address);
  }

  int address() {
    return size;
  }

  void site() {
    if (sites.isEmpty() || sites.getLast() != size) {
      sites.add(size);
    }
  }

  void statement() {
    site();
    statements.add(size);
  }

  int constant(Object value) {
    return constantIndex.computeIfAbsent(
        value,
        added -> {
          constants.add(added);
          return constants.size() - 1;
        });
  }

  int takeSlot() {
    slotsUsed = Math.max(slotsUsed, slots + 1);
    return slots++;
  }

  int slotMark() {
    return slots;
  }

  void releaseSlots(int mark) {
    slots = mark;
  }

  void range(String name, int slot, int start) {
    if (start < size) {
      ranges.add(new LocalRange(name, slot, start, size));
    }
  }

  void handler(int start, int end, int target) {
    if (start < end) {
      handlers.add(new Handler(start, end, target));
    }
  }

  private void add(int value, int offset) {
    if (size == code.length) {
      code = Arrays.copyOf(code, size * 2);
      places = Arrays.copyOf(places, size * 2);
    }
    code[size] = value;
    places[size++] = offset;
  }

  int[] code() {
    return Arrays.copyOf(code, size);
  }

  int[] places() {
    return Arrays.copyOf(places, size);
  }

  Object[] constants() {
    return constants.toArray();
  }

  int[] sites() {
    return sites.stream().mapToInt(Integer::intValue).toArray();
  }

  boolean[] statementStarts() {
    boolean[] starts = new boolean[size + 1];
    statements.forEach(at -> starts[at] = true);
    return starts;
  }

  Handler[] handlers() {
    return handlers.toArray(Handler[]::new);
  }

  LocalRange[] ranges() {
    return ranges.toArray(LocalRange[]::new);
  }

  int slotsUsed() {
    return slotsUsed;
  }

  int deepest() {
    return deepest;
  }
}
