package dev.pawl.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.error.PawlException;
import dev.pawl.testkit.Fuzz;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Broken JSON is refused in words, and whatever is taken survives every way it goes. {@code
 * -Dpawl.fuzz.tries=N} hunts longer, {@code -Dpawl.fuzz.seed=N} elsewhere.
 */
class JsonFuzzTest {
  private static final List<String> FINE =
      List.of(
          "null",
          "{}",
          "[1,2.50,-0.0,1e400,-1E-7,0]",
          "{\"a\":{\"b\":[true,false,null]},\"\":\"x\"}",
          "\"text \\u0000 \\ud800 \\ud83d\\ude00 \\\" \\\\ \\n é 😀\"",
          "[[[[[{\"deep\":[{}]}]]]]]",
          " { \"spaces\" : [ 1 , 2 ] } ",
          "9007199254740993",
          "123456789012345678901234567890.123456789");
  private static final List<String> PIECES =
      List.of(
          "{",
          "}",
          "[",
          "]",
          "\"",
          ",",
          ":",
          "\\",
          "\\u",
          "\\ud800",
          "\\udc00",
          "\ud800",
          "\udc00",
          "null",
          "tru",
          "NaN",
          "Infinity",
          "-",
          "+1",
          "01",
          "1.",
          ".5",
          "1e",
          "e9",
          "\u0000",
          "\u2028",
          "\ufeff",
          "//",
          "/**/",
          "'",
          "\"a\":1,\"a\":2",
          "[[[[[[[[",
          "\t",
          "\u007f");

  @Test
  void whateverIsTakenSurvivesEveryWayItGoes() {
    assertThat(Fuzz.of(FINE, PIECES).hunt(Fuzz.tries(50_000), JsonFuzzTest::goesEveryWay))
        .isEmpty();
  }

  /** Text that went through UTF-8 has lost its halves of surrogate pairs. */
  @Test
  void aCodecThatLosesHalvesOfSurrogatePairsIsFound() {
    assertThat(
            Fuzz.of(FINE, PIECES).hunt(50_000, text -> survives(text, JsonFuzzTest::throughBytes)))
        .isPresent();
  }

  private static String throughBytes(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  private static void goesEveryWay(String text) {
    survives(text, string -> string);
    try {
      Json json = Json.parse(text);
      assertThat(Json.parse(json.text())).isEqualTo(json);
      assertThat(Json.stored(json.text())).isEqualTo(json);
      Object value = JsonCodec.decode(json, Object.class);
      Object again = JsonCodec.decode(JsonCodec.encode(value), Object.class);
      assertThat(Objects.equals(again, value)).as("%s and %s", value, again).isTrue();
    } catch (PawlException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  /** Any text at all can be a string in JSON. */
  private static void survives(String text, java.util.function.UnaryOperator<String> channel) {
    String back = JsonCodec.decode(Json.string(channel.apply(text)), String.class);
    assertThat(back).isEqualTo(text);
  }
}
