package dev.pawl.cli.bench;

import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Shows on a terminal how far a work has come, a few times a second; says nothing elsewhere.
 * Thread-safe.
 */
public final class Progress implements IntConsumer, AutoCloseable {
  private static final int STEPS = 20;

  private final PrintStream out;
  private final boolean shown;
  private final String work;
  private final int runs;
  private final AtomicInteger last = new AtomicInteger(-1);

  public Progress(PrintStream out, boolean shown, String work, int runs) {
    this.out = out;
    this.shown = shown;
    this.work = work;
    this.runs = runs;
    accept(0);
  }

  @Override
  public void accept(int done) {
    int step = (int) ((long) done * STEPS / Math.max(1, runs));
    if (shown && last.getAndSet(step) != step) {
      out.print(
          "\r\u001b[K" + work + " " + "#".repeat(Math.min(STEPS, step)) + " " + done + "/" + runs);
      out.flush();
    }
  }

  @Override
  public void close() {
    if (shown) {
      out.print("\r\u001b[K");
      out.flush();
    }
  }
}
