package dev.pawl.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"null", "true", "false", "0", "-1", "\"\"", "\"a\"", "[]", "{}", "[1,[2,{}]]"})
  void compactTextsStayAsTheyAre(String text) {
    assertThat(Json.parse(text).text()).isEqualTo(text);
  }

  @Test
  void whiteSpaceIsDropped() {
    assertThat(Json.parse(" { \"a\" : [ 1 , 2 ] }\r\n\t").text()).isEqualTo("{\"a\":[1,2]}");
  }

  @Test
  void membersKeepTheirOrder() {
    assertThat(Json.parse("{\"z\":1,\"a\":2,\"m\":3}").text())
        .isEqualTo("{\"z\":1,\"a\":2,\"m\":3}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "  ",
        "nul",
        "[1,]",
        "{\"a\"}",
        "{a:1}",
        "'a'",
        "\"a",
        "[1",
        "01",
        "1.",
        ".5",
        "+1",
        "NaN",
        "1 2",
        "{} []",
        "\"\u0000\"",
        "\"\\x\"",
        "\"\\u12\"",
        "// x\n1",
        "{\"a\":1,\"a\":2}",
        "\uFEFF1"
      })
  void otherTextsAreRefused(String text) {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> Json.parse(text))
        .withMessageStartingWith("not JSON")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_JSON));
  }

  @Test
  void aRefusalSaysWhere() {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> Json.parse("{\n  \"a\": nope\n}"))
        .withMessageContaining("line 2, column");
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> Json.parse("[1] [2]"))
        .withMessageContaining("column 5");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "12345678901234567890",
        "-12345678901234567890123456789012345678901234567890",
        "0.1000000000000000055",
        "1e400",
        "1E-400",
        "-0.0",
        "2.50",
        "9007199254740993",
        "1e1000000"
      })
  void numbersKeepTheirExactValue(String number) {
    Json parsed = Json.parse("[" + number + "]");

    String back = parsed.text().substring(1, parsed.text().length() - 1);
    assertThat(new BigDecimal(back)).isEqualByComparingTo(new BigDecimal(number));
    assertThat(Json.parse(parsed.text())).isEqualTo(parsed);
  }

  @Test
  void aNumberKeepsItsDigits() {
    assertThat(Json.parse("0.1000000000000000055").text()).isEqualTo("0.1000000000000000055");
    assertThat(Json.parse("12345678901234567890").text()).isEqualTo("12345678901234567890");
    assertThat(Json.parse("2.50").text()).isEqualTo("2.50");
  }

  @Test
  void controlCharactersAreEscaped() {
    assertThat(Json.string("\u0000\n\r\t\b\f\u001F\u007F").text())
        .isEqualTo("\"\\u0000\\n\\r\\t\\b\\f\\u001F\u007F\"");
    assertThat(Json.parse("\"\\u0000\\u001f\"")).isEqualTo(Json.string("\u0000\u001F"));
  }

  @Test
  void loneSurrogatesAreEscapedAndPairsAreNot() {
    assertThat(Json.string("\uD83D").text()).isEqualTo("\"\\uD83D\"");
    assertThat(Json.string("\uDE80\uD83D").text()).isEqualTo("\"\\uDE80\\uD83D\"");
    assertThat(Json.string("\uD83D\uDE80").text()).isEqualTo("\"\uD83D\uDE80\"");
    assertThat(Json.string("\uD83D\uD83D\uDE80").text()).isEqualTo("\"\\uD83D\uD83D\uDE80\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\uD83D", "\uDE80", "\uDE80\uD83D", "a\uD83Db", "\uD83D\uD83D\uDE80", "\u0000"})
  void anyTextReadsBack(String text) {
    assertThat(JsonCodec.decode(Json.string(text), String.class)).isEqualTo(text);
    assertThat(Json.parse(Json.string(text).text())).isEqualTo(Json.string(text));
    assertThat(Json.parse("\"" + (text.equals("\u0000") ? "" : text) + "\"").reader().getString())
        .isEqualTo(text.equals("\u0000") ? "" : text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"\uD83D\":1}", "[{\"x\uDE80\":1}]", "{\"\\ud83d\":1}"})
  void aMembersNameThatCouldNotBeReadAgainIsRefused(String text) {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> Json.parse(text))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_JSON));
  }

  @Test
  void theDeepestNestingIsAcceptedAndOneMoreIsNot() {
    String most = "[".repeat(Json.MAX_DEPTH) + "]".repeat(Json.MAX_DEPTH);
    assertThat(Json.parse(most).text()).isEqualTo(most);

    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> Json.parse("[" + most + "]"))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_JSON));
  }

  @Test
  void aMillionBracketsAreRefusedAndDoNotOverflow() {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> Json.parse("[".repeat(1_000_000)));
  }

  @Test
  void theLongestTextIsAcceptedAndOneMoreIsNot() {
    String most = "x".repeat(Json.MAX_CHARS - 2);
    assertThat(Json.string(most).text()).hasSize(Json.MAX_CHARS);
    assertThat(Json.parse("\"" + most + "\"").text()).hasSize(Json.MAX_CHARS);

    assertTooLarge(() -> Json.string(most + "x"));
    assertTooLarge(() -> Json.parse("\"x" + most + "\""));
  }

  @Test
  void aTextThatGrowsPastTheLimitByEscapingIsRefused() {
    assertTooLarge(() -> Json.string("\u0000".repeat(Json.MAX_CHARS / 5)));
    assertTooLarge(() -> Json.string("\uD83D".repeat(Json.MAX_CHARS / 2)));
  }

  @Test
  void aLongNumberIsRefused() {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> Json.parse("9".repeat(1001)))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_JSON));
  }

  @Test
  void equalityIsEqualityOfTheText() {
    assertThat(Json.parse("[1, 2]")).isEqualTo(Json.parse("[1,2]")).hasSameHashCodeAs("[1,2]");
    assertThat(Json.parse("1.0")).isNotEqualTo(Json.parse("1"));
    assertThat(Json.stored("null")).isSameAs(Json.NULL);
    assertThat(Json.bool(true)).isSameAs(Json.TRUE);
    assertThat(Json.number(-5).text()).isEqualTo("-5");
    assertThat(Json.NULL.isNull()).isTrue();
    assertThat(Json.string("null").isNull()).isFalse();
  }

  @Test
  void aMemberIsFoundByName() {
    Json object = Json.parse("{\"a\":{\"b\":1},\"b\":[2,{\"c\":3}],\"n\":null}");

    assertThat(object.member("a").text()).isEqualTo("{\"b\":1}");
    assertThat(object.member("b").text()).isEqualTo("[2,{\"c\":3}]");
    assertThat(object.member("c")).isEqualTo(Json.NULL);
    assertThat(object.member("n")).isEqualTo(Json.NULL);
    assertThat(Json.parse("[1]").member("a")).isEqualTo(Json.NULL);
  }

  private static void assertTooLarge(Runnable body) {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(body::run)
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
  }
}
