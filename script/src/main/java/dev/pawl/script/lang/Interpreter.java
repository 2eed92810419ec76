package dev.pawl.script.lang;

/**
 * Carries out instructions. While it runs a frame, the address and the top of the operand stack are
 * kept in local variables; they are written back wherever control can leave.
 */
final class Interpreter {
  /** How many instructions are run between two looks at the budget. */
  private static final int SLICE = 1000;

  private final Machine machine;

  Interpreter(Machine machine) {
    this.machine = machine;
  }

  /** Runs a fiber until it waits, ends, gives way or is paused. */
  void run(Fiber fiber) {
    fiber.state = Fiber.State.RUNNING;
    while (fiber.state == Fiber.State.RUNNING) {
      try {
        if (fiber.resume != Fiber.Resume.NOTHING) {
          resume(fiber);
        } else {
          execute(fiber);
        }
      } catch (Thrown thrown) {
        machine.calls.unwind(fiber, thrown.value);
      }
    }
  }

  private void resume(Fiber fiber) {
    Fiber.Resume kind = fiber.resume;
    Object value = fiber.resumeValue;
    fiber.resume = Fiber.Resume.NOTHING;
    fiber.resumeValue = Null.NULL;
    if (kind == Fiber.Resume.ERROR) {
      throw new Thrown(value);
    }
    machine.calls.deliver(fiber, value);
  }

