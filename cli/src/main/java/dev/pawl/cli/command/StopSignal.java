package dev.pawl.cli.command;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Notices SIGTERM and SIGINT, and holds back the end of the process until the command has put its
 * things in order; the process then exits with the code that was chosen.
 */
final class StopSignal implements AutoCloseable {
  private static final long LOOK_MILLIS = 25;

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch ready = new CountDownLatch(1);
  private final Thread hook = new Thread(this::holdBack, "pawl-stop");

  private final int exit;

  private StopSignal(int exit) {
    this.exit = exit;
  }

  static StopSignal listen() {
    return listen(0);
  }

  /** As {@link #listen()}, for a process that exits with this code if it is stopped. */
  static StopSignal listen(int exit) {
    StopSignal signal = new StopSignal(exit);
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  private void holdBack() {
    asked.countDown();
    try {
      ready.await();
      Runtime.getRuntime().halt(exit);
    } catch (InterruptedException e) {
      // Nothing interrupts a shutdown hook; if something does, the process ends as it would have.
    }
  }

  /** Waits until the process is asked to stop, or there is nothing left to wait for. */
  void await(BooleanSupplier done) throws InterruptedException {
    while (!asked.await(LOOK_MILLIS, TimeUnit.MILLISECONDS) && !done.getAsBoolean()) {
      // Waiting is done in the condition.
    }
  }

  boolean isAsked() {
    return asked.getCount() == 0;
  }

  @Override
  public void close() {
    ready.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending already, which is what the hook was for.
    }
  }
}
