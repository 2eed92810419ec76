package dev.pawl.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.work.FailedException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a script that was taken back by an operator goes on: with all that was recorded, once. */
@Timeout(120)
class ScriptRetryTest extends ScriptTesting {
  private boolean up;

  /** A task that fails until {@link #up}. */
  private void repairable(String type) {
    house.task(
        type,
        (context, input) -> {
          if (!up) {
            throw FailedException.permanent("DOWN", "down");
          }
          return Json.string("up");
        });
  }

  /** Takes up a run whose task failed, now that it does not. */
  private Run repair(RunId id) {
    up = true;
    house.pawl.retry(id);
    return house.finish(id);
  }

  private List<Integer> ends(RunId id) {
    return house.events(id, Event.ChildFinished.class).stream()
        .map(Event.ChildFinished::op)
        .toList();
  }

  @Test
  void aRetryGoesOnFromWhereItFailed() {
    house.echo("first");
    repairable("second");
    Run run =
        house.run(
            "const a = await Task.run('first', 1)\nreturn [a, await Task.run('second', 2)]", "{}");
    assertThat(fail(run).code()).isEqualTo("DOWN");
    assertThat(succeed(repair(run.id()))).isEqualTo("[1,\"up\"]");
    assertThat(house.done).containsExactly("first 1", "second 2", "second 2");
    assertThat(ends(run.id())).as("each outcome once").containsExactly(1, 2, 2);
  }

  @Test
  void aCancelledRunCanBeTakenUpAgainWithItsTasks() {
    house.work();
    RunId id = house.start("return await Task.run('slow', 1)", "{}");
    house.settle();
    house.pawl.cancel(id, "stop");
    house.settle();
    assertThat(house.pawl.get(id).status()).isEqualTo(Status.CANCELLED);
    house.echo("slow");
    house.pawl.retry(id);
    assertThat(succeed(house.finish(id))).isEqualTo("1");
    assertThat(house.events(id, Event.ChildStarted.class)).hasSize(2);
  }

  @Test
  void aRetryTakesUpTasksThatEndedMeanwhile() {
    house.failing("bad", "no").echo("good");
    Run run =
        house.run(
            """
            const good = Task.run("good", 5)
            await Timer.delay(1)
            const other = await Task.run("bad")
            return [other, await good]
            """,
            "{}");
    assertThat(fail(run).code()).isEqualTo("BROKEN");
    house.pawl.retry(run.id());
    assertThat(fail(house.finish(run.id())).code()).isEqualTo("BROKEN");
    assertThat(house.done).containsExactly("good 5", "bad null", "bad null");
  }

  @Test
  void whatCameBeforeTheFirstSuspensionIsNotAskedForAgain() {
    repairable("task");
    RunId id =
        house.start("const a = await Signal.next('a')\nreturn [a, await Task.run('task')]", "{}");
    house.pawl.signal(id, "a", 1);
    house.work();
    assertThat(fail(house.finish(id)).code()).isEqualTo("DOWN");
    assertThat(succeed(repair(id))).isEqualTo("[1,\"up\"]");
    assertThat(house.events(id, Event.SignalReceived.class)).hasSize(1);
  }

  @Test
  void aTimerThatFiredBesideAnOutcomeDoesNotHideWhatThatLetGoOn() {
    repairable("second");
    RunId id =
        house.start(
            """
            await Promise.race([Signal.next("go"), Timer.delay("1s")])
            const a = await Task.run("first", 1)
            return [a, await Task.run("second", 2)]
            """,
            "{}");
    house.pawl.signal(id, "go", 1);
    house.work();
    house.settle();
    house.clock.advance(Duration.ofSeconds(2));
    house.echo("first");
    assertThat(fail(house.finish(id)).code()).isEqualTo("DOWN");
    assertThat(succeed(repair(id))).isEqualTo("[1,\"up\"]");
    assertThat(ends(id)).as("each outcome once").containsExactly(3, 4, 4);
    assertThat(house.events(id, Event.TimerFired.class)).hasSize(1);
  }

  @Test
  void whoWonARaceHasWonIt() {
    repairable("task");
    RunId id =
        house.start(
            """
            const slow = Task.run("slow", "slow")
            const first = await Promise.race([slow, Signal.next("go")])
            return [first, await Task.run("task"), await slow]
            """,
            "{}");
    house.work();
    house.settle();
    house.pawl.signal(id, "go", "signal");
    assertThat(fail(house.finish(id)).code()).isEqualTo("DOWN");
    house.echo("slow");
    house.pawl.resume("slow");
    house.settle();
    assertThat(succeed(repair(id))).isEqualTo("[\"signal\",\"up\",\"slow\"]");
  }

