package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a script says about a task holds for a worker that runs commands. */
class TaskPolicyTest {
  @TempDir Path directory;
  private Path effects;

  @BeforeEach
  void place() {
    effects = directory.resolve("effects");
  }

  /** Runs a script whose tasks are done by a command; returns what it printed. */
  private String run(String script, String exec) {
    try {
      Path file = Files.writeString(directory.resolve("test.flow"), script);
      Shell.Result result =
          new Shell(directory)
              .typing(Map.of(), false, "", "run", file.toString(), "-q", "--exec", exec);
      assertThat(result.exit()).as(result.err()).isZero();
      return result.out().strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int attempts() {
    try {
      return Files.readAllLines(effects).size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String noting(String command) {
    return "t.v1=echo $PAWL_ATTEMPT >> " + effects + "; " + command;
  }

  @Test
  void theNumberOfAttemptsAndTheWaits() {
    String result =
        run(
            """
            const began = Date.now()
            const retry = { maxAttempts: 4, initial: "30ms", factor: 1, jitter: false }
            try { await Task.run("t.v1", 1, { retry }) } catch (e) {
              return [e.code, e.attempt, Date.now() - began >= 90]
            }
            """,
            noting("exit 75"));
    assertThat(result).isEqualTo("[\"COMMAND_FAILED\",4,true]");
    assertThat(attempts()).isEqualTo(4);
  }

  @Test
  void theTimeOfAnAttempt() {
    String result =
        run(
            """
            try { await Task.run("t.v1", 1, { timeout: "200ms", retry: 1 }) } catch (e) {
              return e.code
            }
            """,
            noting("exec sleep 1000"));
    assertThat(result).isEqualTo("\"TIMEOUT\"");
    assertThat(attempts()).isEqualTo(1);
  }

  @Test
  void theCodesThatAreNotTriedAgain() {
    String result =
        run(
            """
            try { await Task.run("t.v1", 1, { retry: { nonRetryable: ["COMMAND_FAILED"] } }) } catch (e) {
              return [e.attempt, e.retryable]
            }
            """,
            noting("exit 75"));
    assertThat(result).isEqualTo("[1,false]");
    assertThat(attempts()).isEqualTo(1);
  }

  @Test
  void theQueue() {
    assertThat(run("return await Task.run('t.v1', 1, { queue: 'gpu' })", "gpu.%=echo $PAWL_TYPE"))
        .isEqualTo("\"gpu.t.v1\"");
  }
}
