package dev.pawl.script.lang.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.script.lang.syntax.Token.Kind;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** From characters to tokens. */
class ScannerTest {
  private ErrorList errors;

  private List<Token> scan(String text) {
    Source source = new Source("test.flow", text);
    errors = new ErrorList(source);
    List<Token> tokens = new Scanner(source, errors).scan();
    assertThat(tokens.getLast().kind()).isEqualTo(Kind.END);
    return tokens.subList(0, tokens.size() - 1);
  }

  /** The tokens of a text without mistakes, as kind and text. */
  private List<String> good(String text) {
    List<Token> tokens = scan(text);
    assertThat(errors.sorted()).isEmpty();
    return tokens.stream().map(token -> token.kind() + " " + token.text()).toList();
  }

  private Token only(String text) {
    List<Token> tokens = scan(text);
    assertThat(tokens).hasSize(1);
    return tokens.getFirst();
  }

  /** The mistakes of a text, as code and place. */
  private List<String> bad(String text) {
    scan(text);
    return errors.sorted().stream()
        .map(error -> error.code() + " " + error.line() + ":" + error.column())
        .toList();
  }

  @Nested
  class Places {
    @Test
    void nothingButBlanksIsTheEndAlone() {
      assertThat(scan(" \t\u00A0\uFEFF\n\r\n// all\n/* of\nit */")).isEmpty();
      assertThat(errors.isEmpty()).isTrue();
    }

    @Test
    void lineAndColumnCountFromOneInUnitsOfUtf16() {
      List<Token> tokens = scan("a\r\n\t😀b\u2028c\rd");
      assertThat(tokens.stream().filter(token -> token.kind() == Kind.NAME).map(Token::span))
          .extracting(span -> span.line() + ":" + span.column())
          .containsExactly("1:1", "2:4", "3:1", "4:1");
    }

    @Test
    void aTokenSpansItsCharactersAndNoMore() {
      Token token = scan("  'a\\u0062' ").getFirst();
      assertThat(token.text()).isEqualTo("ab");
      assertThat(token.span()).isEqualTo(new Span(2, 11, 1, 3));
    }

    @Test
    void theEndStandsBehindTheLastToken() {
      Source source = new Source("test.flow", "a // and so on\n\n");
      List<Token> tokens = new Scanner(source, new ErrorList(source)).scan();
      assertThat(tokens.getLast().span()).isEqualTo(new Span(1, 1, 1, 2));
    }

    @Test
    void aTokenKnowsWhetherALineBreakStandsBeforeIt() {
      assertThat(scan("a b\nc /* \n */ d /* */ e // \nf\u2029g"))
          .extracting(Token::newlineBefore)
          .containsExactly(false, false, true, true, false, true, true);
    }

    @Test
    void theScriptBeginsBehindItsFrontMatterAndCountsItsLines() {
      List<Token> tokens = scan("---\nname: a.b.v1\n---\nx");
      assertThat(tokens).hasSize(1);
      assertThat(tokens.getFirst().span().line()).isEqualTo(4);
      assertThat(bad("---\nname: a\n")).containsExactly("SYNTAX_ERROR 1:1");
    }
  }

  @Nested
  class Names {
    @Test
    void reservedWordsAreWordsAndOthersAreNames() {
      assertThat(good("let lets $ _x größe await of async"))
          .containsExactly(
              "WORD let",
              "NAME lets",
              "NAME $",
              "NAME _x",
              "NAME größe",
              "WORD await",
              "NAME of",
              "NAME async");
    }

    @Test
    void aCharacterThatMeansNothingIsAMistakeAndScanningGoesOn() {
      assertThat(bad("a § b ° 😀")).hasSize(3).allMatch(error -> error.startsWith("SYNTAX_ERROR"));
      assertThat(scan("a § b")).extracting(Token::text).containsExactly("a", "b");
      assertThat(bad("a \ud800 b")).containsExactly("SYNTAX_ERROR 1:3");
    }
  }

  @Nested
  class Numbers {
    @Test
    void areDecimalHexadecimalAndWithExponent() {
      assertThat(only("1_000.25").number()).isEqualTo(1000.25);
      assertThat(only(".5").number()).isEqualTo(0.5);
      assertThat(only("5.").number()).isEqualTo(5);
      assertThat(only("1e-3").number()).isEqualTo(0.001);
      assertThat(only("2E+2").number()).isEqualTo(200);
      assertThat(only("0xFF_ff").number()).isEqualTo(65535);
      assertThat(only("9007199254740993").number()).isEqualTo(9007199254740992.0);
      assertThat(only("1e999").number()).isInfinite();
      assertThat(errors.isEmpty()).isTrue();
    }

    @Test
    void aSignInsideOfAHexadecimalNumberIsAnOperator() {
      assertThat(good("0xe+1")).containsExactly("NUMBER 0xe", "SIGN +", "NUMBER 1");
      assertThat(good("a-1")).containsExactly("NAME a", "SIGN -", "NUMBER 1");
    }

