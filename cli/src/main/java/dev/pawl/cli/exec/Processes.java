package dev.pawl.cli.exec;

import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * The processes that a worker has running. Each is the leader of a session of its own where the
 * machine has {@code setsid}: what is typed at the worker's terminal does not reach it, and it can
 * be killed with all that it started. They do not outlive the worker, see {@link Guard}.
 * Thread-safe.
 */
public final class Processes implements AutoCloseable {
  /**
   * Runs the command behind a line on standard input, which the worker writes once the guard knows
   * of the process. If the worker dies before, the command is never run.
   */
  private static final String GATE = "IFS= read -r open && exec sh -c \"$0\"";

  private final ExecutorService io;
  private final List<String> session;
  private final Guard guard;
  private final Set<Child> live = ConcurrentHashMap.newKeySet();
  private final CountDownLatch stopping = new CountDownLatch(1);

  private Processes(List<String> session, Guard guard) {
    // Platform threads: a virtual one that blocks in a pipe would hold a carrier.
    ThreadFactory threads = Thread.ofPlatform().daemon().name("pawl-io-", 0).factory();
    this.io = Executors.newCachedThreadPool(threads);
    this.session = session;
    this.guard = guard;
  }

  public static Processes open() throws IOException {
    List<String> session = isOnPath("setsid") ? List.of("setsid") : List.of();
    return new Processes(session, Guard.start(session));
  }

  private static boolean isOnPath(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    for (String directory : path.split(File.pathSeparator, -1)) {
      if (new File(directory, program).canExecute()) {
        return true;
      }
    }
    return false;
  }

  /** Starts a shell command with more in its environment than the worker has. */
  Child start(
      String command,
      Map<String, String> environment,
      byte[] input,
      int maxOutput,
      Consumer<String> errorLines)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(session);
    words.addAll(List.of("sh", "-c", GATE, command));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().putAll(environment);
    try {
      return io.submit(
              () -> {
                Process process = builder.start();
                guard.watch(process.pid());
                Child child = new Child(process, opening(input), maxOutput, io, errorLines);
                live.add(child);
                return child;
              })
          .get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException problem ? problem : new IOException(e.getCause());
    }
  }

  /** The line that opens the gate, and behind it what the command itself is to read. */
  private static byte[] opening(byte[] input) {
    byte[] all = new byte[input.length + 1];
    all[0] = '\n';
    System.arraycopy(input, 0, all, 1, input.length);
    return all;
  }

  /** The child has ended, and its task with it. */
  void ended(Child child) {
    live.remove(child);
    guard.forget(child.pid());
  }

  /** Ends all that is running. What ends from now on may have been ended by this. */
  public void stopAll(Duration killAfter) {
    stopping.countDown();
    List<Thread> stoppers = new ArrayList<>();
    for (Child child : live) {
      stoppers.add(Thread.ofVirtual().start(() -> child.stop(killAfter)));
    }
    for (Thread stopper : stoppers) {
      try {
        stopper.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  boolean isStopping() {
    return stopping.getCount() == 0;
  }

  @Override
  public void close() {
    stopAll(Duration.ZERO);
    io.shutdown();
    guard.close();
  }
}
