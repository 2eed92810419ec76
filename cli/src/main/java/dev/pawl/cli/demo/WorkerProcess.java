package dev.pawl.cli.demo;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A worker in a process of its own, on the same JVM and jar as this one. */
final class WorkerProcess implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(3);

  private final Process process;

  private WorkerProcess(Process process) {
    this.process = process;
  }

  static WorkerProcess start(String storeUrl, Path ledger, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.addAll(virtualMachineOptions());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.pawl.cli.Main"));
    command.addAll(List.of("demo-worker", ledger.toString(), "--store", storeUrl));
    return new WorkerProcess(
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start());
  }

  /** Those this process was started with: the start-up cache is among them. */
  private static List<String> virtualMachineOptions() {
    List<String> options = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED"));
    for (String argument : ProcessHandle.current().info().arguments().orElse(new String[0])) {
      if (!argument.startsWith("-X")) {
        break;
      }
      options.add(argument);
    }
    return options;
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** SIGKILL: the process gets no chance to put anything in order. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Its standard input ends, and so it does; if it does not, it is killed. */
  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().completeOnTimeout(process, GRACE.toMillis(), TimeUnit.MILLISECONDS).join();
    kill();
  }
}
