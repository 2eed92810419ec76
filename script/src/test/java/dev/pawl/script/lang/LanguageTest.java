package dev.pawl.script.lang;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LanguageTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      quoteCharacter = '~',
      value = {
        "1 + 2 * 3 ** 2 ** 0 @ 7",
        "2 ** 3 ** 2 @ 512",
        "(-2) ** 2 @ 4",
        "10 - 4 - 3 @ 3",
        "7 % 4 * 2 @ 6",
        "-7 % 4 @ -3",
        "1 < 2 === true @ true",
        "!0 + '' @ \"true\"",
        "true ? false ? 1 : 2 : 3 @ 2",
        "null ?? 0 @ 0",
        "0 || '' || 'x' @ \"x\"",
        "1 && 0 && 2 @ 0",
        "'a' in { a: 1 } === true @ true",
        "typeof typeof 1 @ \"string\"",
        "0.1 + 0.2 @ 0.30000000000000004",
        "1e21 + 1 @ 1e+21",
        "1 / 3 @ 0.3333333333333333",
        "5e-324 @ 5e-324",
        "123456789012345680000 @ 123456789012345680000",
        "0x_f1 - 0 @ -",
        "[1, [2, 3]] + '' @ \"1,2,3\"",
        "`${1}${'a'}${null}` @ \"1anull\"",
        "'b' > 'a' @ true",
      })
  void operatorsBindAndCalculateAsInJavaScript(String source, String expected) {
    if (expected.equals("-")) {
      assertThat(Scripts.refusals("return " + source)).hasSize(1);
    } else {
      assertThat(Scripts.value("return " + source)).isEqualTo(expected);
    }
  }

  @Test
  void closuresInLoopsHaveAVariableForEachTurn() {
    assertThat(
            Scripts.value(
                """
                let all = []
                for (let i = 0; i < 3; i++) { all.push(() => i++) }
                for (const x of [7, 8]) all.push(() => x)
                all[0]()
                return all.map(f => f())
                """))
        .isEqualTo("[1,1,2,7,8]");
  }

  @Test
  void finallyRunsOnEveryWayOut() {
    assertThat(
            Scripts.value(
                """
                let out = []
                function f(how) {
                  for (let i = 0; i < 2; i++) {
                    try {
                      try {
                        if (how === "return") return "r" + i
                        if (how === "break") break
                        if (how === "continue") continue
                        if (how === "throw") throw new Error("t")
                      } finally { out.push("inner") }
                    } catch (e) { out.push(e.message) }
                    finally { out.push("outer"); if (how === "override" ) return "o" }
                  }
                  return "end"
                }
                const results = ["return", "break", "continue", "throw", "override"].map(f)
                return [results, out.length]
                """))
        .isEqualTo("[[\"r0\",\"end\",\"end\",\"end\",\"o\"],16]");
  }

  @Test
  void whatIsMissingIsAnErrorUnlessAskedFor() {
    assertThat(Scripts.error("let o = { name: 1 }\nreturn o.nmae").message())
        .contains("`nmae`", "`name`");
    assertThat(Scripts.value("let o = {}; return [o?.a.b.c, o['a'], [1][5], o?.f(1).g]"))
        .isEqualTo("[null,null,null,null]");
    Failure error = Scripts.error("function f(o) {\n  return o.a.b\n}\nreturn f({ a: null })");
    assertThat(error.code()).isEqualTo("TYPE_ERROR");
    assertThat(error.line() + ":" + error.column()).isEqualTo("2:14");
    assertThat(error.stack()).isEqualTo("at f (test.flow:2:14)\nat the script (test.flow:4:8)");
  }

  @Test
  void aNamedFunctionExpressionSeesItself() {
    assertThat(
            Scripts.value("const f = function g(n) { return n ? n * g(n - 1) : 1 }; return f(5)"))
        .isEqualTo("120");
  }

  @Test
  void numbersThatAreNotFiniteStayInside() {
    assertThat(Scripts.value("return 1 / 0 > 5")).isEqualTo("true");
    assertThat(Scripts.error("return [1 / 0]").code()).isEqualTo("NOT_FINITE");
  }
}
