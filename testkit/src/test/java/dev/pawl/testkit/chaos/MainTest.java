package dev.pawl.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {
  @Test
  void aPartOfAMinuteIsEnough() {
    Main.Wish wish = Main.Wish.of(List.of("--minutes", "1.5", "--store", "sqlite", "--seed", "7"));
    assertThat(wish).isEqualTo(new Main.Wish(false, Duration.ofSeconds(90), 7));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "--minutes soon; --minutes takes a positive number, not 'soon'",
        "--minutes -1; --minutes takes a positive number",
        "--store redis; --store is 'postgres' or 'sqlite', not 'redis'",
        "--seed x; --seed takes a whole number",
        "--hours 1; '--hours' is no option",
        "--seed; '--seed' is no option of chaos, or lacks its value",
      })
  void whatCannotBeMeantIsSaidInOneSentence(String words, String sentence) {
    assertThatThrownBy(() -> Main.Wish.of(List.of(words.split(" "))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(sentence);
  }
}
