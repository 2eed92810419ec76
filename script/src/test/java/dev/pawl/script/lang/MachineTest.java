package dev.pawl.script.lang;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineTest {
  @Test
  void waitingForAllOfAThousandNeedsAThousandAnswers() {
    Machine machine =
        Scripts.start(
            """
            let all = []
            for (let i = 0; i < 1000; i++) all.push(Task.run("t", i))
            return (await Promise.race([Promise.all(all), Timer.delay(60)])).length
            """);
    Step.Waiting waiting = (Step.Waiting) machine.run();
    assertThat(waiting.wakeAfter()).isEqualTo(1000);
    assertThat(waiting.started()).hasSize(1001);
    for (long op = 1; op <= 1000; op++) {
      machine.settle(op, "null");
    }
    assertThat(((Step.Done) machine.run()).value()).isEqualTo("1000");
  }

  @Test
  void theCountIsNeverTooHigh() {
    assertThat(wakeAfter("const a = Task.run('a'); await Promise.all([a, a])")).isEqualTo(1);
    assertThat(
            wakeAfter(
                "const a = Task.run('a'); await Promise.all([Promise.race([a, Task.run('b')]),"
                    + " Promise.race([a, Task.run('c')])])"))
        .isEqualTo(1);
    assertThat(wakeAfter("await Promise.any([Task.run('a'), Task.run('b')])")).isEqualTo(1);
    assertThat(
            wakeAfter(
                "await Promise.all([Promise.all([Task.run('a'), Task.run('b')]), Task.run('c')])"))
        .isEqualTo(3);
    assertThat(wakeAfter("await Promise.all([Timer.delay(1), Timer.delay(2)])")).isEqualTo(1);
    assertThat(
            wakeAfter(
                "async function f() { await Task.run('x') }\n"
                    + "await Promise.all([f(), Task.run('a'), Task.run('b')])"))
        .isEqualTo(1);
  }

  private static int wakeAfter(String source) {
    return ((Step.Waiting) Scripts.start(source).run()).wakeAfter();
  }

  @Test
  void aFailureOfOneFailsAllAtOnce() {
    Machine machine =
        Scripts.start(
            "try { await Promise.all([Task.run('a'), Task.run('b')]) } catch (e) { return e.code"
                + " }");
    machine.run();
    machine.fail(2, Failure.of("FULL", "no room"));
    assertThat(((Step.Done) machine.run()).value()).isEqualTo("\"FULL\"");
  }

  @Test
  void aRaceGoesToTheOneThatSettledFirst() {
    Machine machine =
        Scripts.start(
            "const a = Task.run('a'), b = Task.run('b'); await Task.run('c');"
                + " return await Promise.race([a, b])");
    machine.run();
    machine.settle(2, "\"b\"");
    machine.settle(1, "\"a\"");
    machine.settle(3, "null");
    assertThat(((Step.Done) machine.run()).value()).isEqualTo("\"b\"");
  }

  @Test
  void tasksThatNobodyAwaitsAreStartedToo() {
    Step step = Scripts.start("Task.run('a', { x: 1 }); log('hi', [1]); return 2").run();
    assertThat(step.started())
        .containsExactly(
            new Operation.StartTask(1, "a", "{\"x\":1}", "{}"), new Operation.Log("hi [1]"));
  }

  @Test
  void onlyWhatAnAwaitDependsOnMayTakeAMessage() {
    Machine machine =
        Scripts.start(
            "const s = Signal.next('a'); await Promise.race([s, Timer.delay(1)]); await"
                + " Signal.next('b'); return await s");
    machine.run();
    machine.settle(2, "null");
    Step.Waiting waiting = (Step.Waiting) machine.run();
    assertThat(waiting.pending().stream().map(Step.Pending::awaited)).containsExactly(false, true);
  }

  @Test
  void anInterruptedScriptCanCleanUp() {
    Machine machine =
        Scripts.start(
            "try { await Signal.next('never') } finally { await Task.run('undo') }\nreturn 1");
    machine.run();
    machine.interrupt(Failure.of("CANCELLED", "by an operator"));
    Step.Waiting waiting = (Step.Waiting) machine.run();
    assertThat(waiting.started()).hasSize(1);
    machine.settle(2, "null");
    assertThat(((Step.Threw) machine.run()).error().code()).isEqualTo("CANCELLED");
  }

  @Test
  void aMainFunctionIsInterruptedLikeTheScriptItself() {
    Machine machine =
        Scripts.start(
            """
            async function main() {
              try { await Signal.next("never") } catch (e) { return e.code }
            }
            """);
    machine.run();
    machine.interrupt(Failure.of("CANCELLED", "by an operator"));
    assertThat(((Step.Done) machine.run()).value()).isEqualTo("\"CANCELLED\"");
  }

  @Test
  void aViewShowsThePlaceTheVariablesAndWhatIsAwaited() {
    Machine machine =
        Scripts.start(
            """
            const rate = 2
            async function main() {
              let order = { id: 7 }
              for (const item of ["a", "b"]) {
                const price = await Task.run("price", item)
              }
            }
            """);
    machine.run();
    View inner = machine.views().get(0);
    assertThat(inner.main()).isTrue();
    assertThat(inner.line()).isEqualTo(5);
    assertThat(inner.path()).isEqualTo("main:5");
    assertThat(inner.locals())
        .containsEntry("order", "{\"id\":7}")
        .containsEntry("item", "\"a\"")
        .doesNotContainKey("price");
    assertThat(inner.suspended()).isEqualTo("{\"type\":\"run\",\"op\":1,\"name\":\"price\"}");
  }

  @Test
  void anAnswerThatIsNoJsonFailsTheOperation() {
    Machine machine = Scripts.start("return await Task.run('a')");
    machine.run();
    machine.settle(1, "{nonsense");
    assertThat(((Step.Threw) machine.run()).error().code()).isEqualTo("BAD_JSON");
  }

  @Test
  void anAnswerToAnUnknownOperationIsIgnored() {
    Machine machine = Scripts.start("return await Task.run('a')");
    machine.run();
    machine.settle(99, "1");
    machine.settle(1, "1");
    machine.settle(1, "2");
    assertThat(((Step.Done) machine.run()).value()).isEqualTo("1");
  }
}
