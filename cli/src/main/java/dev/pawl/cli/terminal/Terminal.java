package dev.pawl.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The three streams of a command, its environment, and whether a person looks at them.
 *
 * @param outIsTty whether standard output is a screen, and not a file or a pipe
 * @param errIsTty the same of standard error
 */
public record Terminal(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Map<String, String> env,
    boolean outIsTty,
    boolean errIsTty) {
  private static final int BUFFER_BYTES = 16 * 1024;
  private static final int USUAL_COLUMNS = 120;

  /** The streams of this process. Output is UTF-8 and buffered: flush it. */
  public static Terminal ofProcess() {
    return new Terminal(
        new FileInputStream(FileDescriptor.in),
        stream(FileDescriptor.out),
        stream(FileDescriptor.err),
        System.getenv(),
        isTty(1),
        isTty(2));
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(
        new java.io.BufferedOutputStream(new FileOutputStream(descriptor), BUFFER_BYTES),
        false,
        StandardCharsets.UTF_8);
  }

  /** Asks Linux where a descriptor leads; elsewhere, whether the process has a console at all. */
  private static boolean isTty(int descriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException | RuntimeException e) {
      return !Files.exists(Path.of("/proc")) && hasConsole();
    }
  }

  /** From JDK 22 on there is always a console, which must be asked whether it is a terminal. */
  @SuppressWarnings("SystemConsoleNull")
  private static boolean hasConsole() {
    java.io.Console console = System.console();
    try {
      return console != null
          && Boolean.TRUE.equals(java.io.Console.class.getMethod("isTerminal").invoke(console));
    } catch (ReflectiveOperationException e) {
      return console != null;
    }
  }

  /** The width of the screen as far as the environment tells. */
  public int columns() {
    try {
      return Math.max(60, Integer.parseInt(env.getOrDefault("COLUMNS", "")));
    } catch (NumberFormatException e) {
      return USUAL_COLUMNS;
    }
  }

  public void flush() {
    out.flush();
    err.flush();
  }
}
