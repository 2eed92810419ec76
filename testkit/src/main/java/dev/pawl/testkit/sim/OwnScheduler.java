package dev.pawl.testkit.sim;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.concurrent.Executor;

/**
 * Virtual threads that run where and when we say. The JDK has them for its own tests only, so it
 * has to be opened for us: {@value #OPTION}. What the simulation has to know of the inside of a
 * virtual thread is known here alone.
 *
 * <p>A virtual thread that is started by another one runs on the scheduler of its maker. So it is
 * enough to start the first thread of a process here.
 */
final class OwnScheduler {
  static final String OPTION = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  private static final String BUILDER = "java.lang.ThreadBuilders$VirtualThreadBuilder";

  private OwnScheduler() {}

  /** A maker of threads whose every move is handed to the executor. */
  static Thread.Builder.OfVirtual threads(Executor scheduler) {
    try {
      return (Thread.Builder.OfVirtual) Found.INSIDE.maker.newInstance(scheduler);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("virtual threads with a scheduler could not be made", e);
    }
  }

  /** Whose move it is that a scheduler was handed. */
  static Thread threadOf(Runnable move) {
    try {
      return (Thread) Found.INSIDE.threadOf.invokeExact((Object) move);
    } catch (Throwable e) {
      throw new IllegalStateException("whose move this is cannot be seen: " + move, e);
    }
  }

  /**
   * Whether the move came to a halt because somebody had the monitor that its thread asked for. It
   * is so until the thread goes on, also when the monitor is free again. False for what is no move
   * of a thread.
   */
  static boolean isBlocked(Runnable move) {
    Inside inside = Found.INSIDE;
    if (!inside.move.isInstance(move)) {
      return false;
    }
    try {
      int state = (int) inside.state.invokeExact((Object) threadOf(move));
      return state == inside.blocked || state == inside.unblocked;
    } catch (Throwable e) {
      throw new IllegalStateException("how this move ended cannot be seen: " + move, e);
    }
  }

  /** The thread of the operating system that this is called on. */
  static Thread carrier() {
    try {
      return (Thread) Found.INSIDE.carrier.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException("the carrier of this thread cannot be seen", e);
    }
  }

  private static final class Found {
    static final Inside INSIDE = find();

    private static Inside find() {
      try {
        return Inside.find();
      } catch (ReflectiveOperationException | RuntimeException e) {
        throw new IllegalStateException(
            "the simulation schedules virtual threads itself; for that it needs JDK 25 and "
                + OPTION
                + " -Djdk.trackAllThreads=false; this is JDK "
                + Runtime.version()
                + " and says: "
                + e,
            e);
      }
    }
  }

  /**
   * What the JDK keeps to itself. A record, because the JIT compiler trusts what is in one to stay
   * as it is, and calls through the handles cost nothing then.
   */
  private record Inside(
      Constructor<?> maker,
      Class<?> move,
      MethodHandle threadOf,
      MethodHandle state,
      MethodHandle carrier,
      int blocked,
      int unblocked) {

    static Inside find() throws ReflectiveOperationException {
      Constructor<?> maker = opened(Class.forName(BUILDER).getDeclaredConstructor(Executor.class));
      Thread any =
          ((Thread.Builder.OfVirtual) maker.newInstance((Executor) run -> {})).unstarted(() -> {});
      Class<?> virtual = any.getClass();
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      // A move is a lambda of the thread's own, with the thread as its only field.
      Class<?> move = opened(virtual.getDeclaredField("runContinuation")).get(any).getClass();
      return new Inside(
          maker,
          move,
          lookup
              .unreflectGetter(opened(move.getDeclaredFields()[0]))
              .asType(MethodType.methodType(Thread.class, Object.class)),
          lookup
              .unreflectGetter(opened(virtual.getDeclaredField("state")))
              .asType(MethodType.methodType(int.class, Object.class)),
          lookup.unreflect(opened(Thread.class.getDeclaredMethod("currentCarrierThread"))),
          constant(virtual, "BLOCKED"),
          constant(virtual, "UNBLOCKED"));
    }

    private static int constant(Class<?> of, String name) throws ReflectiveOperationException {
      Field field = opened(of.getDeclaredField(name));
      return field.getInt(null);
    }

    private static <T extends AccessibleObject> T opened(T part) {
      part.setAccessible(true);
      return part;
    }
  }
}
