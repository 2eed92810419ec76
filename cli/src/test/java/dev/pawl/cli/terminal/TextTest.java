package dev.pawl.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTest {
  @Test
  void nothingThatCouldSteerATerminalGetsThrough() {
    assertThat(Text.oneLine("a\u001b[31mb\u0007c\nd\te\u202ef")).isEqualTo("a·[31mb·c ⏎ d e·f");
    assertThat(Text.harmless("a\u001bb\nc")).isEqualTo("a·b\nc");
  }

  @Test
  void aLongTextIsCutAndItsLengthTold() {
    assertThat(Text.shorten("x".repeat(50), 100)).isEqualTo("x".repeat(50));
    assertThat(Text.shorten("x".repeat(1000), 40)).hasSize(40).endsWith("… (1000 characters)");
  }

  @Test
  void noCharacterIsCutInHalf() {
    for (int limit = 25; limit < 35; limit++) {
      String cut = Text.shorten("🙂".repeat(100), limit);
      assertThat(
              new String(
                  cut.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                  java.nio.charset.StandardCharsets.UTF_8))
          .isEqualTo(cut);
    }
  }
}
