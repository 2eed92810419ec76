package dev.pawl.store.sql.postgres;

import dev.pawl.Pawl;
import dev.pawl.testkit.Await;
import dev.pawl.work.Task;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker process whose one task has an effect that the store cannot take back: a line in a file,
 * with the run and the attempt. It works until it is killed.
 */
final class EffectWorker implements AutoCloseable {
  static final String TYPE = "chaos.effect.v1";
  static final Duration LEASE = Duration.ofSeconds(3);
  private static final int CONCURRENCY = 16;
  private static final Duration EFFORT = Duration.ofMillis(10);

  private final Process process;

  private EffectWorker(Process process) {
    this.process = process;
  }

  static EffectWorker start(String url, Path ledger) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    try {
      return new EffectWorker(
          new ProcessBuilder(
                  java,
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-Xmx256m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  EffectWorker.class.getName(),
                  url,
                  ledger.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** kill -9. */
  void kill() {
    process.destroyForcibly();
    Await.until("the worker is dead", () -> !process.isAlive());
  }

  @Override
  public void close() {
    kill();
  }

  /** What the task does: a line in the ledger, and some effort before it is told. */
  static Task<Integer, Integer> task(FileChannel ledger) {
    return Task.define(
        TYPE,
        Integer.class,
        Integer.class,
        (context, number) -> {
          String line = context.run() + " " + context.attempt() + "\n";
          ledger.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
          LockSupport.parkNanos(EFFORT.toNanos());
          return number;
        });
  }

  public static void main(String[] arguments) throws Exception {
    FileChannel ledger =
        FileChannel.open(
            Path.of(arguments[1]), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    Pawl pawl = Pawl.open(arguments[0]);
    pawl.register(task(ledger));
    pawl.work(worker -> worker.concurrency(CONCURRENCY).lease(LEASE));
    new CountDownLatch(1).await();
  }
}
