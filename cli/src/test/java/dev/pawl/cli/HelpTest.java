package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.cli.command.Commands;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HelpTest {
  private static final int SCREEN_COLUMNS = 120;

  @TempDir Path directory;

  @Test
  void listsEveryCommand() {
    Shell shell = new Shell(directory);
    String text = shell.ok("--help");
    assertThat(Commands.listed()).allMatch(entry -> text.contains("  " + entry.name() + " "));
    assertThat(text)
        .isEqualTo(shell.ok())
        .isEqualTo(shell.ok("help"))
        .doesNotContain("demo-worker");
  }

  @Test
  void explainsEveryCommandInTheSameWayWithinAScreen() {
    Shell shell = new Shell(directory);
    for (Commands.Entry entry : Commands.listed()) {
      String text = shell.ok("help", entry.name());
      assertThat(text).startsWith("Usage: pawl " + entry.name());
      assertThat(text).isEqualTo(shell.ok(entry.name(), "--help"));
      assertThat(text.lines()).allMatch(line -> line.length() <= SCREEN_COLUMNS);
    }
  }

  @Test
  void theCompletionScriptIsOneThatBashReads() throws Exception {
    String script = new Shell(directory).ok("completion");
    assertThat(script).contains("complete ", "--status", "demo");
    Process bash = new ProcessBuilder("bash", "-n").redirectErrorStream(true).start();
    try (var in = bash.getOutputStream()) {
      in.write(script.getBytes(StandardCharsets.UTF_8));
    }
    assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).isEmpty();
    assertThat(bash.waitFor()).isZero();
  }

  @Test
  void theVersionIsOneLine() {
    Shell shell = new Shell(directory);
    assertThat(shell.ok("version")).startsWith("pawl ").hasLineCount(1);
    assertThat(shell.ok("--version")).isEqualTo(shell.ok("version"));
  }
}
