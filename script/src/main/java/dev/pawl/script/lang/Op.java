package dev.pawl.script.lang;

/**
 * The instructions. In brackets: operands behind the instruction; then what is on the stack before
 * and after. They are not part of snapshots and may change freely; the order of the places at which
 * a function can stop is (see {@link FunctionCode#sites}).
 */
final class Op {
  /** [constant] → value. */
  static final int CONST = 0;

  /** [slot] → value. */
  static final int LOCAL = 1;

  /** [slot] value →. */
  static final int SET_LOCAL = 2;

  /** [slot] → value, if the declaration has run. */
  static final int LOCAL_CHECKED = 3;

  /** [slot] value →, if the declaration has run. */
  static final int SET_LOCAL_CHECKED = 4;

  static final int CELL = 5;
  static final int SET_CELL = 6;

  /** [slot] value →: the declaration itself. */
  static final int INIT_CELL = 7;

  /** [index of captured variable] → value. */
  static final int CAPTURED = 8;

  static final int SET_CAPTURED = 9;

  /** [slot]: an empty cell. */
  static final int NEW_CELL = 10;

  /** [slot]: another cell with the same value, for the next turn of a loop. */
  static final int COPY_CELL = 11;

  /** [slot]: the value in the slot moves into a cell. */
  static final int WRAP_CELL = 12;

  /** [slot]: the declaration has not run. */
  static final int UNSET = 13;

  static final int POP = 14;
  static final int DUP = 15;

  /** a b → a b a b. */
  static final int DUP2 = 16;

  /** a b → b a b. */
  static final int DUP_X1 = 17;

  /** a b c → c a b c. */
  static final int DUP_X2 = 18;

  static final int ADD = 19;
  static final int SUBTRACT = 20;
  static final int MULTIPLY = 21;
  static final int DIVIDE = 22;
  static final int REMAINDER = 23;
  static final int POWER = 24;
  static final int EQUAL = 25;
  static final int NOT_EQUAL = 26;
  static final int LESS = 27;
  static final int LESS_OR_EQUAL = 28;
  static final int GREATER = 29;
  static final int GREATER_OR_EQUAL = 30;
  static final int IN = 31;
  static final int NOT = 32;
  static final int NEGATE = 33;
  static final int TYPEOF = 34;

  /** [difference] number → number. */
  static final int INCREMENT = 35;

  /** [slot, difference]. */
  static final int INCREMENT_LOCAL = 36;

  /** [target]. */
  static final int JUMP = 37;

  /** [target] value →. */
  static final int JUMP_IF_FALSE = 38;

  static final int JUMP_IF_TRUE = 39;

  /** [target] value → value if it jumps, nothing otherwise. */
  static final int JUMP_IF_FALSE_KEEP = 40;

  static final int JUMP_IF_TRUE_KEEP = 41;

  /** Jumps with the value if it is not null. */
  static final int JUMP_IF_VALUE_KEEP = 42;

  /** [target] value → value; jumps if it is null. */
  static final int JUMP_IF_NULL = 43;

  /** [target] a b →; jumps unless a equals b. In the order of the comparisons above. */
  static final int JUMP_UNLESS_EQUAL = 44;

  static final int JUMP_UNLESS_NOT_EQUAL = 45;
  static final int JUMP_UNLESS_LESS = 46;
  static final int JUMP_UNLESS_LESS_OR_EQUAL = 47;
  static final int JUMP_UNLESS_GREATER = 48;
  static final int JUMP_UNLESS_GREATER_OR_EQUAL = 49;

  /** [name, hint] object → value. The hint is where the property was found last. */
  static final int GET = 50;

  /** [name, target] object → value; jumps with null if the object or the property is missing. */
  static final int GET_OPTIONAL = 51;

  /** [name, target] object → object; jumps with null likewise. */
  static final int METHOD_OPTIONAL = 52;

  /** [name, hint] object value → value. */
  static final int SET = 53;

  /** object key → value. */
  static final int GET_INDEX = 54;

  /** object key value → value. */
  static final int SET_INDEX = 55;

  /** [name] object → true. */
  static final int DELETE = 56;

  static final int DELETE_INDEX = 57;

  /** [count] elements → list. */
  static final int NEW_LIST = 58;

  /** list value → list. */
  static final int APPEND = 59;

  static final int APPEND_ALL = 60;

  /** [expected properties] → object. */
  static final int NEW_OBJECT = 61;

  /** [name] object value → object. */
  static final int PUT = 62;

  static final int PUT_COMPUTED = 63;
  static final int PUT_ALL = 64;

  /** [count] parts → text. */
  static final int JOIN = 65;

  /** [function] → closure. */
  static final int CLOSURE = 66;

  /** [count] callee arguments → result. */
  static final int CALL = 67;

  /** callee list → result. */
  static final int CALL_LIST = 68;

  /** [name, method, count] receiver arguments → result. */
  static final int INVOKE = 69;

  /** [name, method] receiver list → result. */
  static final int INVOKE_LIST = 70;

  /** [builtin constant, count] arguments → result. */
  static final int BUILTIN = 71;

  static final int BUILTIN_LIST = 72;

  /** list of arguments → error. */
  static final int NEW_ERROR = 73;

  static final int RETURN = 74;
  static final int AWAIT = 75;
  static final int THROW = 76;
  static final int RETHROW = 77;

  /** [slot] list or text →: an iterator in the slot. */
  static final int ITERATE = 78;

  /** object or list → list of its keys. */
  static final int KEYS = 79;

  /** [slot, target] → next value; jumps at the end. */
  static final int NEXT = 80;

  /** [slot, completion, target]: jumps if the slot holds this completion. */
  static final int JUMP_IF_COMPLETION = 81;

  /** [slot, target]: jumps if an argument was given. */
  static final int JUMP_IF_PASSED = 82;

  /** [target] value →; jumps with the value if it is not missing. */
  static final int JUMP_IF_PRESENT = 83;

  /** value → value: must be an object to be taken apart. */
  static final int CHECK_OBJECT = 84;

  /** value → list: must be a list or text to be taken apart. */
  static final int CHECK_LIST = 85;

  /** [name] object → object, value or missing. */
  static final int PART = 86;

  /** object key → object, value or missing. */
  static final int PART_COMPUTED = 87;

  /** [index] list → list, value or missing. */
  static final int ELEMENT = 88;

  /** [index] list → list, the rest. */
  static final int ELEMENTS_FROM = 89;

  /** [constant: excluded keys] object → object, the rest. */
  static final int REST_OF_OBJECT = 90;

  /** missing or value → null or value. */
  static final int OR_NULL = 91;

  /** [0 for Inputs, 1 for Context] → value. */
  static final int GLOBAL = 92;

  /** a b → b a. */
  static final int SWAP = 93;

  private Op() {}
}
