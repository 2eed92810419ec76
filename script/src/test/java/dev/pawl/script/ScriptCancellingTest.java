package dev.pawl.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How scripts are cancelled, and run out of time. */
@Timeout(120)
class ScriptCancellingTest extends ScriptTesting {
  @Test
  void aScriptWithoutTryIsCancelledAtOnce() {
    house.work();
    RunId id = house.start("await Signal.next('never')", "{}");
    house.settle();
    house.pawl.pause(ScriptHouse.TYPE);
    assertThat(house.pawl.cancel(id, "stop").status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void cleaningUpMayStillAwait() {
    house.echo("undo");
    house.work();
    RunId id =
        house.start(
            """
            try {
              await Task.run("nobody.takes.it", 1)
            } catch (e) {
              await Task.run("undo", e.code)
              await Timer.delay("1h")
              return "ignored"
            } finally {
              await Task.run("undo", "last")
            }
            """,
            "{}");
    house.settle();
    house.pawl.cancel(id, "enough");
    Run run = house.finish(id);
    assertThat(run.status()).isEqualTo(Status.CANCELLED);
    assertThat(house.done).containsExactly("undo \"CANCELLED\"", "undo \"last\"");
    assertThat(house.events(id, Event.Cancelled.class))
        .containsExactly(new Event.Cancelled("enough"));
    Event.ChildStarted child = house.events(id, Event.ChildStarted.class).get(0);
    assertThat(house.pawl.get(child.child()).status()).isEqualTo(Status.CANCELLED);
    house.checkHealth();
  }

  @Test
  void aForcedOneEndsTheCleaningUp() {
    house.work();
    RunId id =
        house.start("try { await Signal.next('a') } catch (e) { await Signal.next('b') }", "{}");
    house.settle();
    house.pawl.cancel(id, "one");
    house.settle();
    assertThat(house.pawl.get(id).status()).isEqualTo(Status.SUSPENDED);
    house.pawl.cancel(id, "two", true);
    assertThat(house.pawl.get(id).status()).isEqualTo(Status.CANCELLED);
    house.checkHealth();
  }

  @Test
  void theDeadlineOfTheRunIsATimeout() {
    house.work();
    Scripts.deploy(
        house.pawl,
        ScriptHouse.TYPE,
        "try { await Signal.next('a') } catch (e) { log(e.code); throw e }");
    RunId id =
        house.pawl.start(ScriptHouse.TYPE, Json.NULL, o -> o.maxDuration(Duration.ofHours(2))).id();
    assertThat(fail(house.finish(id)).code()).isEqualTo("TIMEOUT");
    assertThat(house.events(id, Event.Logged.class)).hasSize(1);
    assertThat(house.events(id, Event.DeadlinePassed.class)).hasSize(1);
  }

  @Test
  void aRunThatIsRetriedBehindItsDeadlineHasTheSameTimeAgain() {
    house.work();
    Scripts.deploy(house.pawl, ScriptHouse.TYPE, "return await Signal.next('a')");
    RunId id =
        house.pawl.start(ScriptHouse.TYPE, Json.NULL, o -> o.maxDuration(Duration.ofHours(2))).id();
    assertThat(fail(house.finish(id)).code()).isEqualTo("TIMEOUT");
    house.pawl.retry(id);
    house.settle();
    assertThat(house.pawl.get(id).due()).contains(house.clock.instant().plus(Duration.ofHours(2)));
    house.pawl.signal(id, "a", 1);
    assertThat(succeed(house.finish(id))).isEqualTo("1");
  }

  @Test
  void aRunThatIsLateBeforeItBeginsIsATimeout() {
    Scripts.deploy(house.pawl, ScriptHouse.TYPE, "return 1");
    RunId id =
        house
            .pawl
            .start(ScriptHouse.TYPE, Json.NULL, o -> o.maxDuration(Duration.ofSeconds(1)))
            .id();
    house.clock.advance(Duration.ofSeconds(2));
    house.work();
    assertThat(fail(house.finish(id)).code()).isEqualTo("TIMEOUT");
  }
}
