package dev.pawl.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command says to those who ask, and who ask wrongly. */
class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String line) {
    return Main.run(line.split(" "), stream(out), stream(err));
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  @Test
  void helpIsGiven() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("usage: pawl verify");
    assertThat(err.size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--seed x", "--hours soon", "--seeds", "--only graphs", "--fast yes"})
  void whatIsNotUnderstoodIsToldInOneLine(String line) {
    assertThat(run(line)).isEqualTo(64);
    assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("pawl: ").hasLineCount(1);
    assertThat(out.size()).isZero();
  }

  @Test
  void aFewSeedsArePlayed() {
    int code = run("--seeds 3");
    String said = out.toString(StandardCharsets.UTF_8);
    assertThat(code).as(said).isZero();
    assertThat(said).contains("playing seeds from", "succeeded");
  }
}
