package dev.pawl.script.lang;

/** {@code sort} with a function: a stable merge sort, as a frame that stops at each comparison. */
final class SortFrame extends Frame {
  final ListValue list;
  final Callable function;

  /** Sorted in runs of {@code width}. */
  Object[] from;

  /** Where the runs are being merged to. */
  Object[] to;

  int width = 1;

  /** The pair of runs being merged begins here. */
  int start;

  int left;
  int right;
  int next;

  SortFrame(ListValue list, Callable function, Object[] from, Object[] to) {
    this.list = list;
    this.function = function;
    this.from = from;
    this.to = to;
  }

  static Object start(Machine machine, ListValue list, Callable function) {
    Object[] items = java.util.Arrays.copyOf(list.items, list.size);
    SortFrame frame = new SortFrame(list, function, items, items.clone());
    frame.beginPair();
    Fiber fiber = machine.running();
    machine.allocate(Machine.FRAME_BYTES + 2L * items.length * Machine.ELEMENT_BYTES);
    fiber.push(frame);
    Object outcome = frame.callNext(machine, fiber);
    if (outcome != Machine.CALLED) {
      fiber.pop();
    }
    return outcome;
  }

  /** Takes the answer of a comparison and goes on to the next. */
  Object resume(Machine machine, Fiber fiber, Object answer) {
    take(answer);
    return callNext(machine, fiber);
  }

  private Object callNext(Machine machine, Fiber fiber) {
    while (width < from.length) {
      if (left < leftEnd() && right < rightEnd()) {
        machine.charge(1);
        Object[] given = {from[left], from[right]};
        Object answer = machine.calls.start(fiber, function, given, 0, 2);
        if (answer == Machine.CALLED) {
          return answer;
        }
        take(answer);
      } else {
        finishPair();
      }
    }
    list.items = from;
    list.size = from.length;
    return list;
  }

  private void take(Object answer) {
    if (!(answer instanceof Double order)) {
      throw Thrown.type(
          "the function given to `sort` must answer with a number; it gave " + Values.kind(answer));
    }
    to[next++] = order > 0 ? from[right++] : from[left++];
  }

  private int leftEnd() {
    return Math.min(start + width, from.length);
  }

  private int rightEnd() {
    return Math.min(start + 2 * width, from.length);
  }

  private void finishPair() {
    while (left < leftEnd()) {
      to[next++] = from[left++];
    }
    while (right < rightEnd()) {
      to[next++] = from[right++];
    }
    start += 2 * width;
    if (start >= from.length) {
      Object[] merged = to;
      to = from;
      from = merged;
      width *= 2;
      start = 0;
    }
    beginPair();
  }

  private void beginPair() {
    left = start;
    right = Math.min(start + width, from.length);
    next = start;
  }
}
