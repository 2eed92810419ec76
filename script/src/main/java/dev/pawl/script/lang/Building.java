package dev.pawl.script.lang;

import dev.pawl.script.lang.FunctionCode.Capture;
import java.util.Arrays;

/** Instructions that build lists, objects, texts and closures. */
final class Building {
  private Building() {}

  static void execute(Machine machine, CodeFrame frame, int op) {
    int[] code = frame.function.code;
    Object[] s = frame.slots;
    int pc = frame.address;
    int sp = frame.top;
    switch (op) {
      case Op.NEW_LIST -> {
        int count = code[pc + 1];
        machine.allocate(Machine.OBJECT_BYTES + (long) count * Machine.ELEMENT_BYTES);
        Object[] items = Arrays.copyOfRange(s, sp - count, sp);
        Instructions.next(frame, 2, sp - count, new ListValue(items, count));
      }
      case Op.APPEND -> {
        machine.allocate(Machine.ELEMENT_BYTES);
        ((ListValue) s[sp - 2]).add(s[sp - 1]);
        Instructions.advance(frame, 1, sp - 1);
      }
      case Op.APPEND_ALL -> {
        ListValue from = Access.elements(s[sp - 1], "`...`", machine);
        machine.allocate((long) from.size * Machine.ELEMENT_BYTES);
        machine.charge(from.size >> 2);
        ((ListValue) s[sp - 2]).addAll(from.items, 0, from.size);
        Instructions.advance(frame, 1, sp - 1);
      }
      case Op.NEW_OBJECT -> {
        machine.allocate(Machine.OBJECT_BYTES);
        Instructions.next(frame, 2, sp, new ObjectValue(code[pc + 1]));
      }
      case Op.PUT -> {
        String name = (String) frame.function.constants[code[pc + 1]];
        Access.set(s[sp - 2], name, s[sp - 1], machine);
        Instructions.advance(frame, 2, sp - 1);
      }
      case Op.PUT_COMPUTED -> {
        Access.set(s[sp - 3], Access.key(s[sp - 2]), s[sp - 1], machine);
        Instructions.advance(frame, 1, sp - 2);
      }
      case Op.PUT_ALL -> {
        Access.putAll((ObjectValue) s[sp - 2], s[sp - 1], machine);
        Instructions.advance(frame, 1, sp - 1);
      }
      default -> throw new IllegalStateException("not a building instruction: " + op);
    }
  }

  static void join(Machine machine, CodeFrame frame, int parts) {
    StringBuilder text = new StringBuilder();
    int first = frame.top - parts;
    for (int i = first; i < frame.top; i++) {
      text.append(Values.text(frame.slots[i], machine));
      machine.checkTextLength(text.length());
    }
    machine.allocate(40L + 2L * text.length());
    machine.charge(text.length() >> 6);
    Instructions.next(frame, 2, first, text.toString());
  }

  static Closure closure(Machine machine, CodeFrame frame, int index) {
    FunctionCode code = machine.script.functions()[index];
    Capture[] captures = code.captures;
    Cell[] captured = new Cell[captures.length];
    for (int i = 0; i < captures.length; i++) {
      Capture capture = captures[i];
      captured[i] =
          capture.local()
              ? (Cell) frame.slots[capture.index()]
              : frame.closure.captured[capture.index()];
    }
    machine.allocate(Machine.OBJECT_BYTES + 8L * captured.length);
    return new Closure(code, captured);
  }
}