  @Test
  void aLineThatWasLoggedIsNotLoggedAgain() {
    house.echo("first");
    repairable("second");
    Run run =
        house.run(
            """
            log("begin")
            await Task.run("first")
            log("between")
            await Task.run("second")
            log("end")
            """,
            "{}");
    assertThat(fail(run).code()).isEqualTo("DOWN");
    succeed(repair(run.id()));
    assertThat(house.events(run.id(), Event.Logged.class))
        .extracting(Event.Logged::message)
        .containsExactly("begin", "between", "end");
  }

  @Test
  void anAttemptThatBeganAtTheTopIsTakenBackToItsOwnTask() {
    house.echo("first");
    repairable("second");
    Run run =
        house.run(
            """
            await Task.run("first", Context.attempt)
            try {
              return await Task.run("second", Context.attempt)
            } catch (e) {
              throw new Error("again", { retryable: Context.attempt < 2 })
            }
            """,
            "{}");
    assertThat(fail(run).message()).isEqualTo("again");
    assertThat(succeed(repair(run.id()))).isEqualTo("\"up\"");
    assertThat(house.done)
        .containsExactly("first 1", "second 1", "first 2", "second 2", "second 2");
  }

  @Test
  void aCancelledRunForgetsThatItWasCancelledAndHowItCleanedUp() {
    repairable("free");
    RunId id =
        house.start(
            "try { return await Signal.next('a') } finally { await Task.run('free') }", "{}");
    house.work();
    house.settle();
    house.pawl.cancel(id, "stop");
    house.settle();
    assertThat(house.pawl.get(id).status()).isEqualTo(Status.CANCELLED);
    up = true;
    house.pawl.retry(id);
    house.pawl.signal(id, "a", 1);
    assertThat(succeed(house.finish(id))).isEqualTo("1");
    assertThat(house.done).containsExactly("free null", "free null");
  }

  /** Where a payment is made twice if its key is another one. */
  @Test
  void aTaskThatIsStartedAnewGetsTheSameKeyTimeAndChance() {
    house.echo("first");
    repairable("pay");
    Run run =
        house.run(
            """
            await Task.run("first")
            const given = [uuid(), uuid(), Math.random(), Date.now()]
            await Task.run("pay", given)
            return [...given, uuid(), Math.random()]
            """,
            "{}");
    assertThat(fail(run).code()).isEqualTo("DOWN");
    house.clock.advance(Duration.ofDays(1));
    String result = succeed(repair(run.id()));
    List<String> payments = house.done.subList(1, 3);
    assertThat(payments.get(1)).isEqualTo(payments.get(0));
    assertThat(result).startsWith(payments.get(0).replaceAll("^pay |]$", ""));
    assertThat(result.replaceAll("[\\[\\]\"]", "").split(",")).doesNotHaveDuplicates();
    assertThat(house.events(run.id(), Event.Drawn.class)).as("one for each turn").hasSize(2);
  }

  @Test
  void itDoesSoFromTheTopAndAsOftenAsItIsRetried() {
    repairable("pay");
    Run run =
        house.run(
            """
            const key = uuid()
            await Task.run("pay", key)
            return key
            """,
            "{}");
    assertThat(fail(run).code()).isEqualTo("DOWN");
    house.pawl.retry(run.id());
    assertThat(fail(house.finish(run.id())).code()).isEqualTo("DOWN");
    String key = succeed(repair(run.id()));
    assertThat(house.done).containsExactly("pay " + key, "pay " + key, "pay " + key);
    assertThat(house.events(run.id(), Event.Drawn.class)).hasSize(1);
  }

  @Test
  void eachTurnThatWasKeptHasItsOwn() {
    repairable("pay");
    RunId id =
        house.start(
            """
            const one = [Date.now(), uuid(), Math.random()]
            log("first")
            await Signal.next("a")
            const two = [Date.now(), uuid(), Math.random()]
            await Task.run("pay", [one, two])
            return [one, two]
            """,
            "{}");
    house.work();
    house.settle();
    house.clock.advance(Duration.ofHours(1));
    house.pawl.signal(id, "a", 1);
    assertThat(fail(house.finish(id)).code()).isEqualTo("DOWN");
    house.clock.advance(Duration.ofHours(1));
    String result = succeed(repair(id));
    assertThat(house.done).containsExactly("pay " + result, "pay " + result);
    assertThat(house.events(id, Event.Drawn.class)).hasSize(2);
  }

  @Test
  void aRunThatStartsOverDrawsAnew() {
    Run run =
        house.run(
            """
            log(uuid())
            throw new Error("again", { retryable: Context.attempt < 2 })
            """,
            "{}");
    assertThat(fail(run).message()).isEqualTo("again");
    assertThat(house.events(run.id(), Event.Logged.class))
        .extracting(Event.Logged::message)
        .doesNotHaveDuplicates()
        .hasSize(2);
  }
}
