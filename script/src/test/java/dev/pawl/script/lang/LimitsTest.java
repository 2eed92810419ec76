package dev.pawl.script.lang;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsTest {
  private static final Limits SMALL =
      Limits.DEFAULT.withOperations(2_000_000).withHeapBytes(4 << 20).withTextLength(1 << 18);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "while (true) {}",
        "for (;;) { try { throw 1 } catch (e) {} finally {} }",
        "function f() { f() }\nf()",
        "async function f() { await f() }\nawait f()",
        "async function f() { f(); await null }\nawait f(); while (true) await null",
        "let s = 'x'; while (true) s += s",
        "let s = ''; while (true) s = s + 'y'",
        "return 'x'.repeat(1e9)",
        "return 'x'.padEnd(1e9)",
        "return 'x'.replaceAll('x', 'y'.repeat(1e6))",
        "let l = []; while (true) l.push(l)",
        "let l = [1]; while (true) l = l.concat(l)",
        "let l = [1]; while (true) l = [...l, ...l]",
        "let l = []; l[1e9] = 1",
        "let o = {}; for (let i = 0; ; i++) o['k' + i] = i",
        "let f = () => 1; for (;;) { const g = f; f = () => g }",
        "let l = []; for (let i = 0; i < 20000; i++) l.push(i); for (;;) l.includes(-1)",
        "let l = [1, 2]; l.map(function g(x) { return l.map(g) })",
        "let p = Timer.delay(1); for (;;) p = Promise.all([p, p])",
        "for (;;) Timer.delay(1)",
        "for (;;) log('x'.repeat(1000))",
        "let l = [3, 1, 2]; for (;;) l.sort((a, b) => a - b)",
        "let t = '[' ; for (;;) t = JSON.stringify([t])",
      })
  void nothingGoesOnForEver(String source) {
    assertThat(Scripts.error(source, SMALL).code()).isEqualTo("LIMIT_EXCEEDED");
  }

  @Test
  void garbageDoesNotCount() {
    assertThat(
            Scripts.start(
                    "let n = 0; for (let i = 0; i < 5000; i++) { n += 'x'.repeat(5000).length }"
                        + " return n",
                    "{}",
                    SMALL)
                .run())
        .isInstanceOf(Step.Done.class);
  }

  @Test
  void deepValuesNeverOverflow() {
    String nested = "let l = []; for (let i = 0; i < 100000; i++) l = [l]\n";
    assertThat(Scripts.error(nested + "return l").code()).isEqualTo("BAD_VALUE");
    assertThat(Scripts.error(nested + "return '' + l").code()).isEqualTo("BAD_VALUE");
    assertThat(Scripts.error(nested + "return l.flat(1e9)").code()).isEqualTo("BAD_VALUE");
    assertThat(Scripts.error("return JSON.parse('['.repeat(100000))").code()).isEqualTo("BAD_JSON");
    Machine machine = Scripts.start(nested + "await Timer.delay(1); return 1");
    machine.run();
    assertThat(machine.snapshot().length).isPositive();
    Machine chain =
        Scripts.start(
            "let p = Timer.delay(1); for (let i = 0; i < 50000; i++) p ="
                + " Promise.race([p, Timer.delay === 1]); await p; return 1");
    assertThat(chain.run()).isNotNull();
    Machine deep =
        Scripts.start(
            "let p = Signal.next('a'); for (let i = 0; i < 50000; i++) p ="
                + " Promise.all([p]); await p; return 1");
    assertThat(((Step.Waiting) deep.run()).wakeAfter()).isEqualTo(1);
    deep.settle(1, "1");
    assertThat(deep.run()).isInstanceOf(Step.Done.class);
  }
}
