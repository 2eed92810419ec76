package dev.pawl.script.lang;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusalsTest {
  @Test
  void allErrorsOfAFileAreReportedAtOnceInTheirOrder() {
    assertThat(
            Scripts.refusals(
                """
                var a = 1
                let b = c
                const d = ;
                b = undefined
                let b = 2
                d.e = Math.flor(1)
                """))
        .containsExactly(
            "NOT_IN_LANGUAGE 1:1",
            "UNDECLARED_NAME 2:9",
            "SYNTAX_ERROR 3:11",
            "NOT_IN_LANGUAGE 4:5",
            "ALREADY_DECLARED 5:5",
            "UNDECLARED_NAME 6:12");
  }

  @Test
  void anErrorShowsItsLineWithACaret() {
    assertThat(Scripts.messages("let amount = 1\nreturn amuont + 1"))
        .isEqualTo(
            """
            test.flow:2:8: UNDECLARED_NAME: `amuont` is not declared: did you mean `amount`?
                return amuont + 1
                       ^^^^^^\
            """
                .replace("\n", System.lineSeparator()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      value = {
        "this.x = 1 @ parameter",
        "new Map() @ new Error",
        "x: for (;;) {} @ function",
        "return /a+/.test(1) @ replaceAll",
        "let o = { get a() { return 1 } } @ function",
        "let o = { a() { return 1 } } @ a: ",
        "let a = 1 & 2 @ Math",
        "let a = 1; a ??= 2 @ a ?? b",
        "let a = [1, , 2] @ null",
        "for (let i = 0, j = 0; i < 1; i++, j++) {} @ statement",
        "let a = NaN @ NaN",
        "debugger @ log",
        "let a = null; [a] = [1] @ one by one",
        "function* f() {} @ list",
        "import x from 'y' @ Workflow.run",
        "let a = `x`; a`y` @ call",
      })
  void whatTheLanguageHasNotIsNamedWithWhatToUse(String source, String advice) {
    assertThat(Scripts.refusals(source)).hasSize(1).first().asString().contains("NOT_IN_LANGUAGE");
    assertThat(Scripts.messages(source)).contains(advice);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      value = {
        "let a = (1 + 2 @ SYNTAX_ERROR 1:15",
        "if (true { log(1) } @ SYNTAX_ERROR 1:10",
        "const o = { a: 1 b: 2 } @ SYNTAX_ERROR 1:18",
        "let a = 1 let b = 2 @ SYNTAX_ERROR 1:11",
        "return -2 ** 2 @ SYNTAX_ERROR 1:11",
        "return 1 || 2 ?? 3 @ SYNTAX_ERROR 1:15",
        "function f() { return await 1 } @ SYNTAX_ERROR 1:23",
        "break @ SYNTAX_ERROR 1:1",
        "let if = 1 @ SYNTAX_ERROR 1:5",
        "let a = 'x @ SYNTAX_ERROR 1:9",
        "let a = 1_ @ SYNTAX_ERROR 1:9",
        "const a = 1; a++ @ CONST_ASSIGNMENT 1:14",
      })
  void aMistakeGivesOneErrorAtItsPlace(String source, String expected) {
    assertThat(Scripts.refusals(source)).containsExactly(expected);
  }

  @Test
  void deepNestingIsAnErrorAndNeverAnOverflow() {
    assertThat(Scripts.refusals("return " + "(".repeat(100_000) + "1")).hasSize(1);
    assertThat(Scripts.refusals("return " + "[".repeat(100_000))).hasSize(1);
    assertThat(Scripts.refusals("return " + "!".repeat(100_000) + "1")).hasSize(1);
    assertThat(Scripts.refusals("return 1" + " + 1".repeat(100_000))).hasSize(1);
    assertThat(Scripts.refusals("let a = {}; return a" + ".a".repeat(100_000))).hasSize(1);
    assertThat(Scripts.refusals("{".repeat(100_000))).isNotEmpty();
    assertThat(Scripts.refusals("`${".repeat(50_000))).isNotEmpty();
    assertThat(Scripts.refusals("if (1) ".repeat(100_000) + ";")).hasSize(1);
  }
}
