package dev.pawl.cli.exec;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A process that carries out a task. Its three streams are served by threads of their own, so that
 * it never waits for us, whatever it reads and writes first.
 */
final class Child {
  static final int STDERR_BYTES = 16 * 1024;

  /** What a pipe takes without anybody reading it, on every system. */
  private static final int PIPE_BYTES = 4096;

  /** How long output is awaited when the process is gone but something it left behind writes on. */
  private static final Duration STRAGGLERS = Duration.ofSeconds(1);

  private final Process process;
  private final Capture.Head out;
  private final Capture.Tail err = new Capture.Tail(STDERR_BYTES);
  private final CompletableFuture<Void> outRead;
  private final CompletableFuture<Void> errRead;

  /**
   * Serves a process that was just started.
   *
   * @param io runs things that block a platform thread
   */
  Child(Process process, byte[] input, int maxOutput, Executor io, Consumer<String> errorLines) {
    this.process = process;
    this.out = new Capture.Head(maxOutput);
    this.errRead =
        CompletableFuture.runAsync(() -> err.read(process.getErrorStream(), errorLines), io);
    this.outRead =
        CompletableFuture.runAsync(
            () -> out.read(process.getInputStream(), process::destroyForcibly), io);
    if (input.length <= PIPE_BYTES) {
      write(input);
    } else {
      io.execute(() -> write(input));
    }
  }

  private void write(byte[] input) {
    try (OutputStream stdin = process.getOutputStream()) {
      stdin.write(input);
    } catch (IOException e) {
      // The process ended, or closed its input, without reading all of it: that is its business.
    }
  }

  long pid() {
    return process.pid();
  }

  CompletableFuture<Process> onExit() {
    return process.onExit();
  }

  /** Waits for the end of the process; returns its exit code, or nothing after the limit. */
  Optional<Integer> await(Optional<Duration> limit) throws InterruptedException {
    try {
      if (limit.isPresent()) {
        process.onExit().get(limit.get().toMillis(), TimeUnit.MILLISECONDS);
      } else {
        process.onExit().get();
      }
      awaitOutput();
      return Optional.of(process.exitValue());
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a process could not be waited for", e);
    }
  }

  private void awaitOutput() throws InterruptedException, ExecutionException {
    try {
      CompletableFuture.allOf(outRead, errRead).get(STRAGGLERS.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // Something the process left behind holds its output open. What was read by now counts.
    }
  }

  /**
   * Ends the process and all that it started: SIGTERM, and SIGKILL for what is left after a while.
   * Interrupted, it kills at once.
   */
  void stop(Duration killAfter) {
    List<ProcessHandle> tree =
        Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
    tree.forEach(ProcessHandle::destroy);
    try {
      CompletableFuture.allOf(
              tree.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
          .get(killAfter.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      kill(tree);
    } catch (InterruptedException e) {
      kill(tree);
      Thread.currentThread().interrupt();
    }
  }

  private static void kill(List<ProcessHandle> tree) {
    tree.stream().flatMap(ProcessHandle::descendants).forEach(ProcessHandle::destroyForcibly);
    tree.forEach(ProcessHandle::destroyForcibly);
  }

  boolean wroteTooMuch() {
    return out.isOverflown();
  }

  String output() {
    return out.text();
  }

  String errors() {
    return err.text();
  }
}