  @SuppressWarnings("ReferenceEquality") // names are interned; a miss is looked up
  private void execute(Fiber fiber) {
    CodeFrame frame = (CodeFrame) fiber.top();
    int[] code = frame.function.code;
    Object[] constants = frame.function.constants;
    Object[] s = frame.slots;
    int pc = frame.address;
    int sp = frame.top;
    int fuel = machine.fuel(SLICE);
    try {
      while (true) {
        if (--fuel < 0) {
          frame.address = pc;
          frame.top = sp;
          if (machine.pausesAt(frame)) {
            return;
          }
          fuel = machine.fuel(SLICE);
        }
        switch (code[pc]) {
          case Op.CONST -> {
            s[sp++] = constants[code[pc + 1]];
            pc += 2;
          }
          case Op.LOCAL -> {
            s[sp++] = s[code[pc + 1]];
            pc += 2;
          }
          case Op.SET_LOCAL -> {
            s[code[pc + 1]] = s[--sp];
            pc += 2;
          }
          case Op.CAPTURED -> {
            s[sp++] = Cells.get(frame.closure, code[pc + 1]);
            pc += 2;
          }
          case Op.CELL -> {
            s[sp++] = Cells.get(frame, code[pc + 1]);
            pc += 2;
          }
          case Op.POP -> {
            sp--;
            pc++;
          }
          case Op.DUP -> {
            s[sp] = s[sp - 1];
            sp++;
            pc++;
          }
          case Op.ADD -> {
            Object a = s[sp - 2];
            Object b = s[sp - 1];
            s[sp - 2] =
                (a instanceof Double x && b instanceof Double y)
                    ? (Object) (x + y)
                    : Values.add(a, b, machine);
            sp--;
            pc++;
          }
          case Op.SUBTRACT -> {
            s[sp - 2] = Values.number(s[sp - 2], "-") - Values.number(s[sp - 1], "-");
            sp--;
            pc++;
          }
          case Op.MULTIPLY -> {
            s[sp - 2] = Values.number(s[sp - 2], "*") * Values.number(s[sp - 1], "*");
            sp--;
            pc++;
          }
          case Op.DIVIDE -> {
            s[sp - 2] = Values.number(s[sp - 2], "/") / Values.number(s[sp - 1], "/");
            sp--;
            pc++;
          }
          case Op.REMAINDER -> {
            s[sp - 2] = Arithmetic.remainder(s[sp - 2], s[sp - 1]);
            sp--;
            pc++;
          }
          case Op.EQUAL -> {
            s[sp - 2] = Values.equal(s[sp - 2], s[sp - 1]);
            sp--;
            pc++;
          }
          case Op.NOT_EQUAL -> {
            s[sp - 2] = !Values.equal(s[sp - 2], s[sp - 1]);
            sp--;
            pc++;
          }
          case Op.NOT -> {
            s[sp - 1] = !Values.isTrue(s[sp - 1]);
            pc++;
          }
          case Op.INCREMENT_LOCAL -> {
            int slot = code[pc + 1];
            s[slot] = Values.number(s[slot], "++") + code[pc + 2];
            pc += 3;
          }
          case Op.JUMP -> pc = code[pc + 1];
          case Op.JUMP_IF_FALSE -> pc = Values.isTrue(s[--sp]) ? pc + 2 : code[pc + 1];
          case Op.JUMP_IF_TRUE -> pc = Values.isTrue(s[--sp]) ? code[pc + 1] : pc + 2;
          case Op.JUMP_UNLESS_LESS -> {
            Object a = s[sp - 2];
            Object b = s[sp - 1];
            boolean holds =
                (a instanceof Double x && b instanceof Double y) ? x < y : Values.less(a, b);
            sp -= 2;
            pc = holds ? pc + 2 : code[pc + 1];
          }
          case Op.JUMP_UNLESS_LESS_OR_EQUAL -> {
            boolean holds = Values.lessOrEqual(s[sp - 2], s[sp - 1]);
            sp -= 2;
            pc = holds ? pc + 2 : code[pc + 1];
          }
          case Op.JUMP_UNLESS_GREATER -> {
            boolean holds = Values.greater(s[sp - 2], s[sp - 1]);
            sp -= 2;
            pc = holds ? pc + 2 : code[pc + 1];
          }
          case Op.JUMP_UNLESS_GREATER_OR_EQUAL -> {
            boolean holds = Values.greaterOrEqual(s[sp - 2], s[sp - 1]);
            sp -= 2;
            pc = holds ? pc + 2 : code[pc + 1];
          }
          case Op.JUMP_UNLESS_EQUAL -> {
            sp -= 2;
            pc = Values.equal(s[sp], s[sp + 1]) ? pc + 2 : code[pc + 1];
          }
          case Op.JUMP_UNLESS_NOT_EQUAL -> {
            sp -= 2;
            pc = Values.equal(s[sp], s[sp + 1]) ? code[pc + 1] : pc + 2;
          }
          case Op.JUMP_IF_FALSE_KEEP -> {
            if (Values.isTrue(s[sp - 1])) {
              sp--;
              pc += 2;
            } else {
              pc = code[pc + 1];
            }
          }
          case Op.JUMP_IF_TRUE_KEEP -> {
            if (Values.isTrue(s[sp - 1])) {
              pc = code[pc + 1];
            } else {
              sp--;
              pc += 2;
            }
          }
          case Op.JUMP_IF_VALUE_KEEP -> {
            if (s[sp - 1] != Null.NULL) {
              pc = code[pc + 1];
            } else {
              sp--;
              pc += 2;
            }
          }
          case Op.JUMP_IF_NULL -> pc = s[sp - 1] == Null.NULL ? code[pc + 1] : pc + 2;
          case Op.GET -> {
            String name = (String) constants[code[pc + 1]];
            int hint = code[pc + 2];
            if (s[sp - 1] instanceof ObjectValue object
                && hint < object.size
                && object.keys[hint] == name) {
              s[sp - 1] = object.values[hint];
            } else {
              s[sp - 1] = Instructions.get(s[sp - 1], name, code, pc + 2);
            }
            pc += 3;
          }
          case Op.SET -> {
            String name = (String) constants[code[pc + 1]];
            int hint = code[pc + 2];
            Object value = s[--sp];
            if (s[sp - 1] instanceof ObjectValue object
                && hint < object.size
                && object.keys[hint] == name) {
              object.values[hint] = value;
            } else {
              Instructions.set(s[sp - 1], name, value, code, pc + 2, machine);
            }
            s[sp - 1] = value;
            pc += 3;
          }
          case Op.GET_INDEX -> {
            Object key = s[sp - 1];
            if (s[sp - 2] instanceof ListValue list && key instanceof Double d) {
              int at = (int) d.doubleValue();
              s[sp - 2] = (at == d && at >= 0 && at < list.size) ? list.items[at] : Null.NULL;
            } else {
              s[sp - 2] = Access.at(s[sp - 2], key);
            }
            sp--;
            pc++;
          }
          case Op.SET_INDEX -> {
            Object value = s[sp - 1];
            Access.setAt(s[sp - 3], s[sp - 2], value, machine);
            sp -= 2;
            s[sp - 1] = value;
            pc++;
          }
          case Op.NEXT -> {
            IteratorValue iterator = (IteratorValue) s[code[pc + 1]];
            if (iterator.next < iterator.list.size) {
              s[sp++] = iterator.list.items[iterator.next++];
              pc += 3;
            } else {
              pc = code[pc + 2];
            }
          }
          case Op.CALL -> {
            int count = code[pc + 1];
            Object callee = s[sp - count - 1];
            frame.address = pc + 2;
            frame.top = sp - count - 1;
            if (!(callee instanceof Closure closure) || closure.code.isAsync) {
              if (!machine.calls.call(fiber, callee, s, sp - count, count)) {
                return;
              }
            } else {
              machine.calls.push(fiber, closure, s, sp - count, count);
            }
            frame = (CodeFrame) fiber.top();
            code = frame.function.code;
            constants = frame.function.constants;
            s = frame.slots;
            pc = frame.address;
            sp = frame.top;
          }
          case Op.INVOKE -> {
            int count = code[pc + 3];
            frame.address = pc + 4;
            frame.top = sp - count - 1;
            String name = (String) constants[code[pc + 1]];
            if (!machine.calls.invoke(fiber, name, code[pc + 2], s, sp - count, count)) {
              return;
            }
            frame = (CodeFrame) fiber.top();
            code = frame.function.code;
            constants = frame.function.constants;
            s = frame.slots;
            pc = frame.address;
            sp = frame.top;
          }
          case Op.BUILTIN -> {
            int count = code[pc + 2];
            frame.address = pc + 3;
            frame.top = sp - count;
            Builtin builtin = (Builtin) constants[code[pc + 1]];
            Object result = machine.calls.builtin(builtin, s, sp - count, count);
            sp -= count;
            s[sp++] = result;
            pc += 3;
          }
          case Op.RETURN -> {
            Object result = s[sp - 1];
            fiber.pop();
            if (fiber.depth > 0 && fiber.top() instanceof CodeFrame caller) {
              caller.push(result);
            } else {
              machine.calls.deliver(fiber, result);
              if (fiber.state != Fiber.State.RUNNING) {
                return;
              }
            }
            frame = (CodeFrame) fiber.top();
            code = frame.function.code;
            constants = frame.function.constants;
            s = frame.slots;
            pc = frame.address;
            sp = frame.top;
          }
          case Op.AWAIT -> {
            frame.address = pc + 1;
            frame.top = sp - 1;
            machine.await(fiber, s[sp - 1]);
            return;
          }
          default -> {
            frame.address = pc;
            frame.top = sp;
            if (!Instructions.execute(machine, fiber, frame)) {
              return;
            }
            frame = (CodeFrame) fiber.top();
            code = frame.function.code;
            constants = frame.function.constants;
            s = frame.slots;
            pc = frame.address;
            sp = frame.top;
          }
        }
      }
    } catch (Thrown | LimitExceeded thrown) {
      if (fiber.depth > 0 && fiber.top() == frame) {
        frame.address = pc + 1;
      }
      throw thrown;
    } finally {
      machine.giveBack(fuel);
    }
  }
}
