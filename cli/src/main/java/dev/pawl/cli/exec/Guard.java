package dev.pawl.cli.exec;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A small shell process that kills the worker's children when the worker dies, however it dies: its
 * standard input is a pipe from the worker, and ends with it. One for a worker, so that it costs
 * nothing for each task. Thread-safe.
 */
final class Guard implements AutoCloseable {
  /** Reads {@code + PID} and {@code - PID}; at the end of input kills the groups that are left. */
  private static final String SCRIPT =
      """
      trap '' INT TERM HUP
      live=' '
      while read -r sign pid; do
        case $sign in
          +) live="$live$pid " ;;
          -) live="${live%%" $pid "*} ${live#*" $pid "}" ;;
        esac
      done
      for pid in $live; do
        kill -s KILL -- "-$pid" 2>/dev/null || kill -s KILL "$pid" 2>/dev/null
      done
      """;

  private final Process process;
  private final OutputStream words;

  private Guard(Process process) {
    this.process = process;
    this.words = process.getOutputStream();
  }

  /**
   * Starts the guard.
   *
   * @param session words before a command that put it into a session of its own; may be empty
   */
  static Guard start(List<String> session) throws IOException {
    List<String> command = new ArrayList<>(session);
    command.addAll(List.of("sh", "-c", SCRIPT));
    return new Guard(
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  void watch(long pid) {
    tell("+ " + pid);
  }

  void forget(long pid) {
    tell("- " + pid);
  }

  private synchronized void tell(String line) {
    try {
      words.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
      words.flush();
    } catch (IOException e) {
      // Somebody killed the guard. The children are then watched by the worker alone.
    }
  }

  @Override
  public void close() {
    try {
      words.close();
    } catch (IOException e) {
      process.destroyForcibly();
    }
  }
}
