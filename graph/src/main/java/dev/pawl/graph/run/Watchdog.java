package dev.pawl.graph.run;

import dev.pawl.time.Platform;
import dev.pawl.work.Turn;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** Interrupts the code of a node that takes longer than it may. */
final class Watchdog {
  private Watchdog() {}

  static void call(String node, Turn turn, Duration limit, Actor.Body body) throws Exception {
    Thread worker = Thread.currentThread();
    CountDownLatch over = new CountDownLatch(1);
    AtomicBoolean late = new AtomicBoolean();
    Thread.ofVirtual()
        .name("pawl-limit")
        .start(() -> watch(turn.platform(), worker, over, limit, late));
    Exception problem = null;
    Turn.Interruptible interruptible = turn.interruptible(worker);
    try {
      body.run();
    } catch (Exception e) {
      problem = e;
    } finally {
      over.countDown();
      interruptible.close();
      Thread.interrupted();
    }
    if (late.get()) {
      throw Limit.passed(node, limit);
    }
    if (problem != null) {
      throw problem;
    }
  }

  @SuppressWarnings("Interruption") // The worker has called this itself, to be interrupted.
  private static void watch(
      Platform platform, Thread worker, CountDownLatch over, Duration limit, AtomicBoolean late) {
    try {
      if (!platform.await(over, limit.toMillis())) {
        late.set(true);
        worker.interrupt();
      }
    } catch (InterruptedException e) {
      // Nothing interrupts this thread but the end of the process.
    }
  }
}
