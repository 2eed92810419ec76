package dev.pawl.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Pawl;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.log.Wait;
import dev.pawl.script.lang.Limits;
import dev.pawl.store.Command;
import dev.pawl.store.Definition;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.ManualClock;
import dev.pawl.work.FailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of scripts on the engine. */
@Timeout(120)
class ScriptRunTest {
  private ScriptHouse house = new ScriptHouse();

  @AfterEach
  void close() {
    house.close();
  }

  private String succeed(Run run) {
    assertThat(run.status()).as("%s %s", run.lastError(), run).isEqualTo(Status.SUCCEEDED);
    house.checkHealth();
    return run.result().orElseThrow().text();
  }

  private Failure fail(Run run) {
    assertThat(run.status()).as(run.toString()).isEqualTo(Status.FAILED);
    house.checkHealth();
    return run.lastError().orElseThrow();
  }

  @Nested
  class Turns {
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
  }

  @Nested
  class Options {
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
          List.of("{queue: 'q'}", "{priority: 'x'}", "{retry: {max: 1}}", "{key: 5}")) {
        Run run =
            house.run(
                "try { await Task.run('t', 1, " + options + ") } catch (e) { return e.code }",
                "{}");
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
              const all = await Promise.allSettled([Task.run("fine", 1), Task.run("fine", 2, { queue: "q" })])
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

  @Nested
  class Failing {
    @Test
    void anErrorNobodyCaughtFailsTheRunWithTheScriptsStack() {
      Failure failure =
          fail(
              house.run(
                  """
                  function reserve(item) {
                    throw new Error(`no ${item} left`, { code: "OUT_OF_STOCK", data: { item } })
                  }
                  reserve("lamp")
                  """,
                  "{}"));
      assertThat(failure.code()).isEqualTo("OUT_OF_STOCK");
      assertThat(failure.message()).isEqualTo("no lamp left");
      assertThat(failure.data().text()).isEqualTo("{\"item\":\"lamp\"}");
      assertThat(failure.stack()).contains("reserve", "2:");
      assertThat(failure.source().kind()).isEqualTo("run");
    }

    @Test
    void anErrorThatIsWorthItIsRetriedFromTheTop() {
      house.echo("echo");
      Run run =
          house.run(
              """
              const n = await Task.run("echo", Context.attempt)
              if (n < 3) throw new Error("again", { retryable: true })
              return n
              """,
              "{}");
      assertThat(succeed(run)).isEqualTo("3");
      assertThat(house.events(run.id(), Event.Retried.class)).hasSize(2);
    }

    @Test
    void theFailureOfATaskIsNotRetriedByItsCaller() {
      house.task(
          "flaky",
          (context, input) -> {
            throw new IllegalStateException("always");
          });
      Run run = house.run("return await Task.run('flaky')", "{}");
      assertThat(fail(run).source().name()).isEqualTo("flaky");
      assertThat(house.done).hasSize(3);
      assertThat(house.events(run.id(), Event.Retried.class)).isEmpty();
    }

    @Test
    void aLoopWithoutEndFailsAndTheWorkerIsFine() {
      house.close();
      house = new ScriptHouse(Limits.DEFAULT.withOperations(1_000_000));
      Run run = house.run("while (true) {}", "{}");
      assertThat(fail(run).code()).isEqualTo("LIMIT_EXCEEDED");
      assertThat(succeed(house.run("return 1", "{}"))).isEqualTo("1");
    }

    @Test
    void aDamagedSnapshotFailsTheRunWithAClearError() {
      RunId id = house.start("await Signal.next('go')\nreturn 1", "{}");
      Damage damage = new Damage(house.store);
      try (Pawl broken = Pawl.open(damage).register(Scripts.all())) {
        broken.work(w -> w.poll(Duration.ofMillis(2)));
        Await.until("it is suspended", () -> house.pawl.get(id).status() == Status.SUSPENDED);
      }
      house.pawl.signal(id, "go", 1);
      house.work();
      Failure failure = fail(house.finish(id));
      assertThat(failure.code()).isEqualTo("SNAPSHOT_CORRUPT");
      assertThat(failure.message()).contains("damaged");
    }

    @Test
    void aRetryGoesOnFromWhereItFailed() {
      boolean[] up = {false};
      house.echo("first");
      house.task(
          "second",
          (context, input) -> {
            if (!up[0]) {
              throw FailedException.permanent("DOWN", "down");
            }
            return Json.string("up");
          });
      Run run =
          house.run(
              "const a = await Task.run('first', 1)\nreturn [a, await Task.run('second', 2)]",
              "{}");
      assertThat(fail(run).code()).isEqualTo("DOWN");
      up[0] = true;
      house.pawl.retry(run.id());
      assertThat(succeed(house.finish(run.id()))).isEqualTo("[1,\"up\"]");
      assertThat(house.done).containsExactly("first 1", "second 2", "second 2");
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
    void aScriptHasNoStepsToGoBackTo() {
      RunId id = house.run("return 1", "{}").id();
      assertThatThrownBy(() -> house.pawl.rewind(id, "charge"))
          .isInstanceOfSatisfying(
              PawlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
          .hasMessageContaining("no steps");
      assertThatThrownBy(() -> house.pawl.fork(id, "charge")).hasMessageContaining("no steps");
    }
  }

  @Nested
  class Cancelling {
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
          house
              .pawl
              .start(ScriptHouse.TYPE, Json.NULL, o -> o.maxDuration(Duration.ofHours(2)))
              .id();
      assertThat(fail(house.finish(id)).code()).isEqualTo("TIMEOUT");
      assertThat(house.events(id, Event.Logged.class)).hasSize(1);
      assertThat(house.events(id, Event.DeadlinePassed.class)).hasSize(1);
    }
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

  @Nested
  class Definitions {
    @Test
    void aWatchedDirectoryIsDeployedAgainWhenAFileChanges(@TempDir Path directory)
        throws Exception {
      Path file = directory.resolve("watched.flow");
      Files.writeString(file, "return 1");
      Files.writeString(directory.resolve("bad.flow"), "return nothing");
      ScriptWatch watch = Scripts.watch(house.pawl, directory);
      try {
        assertThat(house.store.definedTypes()).containsExactly("watched");
        Files.writeString(file, "return 'changed'");
        Await.until("it is deployed again", () -> house.store.definitions("watched").size() == 2);
      } finally {
        watch.close();
      }
      assertThat(house.store.newestDefinition("watched").orElseThrow().source())
          .isEqualTo("return 'changed'");
    }

    @Test
    void aRunUnderWayKeepsItsTextAndNewOnesTakeTheNewest() {
      house.work();
      RunId old = house.start("await Signal.next('go')\nreturn 'old'", "{}");
      house.settle();
      RunId fresh = house.start("await Signal.next('go')\nreturn 'new'", "{}");
      house.settle();
      house.pawl.signal(old, "go", 1);
      house.pawl.signal(fresh, "go", 1);
      assertThat(succeed(house.finish(old))).isEqualTo("\"old\"");
      assertThat(succeed(house.finish(fresh))).isEqualTo("\"new\"");
      assertThat(house.pawl.get(old).definition()).isNotEqualTo(house.pawl.get(fresh).definition());
    }

    @Test
    void aScriptWithErrorsIsRefusedWithAllOfThem() {
      assertThatThrownBy(() -> Scripts.deploy(house.pawl, "bad.flow", "var a = 1\nreturn b"))
          .isInstanceOfSatisfying(ScriptRefused.class, e -> assertThat(e.errors()).hasSize(2))
          .hasMessageContaining("bad.flow:1:1")
          .hasMessageContaining("bad.flow:2:8");
      assertThat(house.store.definedTypes()).isEmpty();
    }

    @Test
    void theTypeIsTheNameInTheFrontMatterElseOfTheWorkflowElseOfTheFile() {
      assertThat(Scripts.define("f.flow", "---\nname: a.b.v1\n---\nreturn 1").type())
          .isEqualTo("a.b.v1");
      assertThat(Scripts.define("f.flow", "workflow square(n) { return n }").type())
          .isEqualTo("square");
      assertThat(Scripts.define("dir/f.flow", "return 1").type()).isEqualTo("f");
    }

    @Test
    void whatIsDeployedByAnotherProcessIsNoticed() {
      house.work();
      Definition definition = Scripts.define("late.v1", "return 'here'");
      house.store.commit(List.of(new Command.Deploy(definition)));
      RunId id = house.pawl.start("late.v1", Json.NULL, o -> o).id();
      Await.until(
          "it was carried out",
          () -> {
            house.clock.advanceMillis(1);
            return house.pawl.get(id).status().isTerminal();
          });
      assertThat(succeed(house.pawl.get(id))).isEqualTo("\"here\"");
    }
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
