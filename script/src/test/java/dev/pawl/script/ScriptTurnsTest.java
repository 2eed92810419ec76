package dev.pawl.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.log.Wait;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens in the turns of scripts. */
@Timeout(120)
class ScriptTurnsTest extends ScriptTesting {
  @Test
  void aThousandTasksWakeTheRunAHandfulOfTimes() {
    house.echo("square");
    Run run =
        house.run(
            """
            const list = []
            for (let i = 0; i < 1000; i++) list.push(Task.run("square", i))
            const all = await Promise.all(list)
            return all.reduce((a, b) => a + b, 0)
            """,
            "{}");
    assertThat(succeed(run)).isEqualTo("499500");
    assertThat(house.resumes(run.id())).isBetween(1L, 5L);
  }

  @Test
  void oneFailureAmongManyWakesTheRunAtOnce() {
    house.echo("fine").failing("bad", "no");
    Run run =
        house.run(
            """
            const list = [Task.run("never.claimed", 1), Task.run("bad", 2), Task.run("fine", 3)]
            try { return await Promise.all(list) } catch (e) { return [e.code, e.message, e.source.kind, e.source.name] }
            """,
            "{}");
    assertThat(succeed(run)).isEqualTo("[\"BROKEN\",\"no\",\"child\",\"bad\"]");
  }

  @Test
  void whatWasAskedForAndAnsweredIsInTheLog() {
    house.echo("echo");
    Run run =
        house.run(
            """
            log("begin", 1)
            const a = await Task.run("echo", [1])
            await Timer.delay("1h")
            log("end")
            return a
            """,
            "{}");
    assertThat(succeed(run)).isEqualTo("[1]");
    assertThat(house.events(run.id()).stream().map(e -> e.getClass().getSimpleName()))
        .containsExactly(
            "Created",
            "Leased",
            "Pinned",
            "Logged",
            "ChildStarted",
            "Suspended",
            "Leased",
            "ChildFinished",
            "Suspended",
            "Leased",
            "TimerFired",
            "Logged",
            "Succeeded");
    assertThat(house.events(run.id(), Event.Logged.class))
        .extracting(Event.Logged::message)
        .containsExactly("begin 1", "end");
  }

  @Test
  void theSnapshotOfATypicalRunIsSmall() {
    house.task("shop.charge.v1", "{\"receipt\":\"R-17\"}");
    RunId id =
        house
            .run(
                """
                const { customer, cents } = Inputs
                const { receipt } = await Task.run("shop.charge.v1", { customer, cents })
                const parcel = await Signal.next("parcel-left")
                return `${customer}: ${receipt}, left from ${parcel.at}`
                """,
                "{\"customer\":\"Ada\",\"cents\":4200}")
            .id();
    for (Event.Suspended suspended : house.events(id, Event.Suspended.class)) {
      assertThat(suspended.snapshot().text().length()).isLessThan(2048);
    }
    assertThat(house.pawl.get(id).status()).isEqualTo(Status.SUSPENDED);
  }

  @Test
  void timeStandsStillInATurnAndPassesBetweenThem() {
    String source =
        """
        const a = Date.now(), b = Date.now()
        await Timer.delay("90s")
        const c = Date.now()
        await Timer.until(c + 500)
        return [b - a, c - a, Date.now() - c]
        """;
    assertThat(succeed(house.run(source, "{}"))).isEqualTo("[0,90000,500]");
  }

  @Test
  void theFirstToComeWinsEvenIfBothAreSeenLate() {
    RunId id =
        house.start(
            "return await Promise.race_kv({ s: Signal.next('s'), t: Timer.delay(60) })", "{}");
    house.work();
    house.settle();
    house.pawl.pause(ScriptHouse.TYPE);
    house.clock.advance(Duration.ofSeconds(59));
    house.pawl.signal(id, "s", 1);
    house.clock.advance(Duration.ofSeconds(10));
    house.pawl.resume(ScriptHouse.TYPE);
    assertThat(succeed(house.finish(id))).isEqualTo("{\"key\":\"s\",\"value\":1}");
  }

  @Test
  void aWaitThatLostTakesNothing() {
    RunId id =
        house.start(
            """
            const first = await Promise.race([Signal.next("answer"), Timer.delay(60)])
            return [first, await Signal.next("answer")]
            """,
            "{}");
    house.work();
    house.finish(id);
    house.pawl.signal(id, "answer", "late");
    assertThat(succeed(house.finish(id))).isEqualTo("[null,\"late\"]");
  }

  @Test
  void eventsAreSeenOnceInOrderAlsoThoseFromBeforeTheWait() {
    RunId id =
        house.start(
            """
            await Timer.delay(10)
            const seen = []
            for (let i = 0; i < 3; i++) seen.push(await Event.next("rates"))
            return seen
            """,
            "{}");
    house.pawl.emit("rates", 1);
    house.work();
    house.finish(id);
    house.pawl.emit("rates", 2);
    house.pawl.emit("other", 9);
    house.pawl.emit("rates", 3);
    assertThat(succeed(house.finish(id))).isEqualTo("[1,2,3]");
  }

  @Test
  void aSignalThatDoesNotComeInTimeIsAnErrorThatCanBeCaught() {
    String source =
        "try { await Signal.next('x', {timeout: '24h'}) } catch (e) { return [e.code, e.message]"
            + " }";
    assertThat(succeed(house.run(source, "{}"))).startsWith("[\"TIMEOUT\",\"no signal 'x' came");
  }

  @Test
  void aScriptCallsAScript() {
    Scripts.deploy(house.pawl, "inner.flow", "return Inputs.n * 2");
    String source = "return 1 + await Workflow.run('inner', { n: 20 })";
    assertThat(succeed(house.run(source, "{}"))).isEqualTo("41");
  }

  @Test
  void whatCanNeverHappenEndsTheRun() {
    String source =
        "let p = null\n"
            + "const f = async () => { await Timer.delay(0); return await p }\n"
            + "p = f()\n"
            + "return await p";
    assertThat(fail(house.run(source, "{}")).code()).isEqualTo("DEADLOCK");
  }

  @Test
  void whatItWaitsForIsToldToTheStore() {
    house.work();
    RunId id =
        house.start(
            """
            const left = Task.run("nobody", 1)
            await Promise.any([Signal.next("s", { timeout: 60 }), Event.next("t"), Task.run("nobody", 2)])
            """,
            "{}");
    house.settle();
    Event.Suspended suspended = house.events(id, Event.Suspended.class).get(0);
    assertThat(suspended.waits())
        .hasSize(4)
        .hasOnlyElementsOfTypes(
            Wait.Signal.class, Wait.Timer.class, Wait.Topic.class, Wait.Child.class);
    assertThat(suspended.wakeAfter()).isEqualTo(1);
    assertThat(suspended.until()).contains(house.clock.instant().plusSeconds(60));
  }
}
