package dev.pawl.testkit.chaos;

import dev.pawl.Pawl;
import dev.pawl.error.PawlException;
import dev.pawl.flow.Flow;
import dev.pawl.time.Ticker;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker process whose programs have effects that no store can take back: lines in a ledger. It
 * works until it is killed.
 */
public final class ChaosWorker {
  private static final int CONCURRENCY = 16;
  private static final Duration EFFORT = Duration.ofMillis(10);
  private static final Duration START_PATIENCE = Duration.ofMinutes(1);
  private static final Ticker TICKER = Ticker.system();

  private final Process process;

  private ChaosWorker(Process process) {
    this.process = process;
  }

  /** What a task does: a line with its run and attempt, and some effort before that is known. */
  static Task<Integer, Integer> task(Ledger ledger) {
    return Task.define(
        "chaos.task.v1",
        Integer.class,
        Integer.class,
        (context, number) -> {
          ledger.write("task " + context.run() + " " + context.attempt());
          LockSupport.parkNanos(EFFORT.toNanos());
          return number;
        });
  }

  /** What a flow does: a line for each of its steps, with a nap in between, and a child. */
  static Flow<Integer, Integer> flow(Ledger ledger) {
    return Flow.define(
        "chaos.flow.v1",
        Integer.class,
        Integer.class,
        (ctx, number) -> {
          ctx.step("first", Retry.standard(), step -> ledger.write("step " + key(step)));
          ctx.sleep(Duration.ofMillis(50));
          Integer child =
              ctx.child(task(ledger), number, o -> o.maxAttempts(Chaos.ATTEMPTS)).await();
          ctx.step("second", Retry.standard(), step -> ledger.write("step " + key(step)));
          return child;
        });
  }

  private static String key(dev.pawl.flow.StepContext step) {
    return step.idempotencyKey();
  }

  static ChaosWorker start(String url, Path ledger, Duration lease, File log) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    try {
      return new ChaosWorker(
          new ProcessBuilder(
                  java,
                  "--enable-native-access=ALL-UNNAMED",
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-Xmx256m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  ChaosWorker.class.getName(),
                  url,
                  ledger.toString(),
                  String.valueOf(lease.toMillis()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** kill -9. */
  void kill() {
    try {
      boolean unused = process.destroyForcibly().waitFor(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** kill -STOP: it stands still, and does not know. */
  void stop() {
    signal("-STOP");
  }

  void goOn() {
    signal("-CONT");
  }

  private void signal(String which) {
    try {
      int unused =
          new ProcessBuilder(List.of("kill", which, String.valueOf(process.pid())))
              .start()
              .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Works until it is killed. */
  public static void main(String[] arguments) throws InterruptedException {
    Ledger ledger = Ledger.open(Path.of(arguments[1]));
    Duration lease = Duration.ofMillis(Long.parseLong(arguments[2]));
    Pawl pawl = open(arguments[0]);
    pawl.register(task(ledger)).register(flow(ledger));
    pawl.work(worker -> worker.concurrency(CONCURRENCY).lease(lease));
    new CountDownLatch(1).await();
  }

  /** The server may be down when a worker starts. */
  private static Pawl open(String url) {
    long start = TICKER.nanos();
    while (true) {
      try {
        return Pawl.open(url);
      } catch (PawlException e) {
        if (TICKER.since(start).compareTo(START_PATIENCE) > 0) {
          throw e;
        }
        LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
      }
    }
  }
}
