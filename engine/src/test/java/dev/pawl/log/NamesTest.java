package dev.pawl.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

  @ParameterizedTest
  @ValueSource(strings = {"a", " ", "a b", "größe", "\uD83D\uDE80", "a%_'\"\\", "\u00A0", "\uFFFD"})
  void ordinaryNamesPass(String name) {
    assertThat(Names.check("a name", name)).isEqualTo(name);
  }

  @Test
  void twoHundredCharactersPassAndOneMoreDoesNot() {
    assertThat(Names.check("a name", "n".repeat(200))).hasSize(200);
    assertThat(Names.check("a name", "\uD83D\uDE80".repeat(100))).hasSize(200);
    assertRefused("n".repeat(201), "at most 200 characters, this one has 201");
  }

  @Test
  void theEmptyNameIsRefused() {
    assertRefused("", "must not be empty");
  }

  @Test
  void whatCannotBeStoredIsRefusedWithItsPlace() {
    assertRefused("a\u0000", "U+0000 at position 1");
    assertRefused("line\nbreak", "U+000A at position 4");
    assertRefused("\u007F", "U+007F at position 0");
    assertRefused("\u0085", "U+0085");
    assertRefused("x\uD83D", "U+D83D at position 1");
    assertRefused("\uDE80\uD83D", "U+DE80 at position 0");
    assertRefused("\uD83D\uDE80\uDE80", "U+DE80 at position 2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"billing.invoice.v1", "a", "größe.v1", "a_b", "\uD83D\uDE80"})
  void ordinaryTypesPass(String type) {
    assertThat(Names.checkType(type)).isEqualTo(type);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a%", "%", " a", "a\t", "a\u2003b"})
  void typesHaveNoWhiteSpaceAndNoPercentSign(String type) {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> Names.checkType(type))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_INPUT));
  }

  private static void assertRefused(String name, String why) {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> Names.check("a name", name))
        .withMessageContaining("a name")
        .withMessageContaining(why)
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_INPUT));
  }
}
