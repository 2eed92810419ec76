package dev.pawl.script.lang;

import java.util.List;

/** The instructions that are not worth a place in the interpreter's loop. */
final class Instructions {
  private Instructions() {}

  static Object get(Object object, String name, int[] code, int hintAt) {
    if (object instanceof ObjectValue o) {
      int found = o.find(name);
      if (found >= 0) {
        code[hintAt] = found;
        return o.values[found];
      }
    }
    return Access.get(object, name);
  }

  static void set(
      Object object, String name, Object value, int[] code, int hintAt, Machine machine) {
    Access.set(object, name, value, machine);
    if (object instanceof ObjectValue o) {
      code[hintAt] = o.find(name);
    }
  }

  /** Carries out one instruction; false if the fiber stopped. */
  static boolean execute(Machine machine, Fiber fiber, CodeFrame frame) {
    int[] code = frame.function.code;
    Object[] s = frame.slots;
    int pc = frame.address;
    int sp = frame.top;
    int op = code[pc];
    switch (op) {
      case Op.LOCAL_CHECKED -> {
        Cells.check(frame, code[pc + 1]);
        next(frame, 2, sp, s[code[pc + 1]]);
      }
      case Op.SET_LOCAL_CHECKED -> {
        Cells.check(frame, code[pc + 1]);
        s[code[pc + 1]] = s[sp - 1];
        advance(frame, 2, sp - 1);
      }
      case Op.SET_CELL -> {
        Cells.set(frame, code[pc + 1], s[sp - 1]);
        advance(frame, 2, sp - 1);
      }
      case Op.INIT_CELL -> {
        ((Cell) s[code[pc + 1]]).value = s[sp - 1];
        advance(frame, 2, sp - 1);
      }
      case Op.SET_CAPTURED -> {
        Cells.set(frame.closure, code[pc + 1], s[sp - 1]);
        advance(frame, 2, sp - 1);
      }
      case Op.NEW_CELL -> {
        machine.allocate(Machine.CELL_BYTES);
        s[code[pc + 1]] = new Cell(Null.UNSET);
        advance(frame, 2, sp);
      }
      case Op.COPY_CELL -> {
        machine.allocate(Machine.CELL_BYTES);
        s[code[pc + 1]] = new Cell(((Cell) s[code[pc + 1]]).value);
        advance(frame, 2, sp);
      }
      case Op.WRAP_CELL -> {
        machine.allocate(Machine.CELL_BYTES);
        s[code[pc + 1]] = new Cell(s[code[pc + 1]]);
        advance(frame, 2, sp);
      }
      case Op.UNSET -> {
        s[code[pc + 1]] = Null.UNSET;
        advance(frame, 2, sp);
      }
      case Op.DUP2 -> {
        s[sp] = s[sp - 2];
        s[sp + 1] = s[sp - 1];
        advance(frame, 1, sp + 2);
      }
      case Op.DUP_X1 -> {
        Object b = s[sp - 1];
        s[sp] = b;
        s[sp - 1] = s[sp - 2];
        s[sp - 2] = b;
        advance(frame, 1, sp + 1);
      }
      case Op.DUP_X2 -> {
        Object c = s[sp - 1];
        s[sp] = c;
        s[sp - 1] = s[sp - 2];
        s[sp - 2] = s[sp - 3];
        s[sp - 3] = c;
        advance(frame, 1, sp + 1);
      }
      case Op.SWAP -> {
        Object b = s[sp - 1];
        s[sp - 1] = s[sp - 2];
        s[sp - 2] = b;
        advance(frame, 1, sp);
      }
      case Op.POWER -> next(frame, 1, sp - 2, Arithmetic.power(s[sp - 2], s[sp - 1]));
      case Op.LESS -> next(frame, 1, sp - 2, Values.less(s[sp - 2], s[sp - 1]));
      case Op.LESS_OR_EQUAL -> next(frame, 1, sp - 2, Values.lessOrEqual(s[sp - 2], s[sp - 1]));
      case Op.GREATER -> next(frame, 1, sp - 2, Values.greater(s[sp - 2], s[sp - 1]));
      case Op.GREATER_OR_EQUAL ->
          next(frame, 1, sp - 2, Values.greaterOrEqual(s[sp - 2], s[sp - 1]));
      case Op.IN -> next(frame, 1, sp - 2, Access.has(s[sp - 2], s[sp - 1]));
      case Op.NEGATE -> next(frame, 1, sp - 1, -Values.number(s[sp - 1], "-"));
      case Op.TYPEOF -> next(frame, 1, sp - 1, Values.typeName(s[sp - 1]));
      case Op.INCREMENT -> {
        String sign = code[pc + 1] > 0 ? "++" : "--";
        next(frame, 2, sp - 1, Values.number(s[sp - 1], sign) + code[pc + 1]);
      }
      case Op.GLOBAL -> next(frame, 2, sp, code[pc + 1] == 0 ? machine.inputs : machine.context);
      default -> {
        return executeRest(machine, fiber, frame, op);
      }
    }
    return true;
  }

