package dev.pawl.script.lang;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Runs one script for one run. The host calls {@link #run}, carries out what the script asked for,
 * answers with {@link #settle} and {@link #fail} in the order in which things happened, and calls
 * {@code run} again. Between two calls of {@code run} the whole state can be taken as a {@link
 * #snapshot} and be {@linkplain #restore restored} elsewhere. Never blocks, never throws for
 * anything a script does. Not thread-safe.
 */
public final class Machine {
  /** A frame was pushed, or the fiber gave way; the result is delivered later. */
  static final Null CALLED = Null.CALLED;

  static final int ELEMENT_BYTES = 16;
  static final int PROPERTY_BYTES = 32;
  static final int OBJECT_BYTES = 48;
  static final int CELL_BYTES = 16;
  static final int FRAME_BYTES = 160;
  static final int ERROR_BYTES = 256;
  static final int FIBER_BYTES = 256;

  final Script script;
  final Limits limits;
  final Host host;
  final Calls calls = new Calls(this);
  final Promises promises = new Promises(this);
  final SortedMap<Long, PromiseValue> pending = new TreeMap<>();
  final Deque<Fiber> ready = new ArrayDeque<>();
  final Set<Fiber> blocked = new LinkedHashSet<>();
  private final Interpreter interpreter = new Interpreter(this);
  private final List<Operation> started = new ArrayList<>();
  private final HeapMeter heap;

  Object inputs = Null.NULL;
  Object context = Null.NULL;
  PromiseValue main = new PromiseValue(PromiseValue.Kind.FIBER);
  long nextOp = 1;
  int nextFiber = 1;

  private long budget;
  private Fiber running = new Fiber(0, main, 0);
  private boolean stepping;
  private boolean paused;
  private boolean skipPause;

  /** What went over a limit while the host answered. */
  private Optional<LimitExceeded> exceeded = Optional.empty();

  Machine(Script script, Host host, Limits limits) {
    this.script = script;
    this.host = host;
    this.limits = limits;
    this.heap = new HeapMeter(this);
    this.budget = limits.operations();
  }

  /**
   * A machine at the beginning of a script.
   *
   * @param inputs JSON
   * @throws IllegalArgumentException if the inputs are not JSON
   */
  public static Machine start(
      Script script, String inputs, RunContext context, Host host, Limits limits) {
    Machine machine = new Machine(script, host, limits);
    try {
      machine.inputs = machine.fromJson(inputs);
    } catch (Thrown thrown) {
      throw new IllegalArgumentException(((ErrorValue) thrown.value).message);
    }
    ObjectValue told = new ObjectValue();
    told.put("runId", context.runId());
    told.put("executionId", context.runId());
    told.put("type", context.type());
    told.put("attempt", (double) context.attempt());
    machine.context = told;
    Fiber first = machine.newFiber(0);
    machine.main = first.promise;
    Closure top = new Closure(script.functions()[0], new Cell[0]);
    first.push(new CodeFrame(top));
    machine.ready.add(first);
    return machine;
  }

  /**
   * A machine in the state that a snapshot holds.
   *
   * @throws SnapshotException if it is damaged, of another script or of a newer version
   */
  public static Machine restore(Script script, byte[] snapshot, Host host, Limits limits) {
    return SnapshotReader.read(script, snapshot, host, limits);
  }

  /** The whole state, small and with a checksum. Only between calls of {@link #run}. */
  public byte[] snapshot() {
    return SnapshotWriter.write(this);
  }

  /** What there is to see: where every part of the script stands, and its variables there. */
  public List<View> views() {
    return Views.of(this);
  }

  /** Lets {@link #run} stop at the beginning of every statement, or not. For tests and tools. */
  public void stopAtStatements(boolean stop) {
    stepping = stop;
  }

  /** Whether something can go on, or all has ended. If not, {@link #run} changes nothing. */
  public boolean isReady() {
    return !ready.isEmpty() || !main.isPending();
  }

  /** Goes on as far as possible. */
  public Step run() {
    if (!paused) {
      budget = limits.operations();
    }
    paused = false;
    skipPause = true;
    try {
      if (exceeded.isPresent()) {
        throw exceeded.get();
      }
      while (!paused && main.isPending() && !ready.isEmpty()) {
        running = ready.poll();
        interpreter.run(running);
      }
      return step();
    } catch (LimitExceeded limit) {
      return threw(limit);
    }
  }

  private Step step() {
    List<Operation> asked = List.copyOf(started);
    started.clear();
    if (paused) {
      return new Step.Paused(asked);
    }
    return switch (main.state) {
      case FULFILLED -> done(asked);
      case REJECTED -> new Step.Threw(asked, Errors.toHost(main.value, this));
      case PENDING -> new Step.Waiting(asked, promises.pendingOperations(), promises.wakeAfter());
    };
  }

  private Step done(List<Operation> asked) {
    try {
      return new Step.Done(asked, JsonWriter.write(main.value, this));
    } catch (Thrown thrown) {
      main.state = PromiseValue.State.REJECTED;
      main.value = thrown.value;
      return new Step.Threw(asked, Errors.toHost(thrown.value, this));
    }
  }

  private Step threw(LimitExceeded limit) {
    ErrorValue error = new ErrorValue("LIMIT_EXCEEDED", limit.told);
    calls.place(running, error);
    main.state = PromiseValue.State.REJECTED;
    main.value = error;
    ready.clear();
    List<Operation> asked = List.copyOf(started);
    started.clear();
    return new Step.Threw(asked, Errors.toHost(error, this));
  }

  /**
   * The operation succeeded with this value.
   *
   * @param json the value; what is no JSON becomes a failure with {@code BAD_JSON}
   */
  public void settle(long op, String json) {
    PromiseValue promise = pending.remove(op);
    if (promise == null) {
      return;
    }
    try {
      promises.fulfil(promise, fromJson(json));
    } catch (Thrown thrown) {
      promises.reject(promise, thrown.value);
    } catch (LimitExceeded limit) {
      exceeded = Optional.of(limit);
    }
  }

  /** The operation failed. */
  public void fail(long op, Failure failure) {
    PromiseValue promise = pending.remove(op);
    if (promise == null) {
      return;
    }
    try {
      promises.reject(promise, Errors.fromHost(failure, this));
    } catch (Thrown thrown) {
      promises.reject(promise, thrown.value);
    } catch (LimitExceeded limit) {
      exceeded = Optional.of(limit);
    }
  }

  /**
   * Throws an error into the main program where it waits, so that it can clean up: for cancelling.
   * If it has returned and only waits for what it returned, the run ends with the error.
   */
  public void interrupt(Failure failure) {
    ErrorValue error = Errors.fromHost(failure, this);
    for (Fiber fiber : List.copyOf(blocked)) {
      if (isMain(fiber)) {
        promises.stopWaiting(fiber);
        fiber.resumeWithError(error);
        wake(fiber);
        return;
      }
    }
    if (ready.isEmpty()) {
      promises.reject(main, error);
    }
  }

  /** Whether the run ends when this fiber does: the script itself, or the call it returned. */
  boolean isMain(Fiber fiber) {
    PromiseValue end = main;
    while (end.kind == PromiseValue.Kind.FIBER
        && !end.parts.isEmpty()
        && end.parts.get(0) instanceof PromiseValue followed) {
      end = followed;
    }
    return fiber.promise == end;
  }

  Fiber running() {
    return running;
  }

  Fiber newFiber(int baseDepth) {
    allocate(FIBER_BYTES);
    return new Fiber(nextFiber++, new PromiseValue(PromiseValue.Kind.FIBER), baseDepth);
  }

  /** The new fiber goes first, then its caller, then whoever was ready before. */
  void giveWay(Fiber caller, Fiber fiber) {
    caller.state = Fiber.State.READY;
    ready.addFirst(caller);
    ready.addFirst(fiber);
  }

  /** The fiber waits for the value; if there is nothing to wait for, behind all that is ready. */
  void await(Fiber fiber, Object value) {
    if (value instanceof PromiseValue promise && promise.isPending()) {
      fiber.state = Fiber.State.BLOCKED;
      fiber.awaiting = promise;
      blocked.add(fiber);
      promise.waiters.add(fiber);
      return;
    }
    if (value instanceof PromiseValue promise) {
      promises.resume(fiber, promise);
    } else {
      fiber.resumeWith(value);
    }
    fiber.state = Fiber.State.READY;
    ready.addLast(fiber);
  }

  void wake(Fiber fiber) {
    blocked.remove(fiber);
    fiber.awaiting = Null.NULL;
    fiber.state = Fiber.State.READY;
    ready.addLast(fiber);
  }

  void end(Fiber fiber, Object value) {
    fiber.state = Fiber.State.ENDED;
    promises.follow(fiber.promise, value);
  }

  void endWithError(Fiber fiber, Object error) {
    fiber.state = Fiber.State.ENDED;
    promises.reject(fiber.promise, error);
  }

  /** Asks the host for something; the promise is settled by its answer. */
  PromiseValue ask(java.util.function.LongFunction<Operation.Awaitable> operation) {
    if (pending.size() >= limits.pendingOperations()) {
      throw new LimitExceeded(
          "more than "
              + limits.pendingOperations()
              + " tasks, timers and waits are pending:"
              + " await some before starting more");
    }
    long op = nextOp++;
    PromiseValue promise = new PromiseValue(PromiseValue.Kind.OPERATION);
    Operation.Awaitable asked = operation.apply(op);
    promise.operation = asked;
    pending.put(op, promise);
    started.add(asked);
    allocate(FIBER_BYTES);
    return promise;
  }

  void log(String text) {
    started.add(new Operation.Log(text));
    allocate(OBJECT_BYTES + 2L * text.length());
  }

  Object fromJson(String json) {
    return JsonReader.read(json, this);
  }

  /** Takes instructions from the budget of this turn. */
  int fuel(int slice) {
    int taken = stepping ? 1 : slice;
    charge(taken);
    return stepping ? 0 : slice;
  }

  void giveBack(int fuel) {
    budget += Math.max(0, fuel);
  }

  /** Counts work of the library as so many instructions. */
  void charge(long operations) {
    budget -= operations;
    if (budget < 0) {
      throw new LimitExceeded(
          "more than "
              + limits.operations()
              + " operations in one turn, without waiting for"
              + " anything: is there an end to the loop?");
    }
  }

  /** Whether to stop before the instruction at which the frame stands. */
  boolean pausesAt(CodeFrame frame) {
    if (!stepping || !frame.function.statementStarts[frame.address]) {
      return false;
    }
    if (skipPause) {
      skipPause = false;
      return false;
    }
    paused = true;
    running.state = Fiber.State.READY;
    ready.addFirst(running);
    return true;
  }

  /** Operations of the present turn, if it was paused in the middle. */
  long spent() {
    return paused ? limits.operations() - budget : 0;
  }

  void restoreSpent(long operations) {
    paused = operations > 0;
    budget = limits.operations() - operations;
  }

  void restoreHeap(long bytes) {
    heap.restore(bytes);
  }

  void allocate(long bytes) {
    heap.allocate(bytes);
  }

  void checkTextLength(int length) {
    if (length > limits.textLength()) {
      throw new LimitExceeded("a text would have more than " + limits.textLength() + " characters");
    }
  }
}
