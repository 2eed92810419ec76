package dev.pawl.verify;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What the command says to those who ask, and who ask wrongly. */
class MainTest {
  /** Simulations beside each other must not wait for each other, not even to log. */
  private static final Logger LOG = (Logger) LoggerFactory.getLogger("dev.pawl");

  private static final @Nullable Level BEFORE = LOG.getLevel();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(BEFORE);
  }

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