  private static boolean executeRest(Machine machine, Fiber fiber, CodeFrame frame, int op) {
    int[] code = frame.function.code;
    Object[] constants = frame.function.constants;
    Object[] s = frame.slots;
    int pc = frame.address;
    int sp = frame.top;
    switch (op) {
      case Op.GET_OPTIONAL -> optional(frame, (String) constants[code[pc + 1]], false);
      case Op.METHOD_OPTIONAL -> optional(frame, (String) constants[code[pc + 1]], true);
      case Op.DELETE ->
          next(frame, 2, sp - 1, Access.delete(s[sp - 1], (String) constants[code[pc + 1]]));
      case Op.DELETE_INDEX ->
          next(frame, 1, sp - 2, Access.delete(s[sp - 2], Access.key(s[sp - 1])));
      case Op.NEW_LIST,
          Op.APPEND,
          Op.APPEND_ALL,
          Op.NEW_OBJECT,
          Op.PUT,
          Op.PUT_COMPUTED,
          Op.PUT_ALL ->
          Building.execute(machine, frame, op);
      case Op.JOIN -> Building.join(machine, frame, code[pc + 1]);
      case Op.CLOSURE -> next(frame, 2, sp, Building.closure(machine, frame, code[pc + 1]));
      case Op.CALL_LIST -> {
        ListValue list = (ListValue) s[sp - 1];
        frame.address = pc + 1;
        frame.top = sp - 2;
        return machine.calls.call(fiber, s[sp - 2], list.items, 0, list.size);
      }
      case Op.INVOKE_LIST -> {
        ListValue list = (ListValue) s[sp - 1];
        Object[] values = new Object[list.size + 1];
        values[0] = s[sp - 2];
        System.arraycopy(list.items, 0, values, 1, list.size);
        frame.address = pc + 3;
        frame.top = sp - 2;
        String name = (String) constants[code[pc + 1]];
        return machine.calls.invoke(fiber, name, code[pc + 2], values, 1, list.size);
      }
      case Op.BUILTIN_LIST -> {
        ListValue list = (ListValue) s[sp - 1];
        Builtin builtin = (Builtin) constants[code[pc + 1]];
        next(frame, 3, sp - 1, machine.calls.builtin(builtin, list.items, 0, list.size));
      }
      case Op.NEW_ERROR -> {
        frame.address = pc + 1;
        next(frame, 0, sp - 1, Errors.create((ListValue) s[sp - 1], fiber, machine));
      }
      case Op.THROW -> {
        machine.calls.thrownAt(frame);
        throw new Thrown(s[sp - 1]);
      }
      case Op.RETHROW -> throw new Thrown(s[sp - 1]);
      case Op.ITERATE -> {
        ListValue list = Access.elements(s[sp - 1], "`for of`", machine);
        s[code[pc + 1]] = new IteratorValue(list, 0);
        advance(frame, 2, sp - 1);
      }
      case Op.KEYS -> next(frame, 1, sp - 1, Access.keys(s[sp - 1], machine));
      default -> executePattern(machine, frame, op);
    }
    return true;
  }

