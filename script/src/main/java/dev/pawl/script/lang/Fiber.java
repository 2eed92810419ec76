package dev.pawl.script.lang;

import java.util.Arrays;

/** A thread of a script: the main program, or one call of an async function. */
final class Fiber {
  enum State {
    READY,
    RUNNING,
    BLOCKED,
    ENDED
  }

  /** What goes on when it is its turn again. */
  enum Resume {
    NOTHING(0),
    VALUE(1),
    ERROR(2);

    /** In snapshots. */
    final int number;

    Resume(int number) {
      this.number = number;
    }

    static Resume of(int number) {
      return switch (number) {
        case 0 -> NOTHING;
        case 1 -> VALUE;
        case 2 -> ERROR;
        default -> throw SnapshotException.corrupt("a fiber goes on in the unknown way " + number);
      };
    }
  }

  final int id;

  /** Settled when the fiber ends. */
  final PromiseValue promise;

  /** How deep the call stood that started it. */
  final int baseDepth;

  Frame[] frames = new Frame[4];
  int depth;
  State state = State.READY;
  Resume resume = Resume.NOTHING;
  Object resumeValue = Null.NULL;

  /** What it waits for while blocked. */
  Object awaiting = Null.NULL;

  Fiber(int id, PromiseValue promise, int baseDepth) {
    this.id = id;
    this.promise = promise;
    this.baseDepth = baseDepth;
  }

  Frame top() {
    return frames[depth - 1];
  }

  void push(Frame frame) {
    if (depth == frames.length) {
      frames = Arrays.copyOf(frames, depth * 2);
    }
    frames[depth++] = frame;
  }

  @SuppressWarnings("NullAway") // a popped frame must not be kept alive
  void pop() {
    frames[--depth] = null;
  }

  void resumeWith(Object value) {
    resume = Resume.VALUE;
    resumeValue = value;
  }

  void resumeWithError(Object error) {
    resume = Resume.ERROR;
    resumeValue = error;
  }
}
