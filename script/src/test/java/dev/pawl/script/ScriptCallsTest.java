package dev.pawl.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.testkit.ManualClock;
import dev.pawl.work.FailedException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How scripts call tasks and workflows. */
@Timeout(120)
class ScriptCallsTest extends ScriptTesting {
  private Run child(String options) {
    house.work();
    RunId id = house.start("return await Task.run('nobody', 1, " + options + ")", "{}");
    house.settle();
    return house.pawl.get(house.events(id, Event.ChildStarted.class).get(0).child());
  }

  @Test
  void aTaskIsStartedAsItWasAskedFor() {
    Run run =
        child(
            "{ priority: 7, delay: '1h', key: 'k-1', timeout: 30, retry: { maxAttempts: 9,"
                + " initial: '1s', factor: 3, cap: 60, jitter: false, nonRetryable: ['NO'] } }");
    assertThat(run.priority()).isEqualTo(7);
    assertThat(run.key()).contains("k-1");
    assertThat(run.maxAttempts()).isEqualTo(9);
    assertThat(run.due()).contains(house.clock.instant().plus(Duration.ofHours(1)));
    assertThat(run.tags())
        .containsEntry("pawl.timeout", "PT30S")
        .containsEntry("pawl.retry.initial", "PT1S")
        .containsEntry("pawl.retry.factor", "3.0")
        .containsEntry("pawl.retry.cap", "PT1M")
        .containsEntry("pawl.retry.jitter", "false")
        .containsEntry("pawl.retry.nonRetryable", "NO");
  }

  @Test
  void aQueueIsTheFrontOfTheTypeByWhichWorkersChoose() {
    house.task("gpu.render.v1", "\"from the gpu\"");
    house.task("render.v1", "\"from anywhere\"");
    Run run =
        house.run(
            """
            return [
              await Task.run("render.v1", 1, { queue: "gpu" }),
              await Task.run("gpu.render.v1", 1, { queue: "gpu" }),
              await Task.run("render.v1", 1)
            ]
            """,
            "{}");
    assertThat(succeed(run)).isEqualTo("[\"from the gpu\",\"from the gpu\",\"from anywhere\"]");
  }

  @Test
  void aWorkflowHasNoQueue() {
    Run run =
        house.run(
            "try { await Workflow.run('w', 1, {queue: 'q'}) } catch (e) { return [e.code,"
                + " e.message.includes('Task.run')] }",
            "{}");
    assertThat(succeed(run)).isEqualTo("[\"UNSUPPORTED\",true]");
  }

  @Test
  void aFirstWaitThatIsLongerThanTheUsualCapIsKept() {
    house.task(
        "flaky",
        (context, input) -> {
          throw new IllegalStateException("attempt " + context.attempt());
        });
    house.run(
        "try { await Task.run('flaky', 1, { retry: { maxAttempts: 2, initial: '1h', jitter: false }"
            + " }) } catch (e) { return 1 }",
        "{}");
    assertThat(house.clock.instant()).isAfterOrEqualTo(ManualClock.START.plusSeconds(3600));
  }

  @Test
  void theTasksOwnPolicyIsFollowed() {
    house.task(
        "flaky",
        (context, input) -> {
          throw new IllegalStateException("attempt " + context.attempt());
        });
    Run run =
        house.run(
            "try { await Task.run('flaky', 1, { retry: { maxAttempts: 5, initial: '1s', factor:"
                + " 1, jitter: false } }) } catch (e) { return [e.message, e.attempt] }",
            "{}");
    assertThat(succeed(run)).isEqualTo("[\"attempt 5\",5]");
    assertThat(house.clock.instant())
        .isBetween(ManualClock.START.plusSeconds(4), ManualClock.START.plusSeconds(5));
  }

  @Test
  void aCodeThatIsNotRetryableIsNotTriedAgain() {
    house.task(
        "flaky",
        (context, input) -> {
          throw FailedException.temporary("NO", "attempt " + context.attempt());
        });
    Run run =
        house.run(
            "try { await Task.run('flaky', 1, { retry: { nonRetryable: ['NO'] } }) }"
                + " catch (e) { return e.message }",
            "{}");
    assertThat(succeed(run)).isEqualTo("\"attempt 1\"");
  }

  @Test
  void whatCannotBeIsAnErrorAtTheAwait() {
    for (String options :
        List.of(
            "{queue: 5}", "{queue: 'a b'}", "{priority: 'x'}", "{retry: {max: 1}}", "{key: 5}")) {
      Run run =
          house.run(
              "try { await Task.run('t', 1, " + options + ") } catch (e) { return e.code }", "{}");
      assertThat(succeed(run)).isIn("\"BAD_INPUT\"", "\"UNSUPPORTED\"");
    }
    assertThat(
            succeed(house.run("try { await Task.run('a b') } catch (e) { return e.code }", "{}")))
        .isEqualTo("\"BAD_INPUT\"");
  }

  @Test
  void aCallThatIsRefusedDoesNotKeepTheOthersFromWaking() {
    house.echo("fine");
    Run run =
        house.run(
            """
            const all = await Promise.allSettled([Task.run("fine", 1), Task.run("fine", 2, { queue: 7 })])
            return all.map(one => one.status)
            """,
            "{}");
    assertThat(succeed(run)).isEqualTo("[\"fulfilled\",\"rejected\"]");
  }

  @Test
  void aSecondCallWithAKeyGetsTheFirstOnesResult() {
    house.task("once", "{\"n\":1}");
    Run run =
        house.run(
            """
            const both = [Task.run("once", 1, { key: "k" }), Task.run("once", 2, { key: "k" })]
            const first = await Promise.all(both)
            return [first, await Task.run("once", 3, { key: "k" })]
            """,
            "{}");
    assertThat(succeed(run)).isEqualTo("[[{\"n\":1},{\"n\":1}],{\"n\":1}]");
    assertThat(house.done).containsExactly("once 1");
  }

  @Test
  void aRunOfSomebodyElseWithTheKeyIsWaitedFor() {
    house.task("once", "\"theirs\"");
    house.pawl.start("once", Json.parse("0"), o -> o.key("k").delay(Duration.ofMinutes(3)));
    Run run = house.run("return await Task.run('once', 1, { key: 'k' })", "{}");
    assertThat(succeed(run)).isEqualTo("\"theirs\"");
    assertThat(house.done).containsExactly("once 0");
  }
}