    @Test
    void whatOnlyLooksLikeOneIsOneMistake() {
      for (String text : List.of("1__0", "1_", "0x", "1e", "1.2.3", "3px", "08", "0xg", "1e+")) {
        assertThat(bad(text)).as(text).containsExactly("SYNTAX_ERROR 1:1");
      }
      for (String text : List.of("10n", "0b1", "0o7")) {
        assertThat(bad(text)).as(text).containsExactly("NOT_IN_LANGUAGE 1:1");
      }
    }

    @Test
    void aQuestionMarkBeforeAFractionIsNoOptionalChain() {
      assertThat(good("a?.5:b"))
          .containsExactly("NAME a", "SIGN ?", "NUMBER .5", "SIGN :", "NAME b");
      assertThat(good("a?.b")).containsExactly("NAME a", "SIGN ?.", "NAME b");
    }
  }

  @Nested
  class Texts {
    @Test
    void escapesMeanWhatTheyMeanInJavaScript() {
      assertThat(only("'\\n\\t\\\\\\'\\x41\\u{1F600}\\q\\0'").text()).isEqualTo("\n\t\\'A😀q\0");
      assertThat(only("\"a\\\r\nb\"").text()).isEqualTo("ab");
      assertThat(errors.isEmpty()).isTrue();
    }

    @Test
    void aTextEndsOnItsLine() {
      assertThat(bad("x = 'abc\ny")).containsExactly("SYNTAX_ERROR 1:5");
      assertThat(scan("'abc\ny")).extracting(Token::text).containsExactly("abc", "y");
      assertThat(bad("'abc\\")).containsExactly("SYNTAX_ERROR 1:1");
    }

    @Test
    void aBadEscapeIsAMistakeAtItsBackslash() {
      assertThat(bad("'ab\\xZZ'")).containsExactly("SYNTAX_ERROR 1:4");
      assertThat(bad("'\\u{110000}'")).containsExactly("SYNTAX_ERROR 1:2");
      assertThat(bad("'\\08'")).hasSize(1);
    }
  }

  @Nested
  class Templates {
    @Test
    void haveAHeadPartsAndATail() {
      assertThat(good("`a${b}c${d}e`"))
          .containsExactly(
              "TEMPLATE_HEAD a", "NAME b", "TEMPLATE_MIDDLE c", "NAME d", "TEMPLATE_TAIL e");
      assertThat(good("`plain $ { \\` \\${`")).containsExactly("TEMPLATE plain $ { ` ${");
    }

    @Test
    void standInsideOfEachOtherAndBesideBraces() {
      assertThat(good("`${ {a: `${1}`} }`"))
          .containsExactly(
              "TEMPLATE_HEAD ",
              "SIGN {",
              "NAME a",
              "SIGN :",
              "TEMPLATE_HEAD ",
              "NUMBER 1",
              "TEMPLATE_TAIL ",
              "SIGN }",
              "TEMPLATE_TAIL ");
    }

    @Test
    void goOverLinesWhoseBreaksBecomeOne() {
      assertThat(only("`a\r\nb\rc`").text()).isEqualTo("a\nb\nc");
    }

    @Test
    void oneThatIsNotClosedIsAMistakeWhereItBegan() {
      assertThat(bad("x\n `abc")).containsExactly("SYNTAX_ERROR 2:2");
      assertThat(bad("`a${1}b")).containsExactly("SYNTAX_ERROR 1:1");
    }
  }

  @Nested
  class Signs {
    @Test
    void theLongestOneIsTaken() {
      assertThat(good("a===b!==c**d??e=>...++"))
          .filteredOn(token -> token.startsWith("SIGN"))
          .containsExactly(
              "SIGN ===", "SIGN !==", "SIGN **", "SIGN ??", "SIGN =>", "SIGN ...", "SIGN ++");
    }

    @Test
    void aSlashIsADivisionBehindAnOperandAndElseARegularExpression() {
      assertThat(good("a / b / c")).contains("SIGN /");
      assertThat(good("f(1) / 2")).contains("SIGN /");
      assertThat(good("`${1}` / 2")).contains("SIGN /");
      assertThat(bad("x = /a[/]b\\//g")).containsExactly("NOT_IN_LANGUAGE 1:5");
      assertThat(bad("return /x/")).containsExactly("NOT_IN_LANGUAGE 1:8");
      assertThat(bad("/never closed\nb")).containsExactly("NOT_IN_LANGUAGE 1:1");
      assertThat(bad("x = /ends in \\")).containsExactly("NOT_IN_LANGUAGE 1:5");
    }

    @Test
    void aCommentThatIsNotClosedIsAMistakeWhereItBegan() {
      assertThat(bad("a\n  /* b")).containsExactly("SYNTAX_ERROR 2:3");
    }
  }
}
