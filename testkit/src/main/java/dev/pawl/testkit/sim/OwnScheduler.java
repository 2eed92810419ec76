package dev.pawl.testkit.sim;

import java.lang.reflect.Constructor;
import java.util.concurrent.Executor;

/**
 * Virtual threads that run where and when we say. The JDK has them for its own tests only, so it
 * has to be opened for us: {@value #OPTION}.
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
      return (Thread.Builder.OfVirtual) Found.MAKER.newInstance(scheduler);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("virtual threads with a scheduler could not be made", e);
    }
  }

  private static final class Found {
    static final Constructor<?> MAKER = find();

    private static Constructor<?> find() {
      try {
        Constructor<?> maker = Class.forName(BUILDER).getDeclaredConstructor(Executor.class);
        maker.setAccessible(true);
        return maker;
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
}