  private static void executePattern(Machine machine, CodeFrame frame, int op) {
    int[] code = frame.function.code;
    Object[] constants = frame.function.constants;
    Object[] s = frame.slots;
    int pc = frame.address;
    int sp = frame.top;
    switch (op) {
      case Op.JUMP_IF_COMPLETION -> {
        boolean jumps = (Double) s[code[pc + 1]] == code[pc + 2];
        frame.address = jumps ? code[pc + 3] : pc + 4;
      }
      case Op.JUMP_IF_PASSED -> {
        Object value = s[code[pc + 1]] instanceof Cell cell ? cell.value : s[code[pc + 1]];
        frame.address = value != Null.UNSET ? code[pc + 2] : pc + 3;
      }
      case Op.JUMP_IF_PRESENT -> {
        boolean present = s[sp - 1] != Null.UNSET;
        frame.address = present ? code[pc + 1] : pc + 2;
        frame.top = present ? sp : sp - 1;
      }
      case Op.CHECK_OBJECT -> {
        Object value = s[sp - 1];
        if (!(value instanceof ObjectValue) && !(value instanceof ErrorValue)) {
          throw Thrown.type("`{ … }` takes an object apart; here it has " + Values.kind(value));
        }
        advance(frame, 1, sp);
      }
      case Op.CHECK_LIST -> next(frame, 1, sp - 1, Access.elements(s[sp - 1], "`[ … ]`", machine));
      case Op.PART -> next(frame, 2, sp, Access.find(s[sp - 1], (String) constants[code[pc + 1]]));
      case Op.PART_COMPUTED ->
          next(frame, 1, sp - 1, Access.find(s[sp - 2], Access.key(s[sp - 1])));
      case Op.ELEMENT -> {
        ListValue list = (ListValue) s[sp - 1];
        int index = code[pc + 1];
        next(frame, 2, sp, index < list.size ? list.get(index) : Null.UNSET);
      }
      case Op.ELEMENTS_FROM -> {
        ListValue list = (ListValue) s[sp - 1];
        int from = Math.min(code[pc + 1], list.size);
        machine.allocate((long) (list.size - from) * Machine.ELEMENT_BYTES);
        next(frame, 2, sp, list.slice(from, list.size));
      }
      case Op.REST_OF_OBJECT -> {
        List<?> taken = (List<?>) constants[code[pc + 1]];
        Object from = s[sp - 1];
        ObjectValue object = from instanceof ObjectValue o ? o : new ObjectValue();
        next(frame, 2, sp, Access.without(object, taken, machine));
      }
      case Op.OR_NULL -> {
        if (s[sp - 1] == Null.UNSET) {
          s[sp - 1] = Null.NULL;
        }
        advance(frame, 1, sp);
      }
      default -> throw new IllegalStateException("unknown instruction " + op);
    }
  }

  private static void optional(CodeFrame frame, String name, boolean method) {
    Object object = frame.slots[frame.top - 1];
    boolean missing = object == Null.NULL;
    Object found = Null.NULL;
    if (!missing) {
      found = (method && Methods.has(object, name)) ? object : Access.find(object, name);
      missing = found == Null.UNSET;
    }
    int pc = frame.address;
    frame.slots[frame.top - 1] = missing ? Null.NULL : method ? object : found;
    frame.address = missing ? frame.function.code[pc + 2] : pc + 3;
  }

  /** Goes on behind an instruction with this length, with the stack up to {@code top}. */
  static void advance(CodeFrame frame, int length, int top) {
    frame.address += length;
    frame.top = top;
  }

  /** The same, with a value on top. */
  static void next(CodeFrame frame, int length, int top, Object value) {
    frame.slots[top] = value;
    frame.address += length;
    frame.top = top + 1;
  }
}
